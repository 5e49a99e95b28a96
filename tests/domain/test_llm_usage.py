"""What model calls used: every request is counted, and what is unknown stays unknown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.llm_calls import CallOutcome, LlmRequest, TokenCounts
from hairpin.domain.llm_usage import LlmUsage, UsageCounts, usage_of
from hairpin.domain.outcome import Role


def request(
    call_id: str = "k1",
    number: int = 1,
    *,
    outcome: CallOutcome = CallOutcome.OK,
    role: Role = Role.TURN_JUDGE,
    model: str = "judge-1",
    endpoint: str = "https://m.example/v1",
    prompt: int | None = 1000,
    completion: int | None = 50,
    cost_usd: float | None = 0.0024,
    latency_ms: float = 0.0,
) -> LlmRequest:
    return LlmRequest(
        call_id=call_id,
        number=number,
        role=role,
        endpoint=endpoint,
        model=model,
        outcome=outcome,
        tokens=TokenCounts(prompt_tokens=prompt, completion_tokens=completion),
        cost_usd=cost_usd,
        latency_ms=latency_ms,
    )


def test_nothing_asked_costs_nothing() -> None:
    assert usage_of([]) == LlmUsage()
    assert usage_of([]).cost_usd == 0.0


def test_the_tokens_of_every_attempt_are_counted_not_only_of_the_last() -> None:
    """Two unusable answers and a good one: one call, three requests, all of them paid for."""
    bad = CallOutcome.INVALID_ANSWER
    usage = usage_of(
        [
            request(number=1, outcome=bad, completion=200, cost_usd=0.0036),
            request(number=2, outcome=bad, completion=200, cost_usd=0.0036),
            request(number=3),
        ]
    )
    assert (usage.calls, usage.attempts) == (1, 3)
    assert (usage.prompt_tokens, usage.completion_tokens) == (3000, 450)
    assert usage.cost_usd == math.fsum([0.0036, 0.0036, 0.0024])
    assert usage.failed == {"invalid_answer": 2}


def test_a_runaway_answer_is_counted_whole() -> None:
    assert usage_of([request(completion=45_000)]).completion_tokens == 45_000


def test_a_request_without_usage_is_counted_and_makes_the_cost_unknown_never_zero() -> None:
    unknown = request("k2", outcome=CallOutcome.TIMED_OUT, prompt=None, completion=None, cost_usd=None)
    usage = usage_of([request(), unknown])
    assert usage.cost_usd is None
    assert usage.cost_known_usd == 0.0024
    assert (usage.requests_without_usage, usage.requests_without_cost) == (1, 1)
    assert usage.requests_without_price == 0
    assert (usage.prompt_tokens, usage.completion_tokens) == (1000, 50)


def test_half_reported_usage_is_no_usage_but_its_half_is_counted() -> None:
    usage = usage_of([request(completion=None, cost_usd=None)])
    assert (usage.requests_without_usage, usage.prompt_tokens, usage.completion_tokens) == (1, 1000, 0)


def test_an_unknown_price_leaves_the_tokens_known() -> None:
    usage = usage_of([request(cost_usd=None)])
    assert (usage.requests_without_usage, usage.requests_without_cost, usage.cost_usd) == (0, 1, None)
    assert usage.requests_without_price == 1


def test_a_rejection_that_is_known_to_be_free_leaves_the_cost_known() -> None:
    away = request(number=1, outcome=CallOutcome.RATE_LIMITED, prompt=None, completion=None, cost_usd=0.0)
    usage = usage_of([away, request(number=2)])
    assert usage.cost_usd == 0.0024
    assert (usage.requests_without_usage, usage.failed) == (1, {"rate_limited": 1})


def test_an_answer_from_the_cache_is_no_call_and_no_request() -> None:
    cached = request("k2", 0, outcome=CallOutcome.FROM_CACHE, prompt=None, completion=None, cost_usd=0.0)
    usage = usage_of([request(), cached])
    assert (usage.calls, usage.attempts, usage.from_cache, usage.requests_without_usage) == (1, 1, 1, 0)
    assert usage.failed == {}


def test_a_call_that_was_refused_before_it_was_sent_is_a_failure_and_no_request() -> None:
    refused = request("k2", 0, outcome=CallOutcome.OUT_OF_BUDGET, prompt=None, completion=None, cost_usd=None)
    usage = usage_of([request(), refused])
    assert (usage.calls, usage.attempts, usage.failed) == (1, 1, {"out_of_budget": 1})
    assert usage.cost_usd == 0.0024


def test_requests_of_interleaved_calls_are_told_apart() -> None:
    order = [("a", 1), ("b", 1), ("a", 2), ("c", 1), ("b", 2), ("a", 3)]
    usage = usage_of([request(call_id, number) for call_id, number in order])
    assert (usage.calls, usage.attempts) == (3, 6)


def test_each_role_model_and_endpoint_has_its_own_figures() -> None:
    usage = usage_of(
        [
            request("a", role=Role.SIMULATOR, model="user-1", endpoint="http://u/v1", cost_usd=None, latency_ms=10.5),
            request("b", latency_ms=20.0),
            request("c", role=Role.CONVERSATION_JUDGE, latency_ms=1.0),
        ]
    )
    assert list(usage.by_role) == ["conversation_judge", "simulator", "turn_judge"]
    assert usage.by_role["simulator"].models == ("user-1",)
    assert (usage.by_role["simulator"].cost_usd, usage.by_role["turn_judge"].cost_usd) == (None, 0.0024)
    assert {model: counts.calls for model, counts in usage.by_model.items()} == {"judge-1": 2, "user-1": 1}
    assert usage.by_endpoint["https://m.example/v1"].latency_ms == 21.0
    assert usage.latency_ms == 31.5


finite = st.floats(0, 1e6)
requests = st.lists(
    st.builds(
        request,
        st.sampled_from(["a", "b", "c", "d"]),
        st.integers(0, 3),
        outcome=st.sampled_from(CallOutcome),
        role=st.sampled_from(Role),
        model=st.sampled_from(["m1", "m2"]),
        endpoint=st.sampled_from(["e1", "e2"]),
        prompt=st.none() | st.integers(0, 10**6),
        completion=st.none() | st.integers(0, 10**6),
        cost_usd=st.none() | finite,
        latency_ms=finite,
    ),
    max_size=40,
)


@given(requests, st.randoms(use_true_random=False))
def test_the_order_of_requests_changes_no_bit(rows: Sequence[LlmRequest], rng: Random) -> None:
    # Which request of a call comes first decides whose call it is, so each call keeps to one player here.
    rows = [row.model_copy(update={"call_id": f"{row.call_id} {row.role} {row.model} {row.endpoint}"}) for row in rows]
    shuffled = list(rows)
    rng.shuffle(shuffled)
    assert usage_of(shuffled).model_dump_json() == usage_of(rows).model_dump_json()


@given(requests)
def test_parts_add_up_to_the_whole_and_costs_have_the_bits_of_fsum(rows: Sequence[LlmRequest]) -> None:
    usage = usage_of(rows)
    groups: list[dict[str, UsageCounts]] = [dict(usage.by_role), dict(usage.by_model), dict(usage.by_endpoint)]
    for name in ("calls", "attempts", "prompt_tokens", "requests_without_cost", "from_cache"):
        for group in groups:
            assert sum(getattr(counts, name) for counts in group.values()) == getattr(usage, name)
    assert usage.cost_known_usd == math.fsum(row.cost_usd for row in rows if row.cost_usd is not None)
    assert usage.attempts == sum(row.number > 0 for row in rows)


def test_cached_tokens_that_nobody_reported_are_unknown_and_not_none() -> None:
    assert usage_of([request()]).cached_prompt_tokens is None
    told = request("k2").model_copy(
        update={"tokens": TokenCounts(prompt_tokens=9, completion_tokens=1, cached_prompt_tokens=0)}
    )
    assert usage_of([request(), told]).cached_prompt_tokens == 0
