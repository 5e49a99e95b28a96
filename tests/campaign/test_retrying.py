"""What is tried again, and what is not."""

from __future__ import annotations

import pytest

from hairpin.campaign.retrying import Retries
from hairpin.domain.model_spec import CompatibleModel
from hairpin.domain.outcome import Role, Stop, StopReason
from hairpin.domain.records import Outcome
from hairpin.domain.scenario import Scenario
from hairpin.domain.scoring import judge
from tests.campaign.worlds import scenario_of

MODELLED = {Role.SIMULATOR: CompatibleModel(base_url="http://127.0.0.1:9", model="m")}


def outcome_of(reason: StopReason, role: Role | None = None) -> Outcome:
    stop = Stop(reason=reason, role=role)
    scenario = scenario_of()
    judgement = judge(
        stop=stop,
        scores=(),
        targets=(),
        weights=scenario.rubric.weights,
        threshold=0.75,
        scored=True,
        check_failed=False,
    )
    return Outcome(stop=stop, judgement=judgement)


def retries(scenario: Scenario, *, left: int = 1, in_time: bool = True) -> Retries:
    return Retries(left, scenario, in_time=lambda: in_time)


@pytest.mark.parametrize("reason", [StopReason.PROVIDER_ERROR, StopReason.INTERNAL_ERROR])
def test_what_a_provider_or_hairpin_broke_is_tried_again_as_often_as_allowed(reason: StopReason) -> None:
    its = retries(scenario_of(), left=2)
    assert [its.allow(outcome_of(reason)) for _ in range(3)] == [True, True, False]


@pytest.mark.parametrize(
    "reason",
    [
        StopReason.SUT_ERROR,
        StopReason.SUT_UNREACHABLE,
        StopReason.ADAPTER_FAULT,
        StopReason.CHECK_FAULT,
        StopReason.TURNS_EXHAUSTED,
        StopReason.DEADLINE,
        StopReason.BUDGET,
    ],
)
def test_what_the_assistant_or_the_user_broke_is_a_finding_and_stays(reason: StopReason) -> None:
    assert not retries(scenario_of()).allow(outcome_of(reason))


def test_a_role_is_tried_again_only_where_a_model_plays() -> None:
    """An offline agent would break again in the same place."""
    fault = outcome_of(StopReason.SIMULATOR_FAULT, Role.SIMULATOR)
    assert not retries(scenario_of()).allow(fault)
    assert retries(scenario_of().model_copy(update={"models": MODELLED})).allow(fault)


def test_nothing_is_tried_again_when_there_is_no_time_left() -> None:
    assert not retries(scenario_of(), in_time=False).allow(outcome_of(StopReason.PROVIDER_ERROR))


def test_a_conversation_that_its_user_was_found_to_have_spoiled_is_not_tried_again() -> None:
    """That would hide how often it happens."""
    fault = outcome_of(StopReason.SIMULATOR_FAULT, Role.SIMULATOR)
    found = fault.model_copy(update={"stop": fault.stop.model_copy(update={"reviewed": True})})
    assert not retries(scenario_of().model_copy(update={"models": MODELLED})).allow(found)
