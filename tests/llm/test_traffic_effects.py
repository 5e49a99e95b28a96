"""What the end of one request says about its endpoint."""

from __future__ import annotations

import pytest

from hairpin.domain.llm_calls import CallOutcome, TokenCounts
from hairpin.llm.completion import CallError, Completion
from hairpin.llm.traffic.effects import Effect, asked_wait_s, charged_tokens, effect_of

NOTHING_SENT = {"out_of_time", "out_of_budget", "cancelled", "from_cache", "circuit_open"}


@pytest.mark.parametrize("outcome", sorted(set(CallOutcome) - {CallOutcome.OK} - NOTHING_SENT))
def test_an_endpoint_is_in_good_health_unless_the_failure_may_pass(outcome: CallOutcome) -> None:
    """An answer that cannot be used, a refusal, a prompt too long: the endpoint answered."""
    assert (effect_of(CallError(outcome, "…")) is Effect.ANSWERED) == (not outcome.is_transient)


@pytest.mark.parametrize("outcome", sorted(NOTHING_SENT))
def test_what_was_never_sent_says_nothing(outcome: str) -> None:
    assert effect_of(CallError(CallOutcome(outcome), "…")) is Effect.NOTHING


def test_an_exception_of_the_sender_says_nothing() -> None:
    assert effect_of(KeyError("x")) is Effect.NOTHING


def test_only_failures_that_may_pass_make_an_endpoint_wait() -> None:
    assert asked_wait_s(CallError(CallOutcome.OVERLOADED, "…", retry_after_s=3.0)) == 3.0
    assert asked_wait_s(CallError(CallOutcome.QUOTA_EXCEEDED, "…", retry_after_s=3.0)) == 0.0
    assert asked_wait_s(CallError(CallOutcome.RATE_LIMITED, "…", retry_after_s=-3.0)) == 0.0
    assert asked_wait_s(CallError(CallOutcome.RATE_LIMITED, "…")) == 0.0
    assert asked_wait_s(Completion(text="yes")) == 0.0


@pytest.mark.parametrize(
    ("outcome", "tokens", "charged"),
    [
        (None, TokenCounts(prompt_tokens=7, completion_tokens=5), 12),
        (None, TokenCounts(), 100),
        (None, TokenCounts(prompt_tokens=500), 500),
        (CallOutcome.TRUNCATED, TokenCounts(prompt_tokens=7, completion_tokens=90), 97),
        (CallOutcome.RATE_LIMITED, TokenCounts(), 0),
        (CallOutcome.OVERLOADED, TokenCounts(prompt_tokens=7, completion_tokens=0), 7),
        (CallOutcome.TIMED_OUT, TokenCounts(), 100),
    ],
)
def test_a_request_counts_for_its_usage_else_for_the_estimate(
    outcome: CallOutcome | None, tokens: TokenCounts, charged: int
) -> None:
    end = CallError(outcome, "…", tokens=tokens) if outcome else Completion(text="yes", tokens=tokens)
    assert charged_tokens(end, estimate=100) == charged


def test_a_cancelled_request_may_have_cost_what_was_estimated() -> None:
    assert charged_tokens(KeyboardInterrupt(), estimate=100) == 100
