"""Hairpin's own agents against the testbed: seeded faults are found where they strike, a clean one raises no alarm."""

from __future__ import annotations

import dataclasses

import pytest

from hairpin.domain.outcome import Verdict
from hairpin.domain.sut_spec import FaultSpec
from hairpin.domain.users import Context
from hairpin.ports import Roles
from hairpin.testbed.adapter import TestbedAdapter
from hairpin.testbed.wording import IN_SAMPLE_WORDINGS
from tests.quality.conftest import LABELS, RunCampaign, Talker
from tests.quality.driving import Setting, drive, judge_script

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

RECALL = 0.9
"""At least this share of the strikes gets the right label at the right exchange."""

RECALL_REWORDED = 0.5
"""Recall in words the lexicon was not written from."""

SELDOM = 8
"""Other wordings are tried with every eighth setting: no multiple of the number of personas, so that all take turns."""

EVERY = 2
"""Faults are sought with every second setting; personas take turns in sevens."""

COMPLETION = 0.95
"""T of a clean testbed, on average: a last utterance may ask for something that only a question can answer."""


async def test_a_clean_testbed_raises_no_alarm_and_passes_whoever_asks_for_what(
    settings: tuple[Setting, ...], run_campaign: RunCampaign
) -> None:
    campaign = await run_campaign((), settings)
    assert [(label, failure.evidence) for label, failure in campaign.failures] == []
    for driven in campaign.conversations.values():
        assert driven.judgement.verdict is Verdict.PASS, driven.transcript()
    ratios = [driven.judgement.ratios.uttered or 0 for driven in campaign.conversations.values()]
    assert sum(ratios) / len(ratios) >= COMPLETION


async def test_a_clean_testbed_raises_no_alarm_without_strategies(
    settings: tuple[Setting, ...], run_campaign: RunCampaign
) -> None:
    unguided = [dataclasses.replace(setting, strategies=()) for setting in settings[::EVERY]]
    assert (await run_campaign((), unguided)).failures == []


async def test_a_clean_testbed_raises_no_alarm_under_the_extended_strategies(
    extended_settings: tuple[Setting, ...], run_campaign: RunCampaign
) -> None:
    campaign = await run_campaign((), extended_settings[::EVERY])
    assert [(label, failure.evidence) for label, failure in campaign.failures] == []
    said = {exchange.strategy for driven in campaign.conversations.values() for exchange in driven.exchanges}
    assert said == {None, *(strategy.id for strategy in extended_settings[0].strategies)}


async def test_bundled_requests_show_that_the_second_is_dropped(
    extended_settings: tuple[Setting, ...], run_campaign: RunCampaign
) -> None:
    campaign = await run_campaign((FaultSpec(id="F3", after=1),), extended_settings[::SELDOM])
    bundled = {
        (name, exchange.t)
        for name, driven in campaign.conversations.items()
        for exchange in driven.exchanges
        if exchange.strategy == "request_bundling"
    }
    assert len(campaign.struck) >= len(bundled) >= 5
    assert len(campaign.missed()) <= (1 - RECALL) * len(campaign.struck), sorted(campaign.missed())


@pytest.mark.parametrize(
    "fault",
    [
        FaultSpec(id="F1", after=2),
        FaultSpec(id="F3"),
        FaultSpec(id="F5", after=1),
        FaultSpec(id="F6", after=1),
        FaultSpec(id="F7"),
    ],
    ids=lambda fault: fault.id,
)
async def test_a_fault_is_found_where_it_strikes(
    fault: FaultSpec, settings: tuple[Setting, ...], run_campaign: RunCampaign
) -> None:
    campaign = await run_campaign((fault,), settings[::EVERY])
    assert len(campaign.struck) >= 10
    missed = campaign.missed()
    assert len(missed) <= (1 - RECALL) * len(campaign.struck), sorted(missed)


@pytest.mark.parametrize("fault", LABELS)
async def test_a_fault_that_strikes_now_and_then_is_found_and_nothing_else(
    fault: str, settings: tuple[Setting, ...], run_campaign: RunCampaign
) -> None:
    """Collateral failures are real: what was dropped is missing later. They must stay few."""
    spec = FaultSpec(id=fault, after=1, probability=0.5)
    campaign = await run_campaign((spec,), settings[1::EVERY])
    assert campaign.struck - campaign.missed()
    assert len(campaign.alarms()) <= 0.02 * campaign.n_turns, campaign.alarms()


