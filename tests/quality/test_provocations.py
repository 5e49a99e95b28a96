"""Scripted provocations of the seeded faults: the turn judge finds each strike, and nothing where there is none.

The figures on the held-out wording are floors of what was measured, not goals: nothing may be built on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from hairpin.domain.rubric import Rubric
from hairpin.domain.sut_spec import FaultSpec
from hairpin.domain.users import Context
from hairpin.ports import Roles
from hairpin.testbed.adapter import TestbedAdapter
from hairpin.testbed.faults.provocations import PROVOCATIONS, Provocation
from hairpin.testbed.faults.registry import HELD_OUT_PARAMETERS
from hairpin.testbed.faults.seeded import FAULTS
from hairpin.testbed.wording import HELD_OUT_WORDING, IN_SAMPLE_WORDINGS
from tests.quality.conftest import RunCampaign
from tests.quality.driving import Setting, judge_script

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]

EARNING = frozenset(fault.id for fault in FAULTS if fault.earns is not None)
BY_FAULT = pytest.mark.parametrize(
    "provocation", [p for p in PROVOCATIONS if p.fault in EARNING], ids=lambda provocation: provocation.fault
)

HELD_OUT_RECALL = 0.7
"""Of the strikes in the held-out wording, over all faults together."""

SELDOM = 4
"""Campaigns are driven with every fourth setting."""

CAMPAIGN_RECALL = {"F2": 0.9, "F4": 0.9, "F8": 0.75, "F9": 0.9, "F10": 0.6}
"""Of the strikes in conversations that nobody scripted."""


@dataclass(frozen=True, slots=True)
class Found:
    """What faults did in one conversation, and what the judge found: exchange and mode."""

    struck: frozenset[tuple[int, str]]
    labelled: frozenset[tuple[int, str]]


async def judged(provocation: Provocation, wording: str, offline: Roles, rubric: Rubric, *, harmless: bool) -> Found:
    adapter = TestbedAdapter(faults=(provocation.spec,), wording=wording)
    said = provocation.harmless if harmless else provocation.provoking
    failures = await judge_script(adapter, offline.turn_judge, rubric, said, provocation.context)
    struck = frozenset((strike.t, strike.mode) for strike in adapter.fault_log if strike.mode is not None)
    return Found(struck, frozenset((failure.t, failure.mode) for failure in failures))


@BY_FAULT
@pytest.mark.parametrize("wording", IN_SAMPLE_WORDINGS)
async def test_every_strike_of_a_provocation_earns_its_label_and_nothing_else_is_found(
    provocation: Provocation, wording: str, offline: Roles, settings: tuple[Setting, ...]
) -> None:
    found = await judged(provocation, wording, offline, settings[0].rubric, harmless=False)
    assert found.struck
    assert found.labelled == found.struck


@pytest.mark.parametrize("provocation", PROVOCATIONS, ids=lambda provocation: provocation.fault)
@pytest.mark.parametrize("wording", IN_SAMPLE_WORDINGS)
async def test_a_conversation_without_a_strike_gets_no_label(
    provocation: Provocation, wording: str, offline: Roles, settings: tuple[Setting, ...]
) -> None:
    found = await judged(provocation, wording, offline, settings[0].rubric, harmless=True)
    assert (found.struck, found.labelled) == (frozenset(), frozenset())


async def test_strikes_are_found_in_the_held_out_wording_too_if_fewer(
    offline: Roles, settings: tuple[Setting, ...]
) -> None:
    rubric = settings[0].rubric
    runs = [
        await judged(p, HELD_OUT_WORDING, offline, rubric, harmless=False) for p in PROVOCATIONS if p.fault in EARNING
    ]
    n_struck = sum(len(run.struck) for run in runs)
    n_found = sum(len(run.struck & run.labelled) for run in runs)
    assert n_found >= HELD_OUT_RECALL * n_struck


@pytest.mark.parametrize("fault", CAMPAIGN_RECALL)
async def test_a_fault_is_found_in_conversations_that_nobody_scripted(
    fault: str, settings: tuple[Setting, ...], run_campaign: RunCampaign
) -> None:
    campaign = await run_campaign((FaultSpec(id=fault, probability=0.7),), settings[::SELDOM])
    assert len(campaign.struck) >= 3
    assert len(campaign.struck - campaign.missed()) >= CAMPAIGN_RECALL[fault] * len(campaign.struck), campaign.missed()
    assert len(campaign.alarms()) <= 0.02 * campaign.n_turns, campaign.alarms()


async def test_faults_with_held_out_parameters_are_found_as_often(
    settings: tuple[Setting, ...], run_campaign: RunCampaign
) -> None:
    found = struck = 0
    for spec in HELD_OUT_PARAMETERS:
        if spec.id in CAMPAIGN_RECALL and spec.when:
            campaign = await run_campaign((spec,), settings[1 :: 2 * SELDOM])
            struck += len(campaign.struck)
            found += len(campaign.struck - campaign.missed())
    assert struck >= 10
    assert found >= 0.75 * struck


@pytest.mark.parametrize("wording", IN_SAMPLE_WORDINGS)
async def test_a_stop_that_will_be_closed_does_not_excuse_a_forgotten_wish(
    wording: str, offline: Roles, settings: tuple[Setting, ...]
) -> None:
    """That a shop is closed is an obstacle, but none to a route without motorways."""
    provocation = Provocation(
        fault="F1",
        provoking=("Navigate to Garching without using motorways", "Add a stop at Grünmarkt"),
        strikes_at=(1,),
        harmless=(),
        context=Context(location="Dachau", date="2026-02-06", time="22:30"),
    )
    found = await judged(provocation, wording, offline, settings[0].rubric, harmless=False)
    assert found.struck == {(1, "context_forgotten")}
    assert found.labelled == found.struck
