"""How requests to models end, and what that does to a conversation."""

from __future__ import annotations

import pytest

from hairpin.domain.llm_calls import CallOutcome, stop_reason_of
from hairpin.domain.outcome import STOP_RULES, Blame, Role, Stop, StopReason, Verdict


def test_only_what_may_pass_is_transient_and_only_what_concerns_all_ends_the_run() -> None:
    assert {outcome.value for outcome in CallOutcome if outcome.is_transient} == {
        "rate_limited",
        "overloaded",
        "timed_out",
        "connection_lost",
    }
    assert {outcome.value for outcome in CallOutcome if outcome.ends_run} == {"quota_exceeded", "unauthorised"}


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (CallOutcome.REFUSED, StopReason.REFUSED),
        (CallOutcome.TRUNCATED, StopReason.TRUNCATED),
        (CallOutcome.CONTENT_FILTERED, StopReason.CONTENT_FILTERED),
        (CallOutcome.CONTEXT_EXCEEDED, StopReason.CONTEXT_EXCEEDED),
        (CallOutcome.OUT_OF_TIME, StopReason.DEADLINE),
        (CallOutcome.OUT_OF_BUDGET, StopReason.BUDGET),
        (CallOutcome.RATE_LIMITED, StopReason.PROVIDER_ERROR),
        (CallOutcome.NOT_JSON, StopReason.PROVIDER_ERROR),
        (CallOutcome.CIRCUIT_OPEN, StopReason.PROVIDER_ERROR),
    ],
)
def test_a_conversation_ends_by_what_its_model_call_ended_by(outcome: CallOutcome, reason: StopReason) -> None:
    assert {stop_reason_of(outcome, role) for role in Role} == {reason}


@pytest.mark.parametrize("outcome", [CallOutcome.NO_ANSWER, CallOutcome.INVALID_ANSWER])
def test_an_answer_that_cannot_be_used_is_the_fault_of_the_role_that_gave_it(outcome: CallOutcome) -> None:
    judges = {role for role in Role if stop_reason_of(outcome, role) is StopReason.JUDGE_FAULT}
    assert judges == {role for role in Role if role.blame is Blame.JUDGE}
    assert judges > {Role.TURN_JUDGE, Role.CONVERSATION_JUDGE, Role.CONTEXT_JUDGE}
    assert {stop_reason_of(outcome, role) for role in set(Role) - judges} == {StopReason.SIMULATOR_FAULT}


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("outcome", list(CallOutcome))
def test_no_end_of_a_call_is_ever_held_against_the_assistant(outcome: CallOutcome, role: Role) -> None:
    stop = Stop(reason=stop_reason_of(outcome, role), role=role)
    assert STOP_RULES[stop.reason].verdict in (Verdict.INVALID, Verdict.INCONCLUSIVE)
    assert stop.blame is None or stop.blame.value != "sut"