@pytest.mark.parametrize("wording", ["chatty", "butler", "clerk"])
async def test_judging_does_not_hang_on_the_testbeds_own_words(
    wording: str, settings: tuple[Setting, ...], run_campaign: RunCampaign
) -> None:
    """Words the lexicon was not written from; it may find less in them, but must not cry wolf."""
    chosen = settings[::SELDOM]
    clean = await run_campaign((), chosen, wording=wording)
    assert [(label, failure.evidence) for label, failure in clean.alarms()] == []
    for fault, label in LABELS.items():
        struck = await run_campaign((FaultSpec(id=fault, after=1),), chosen, wording=wording)
        found = struck.struck - struck.missed()
        assert {mode for _, _, mode in struck.struck} <= {label}
        assert len(found) >= RECALL_REWORDED * len(struck.struck), sorted(struck.missed())


async def test_the_same_random_seed_gives_the_same_conversation(
    settings: tuple[Setting, ...], run_campaign: RunCampaign
) -> None:
    faults = (FaultSpec(id="F1", after=1), FaultSpec(id="F6"))
    once, again = [await run_campaign(faults, settings[:6]) for _ in range(2)]
    assert once == again


@pytest.mark.parametrize("reply", ["", "Sorry, I can't help with that.", "Nice weather today."])
async def test_an_assistant_that_does_nothing_fails(reply: str, settings: tuple[Setting, ...], offline: Roles) -> None:
    for setting in settings[:6]:
        driven = await drive(Talker(lambda _: reply), offline, setting)
        assert driven.judgement.verdict is Verdict.FAIL, driven.transcript()


UNUSUAL = (
    ("I need to get to Pasing; set the temperature to 21 degrees",),
    ("Set the temperature to 21 degrees right now because I'm late",),
    ("Play Summer Rain by Mira Sol",),
    ("Play The Quiet Comet and show me supermarkets near Pasing",),
    ("Let's have Paper Boats", "The second one"),
    ("Paper Boats sounds nice, let me hear it", "The second one"),
    ("Play an episode of true crime",),
    ("Take me to Atlantis and play Blue Hour",),
    ("Drive me to Riem without motorways", "By the way, first a car wash, then a bakery"),
    ("Add a stop at a supermarket, take me to Perlach",),
    ("How do I get to Sendling?",),
)
"""Scripts in words that no template has, each answered as it should be."""


@pytest.mark.parametrize("wording", IN_SAMPLE_WORDINGS)
@pytest.mark.parametrize("script", UNUSUAL, ids=[script[0] for script in UNUSUAL])
async def test_the_right_answer_to_unusual_words_earns_no_label(
    script: tuple[str, ...], wording: str, settings: tuple[Setting, ...], offline: Roles
) -> None:
    adapter = TestbedAdapter(wording=wording)
    assert await judge_script(adapter, offline.turn_judge, settings[0].rubric, script, Context()) == ()


@pytest.mark.parametrize(
    ("said", "reply", "mode"),
    [
        ("Listen to the news", "I do not know a place called News.", "request_omitted"),
        ("Play some jazz", "Unknown place: Jazz.", "request_omitted"),
        ("Play jazz on the way", "I found no jazz on the way in the catalogue.", "request_omitted"),
        ("Set the temperature to 21 degrees", "It is now set to 23.", "constraint_missed"),
        ("Play Summer Rain", "Playing Summer Rain by Mira Sol.", "ambiguity_unresolved"),
        ("I want to watch a show", "Okay, the show is now playing.", "safety_violation"),
    ],
)
async def test_the_wrong_answer_to_unusual_words_earns_its_label(
    said: str, reply: str, mode: str, settings: tuple[Setting, ...], offline: Roles
) -> None:
    talker = Talker(lambda _: reply)
    failures = await judge_script(talker, offline.turn_judge, settings[0].rubric, (said,), Context())
    assert [failure.mode for failure in failures] == [mode]
