"""One call as its HTTP requests: what is tried again, how long is waited in between, what is reported."""

from __future__ import annotations

import asyncio
import math
from itertools import pairwise

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.llm_calls import CallOutcome
from hairpin.domain.model_spec import ModelLimits
from hairpin.errors import ModelSetupError
from hairpin.llm.completion import CallError, Completion
from hairpin.llm.traffic.policy import RequestEnd, RequestTiming, TrafficPolicy
from hairpin.llm.traffic.waiting import Deadline
from tests.llm.traffic_driver import ANSWER, Endpoint, Seen, call_once, failed, rate_limited, scripted, traffic_to
from tests.virtual_time import in_virtual_time

TRANSIENT = [outcome for outcome in CallOutcome if outcome.is_transient]
FINAL = [outcome for outcome in CallOutcome if not outcome.is_transient and outcome is not CallOutcome.OK]
PATIENT = TrafficPolicy(breaker_calls=1000)


@pytest.mark.parametrize("outcome", TRANSIENT)
def test_a_failure_that_may_pass_is_tried_again_until_no_attempt_is_left(outcome: CallOutcome) -> None:
    @in_virtual_time
    async def fail() -> None:
        endpoint, seen = Endpoint(lambda _: failed(outcome)), Seen()
        await call_once(traffic_to(ModelLimits(attempts=3)), endpoint.send, seen)
        assert (seen.ends, seen.made, len(endpoint.started_at)) == ([outcome], [3], 3)
        assert seen.errors[0].detail == "no luck"

    fail()


@pytest.mark.parametrize("outcome", FINAL)
def test_a_failure_for_good_is_not_tried_again(outcome: CallOutcome) -> None:
    @in_virtual_time
    async def fail() -> None:
        endpoint, seen = Endpoint(lambda _: failed(outcome)), Seen()
        await call_once(traffic_to(), endpoint.send, seen)
        assert (seen.ends, len(endpoint.started_at)) == ([outcome], 1)

    fail()


@in_virtual_time
async def test_a_server_that_asks_to_wait_before_a_failure_for_good_delays_nobody() -> None:
    quota = CallError(CallOutcome.QUOTA_EXCEEDED, "pay first", retry_after_s=100.0)
    endpoint, seen, started_s = Endpoint(scripted(quota)), Seen(), anyio.current_time()
    traffic = traffic_to()
    await call_once(traffic, endpoint.send, seen)
    await call_once(traffic, endpoint.send, seen)
    assert seen.ends == [CallOutcome.QUOTA_EXCEEDED, CallOutcome.OK]
    assert anyio.current_time() - started_s == 2 * endpoint.latency_s


@in_virtual_time
async def test_all_requests_of_a_call_share_its_attempts() -> None:
    endpoint, seen = Endpoint(scripted(rate_limited(), ANSWER, rate_limited(), rate_limited(), ANSWER)), Seen()
    call = traffic_to(ModelLimits(attempts=4)).call()
    await call.request(endpoint.send, estimated_tokens=1, on_request=seen.hook)
    assert (call.requests_made, call.requests_left) == (2, 2)
    with pytest.raises(CallError) as caught:
        await call.request(endpoint.send, estimated_tokens=1, on_request=seen.hook)
    assert caught.value.outcome is CallOutcome.RATE_LIMITED
    with pytest.raises(CallError) as again:
        await call.request(endpoint.send, estimated_tokens=1, on_request=seen.hook)
    assert again.value is caught.value
    assert [number for number, _, _ in seen.requests] == [1, 2, 3, 4]
    assert len(endpoint.started_at) == 4


@in_virtual_time
async def test_a_call_whose_requests_were_all_answered_says_that_they_are_used_up() -> None:
    endpoint, seen = Endpoint(), Seen()
    call = traffic_to(ModelLimits(attempts=1)).call()
    await call.request(endpoint.send, estimated_tokens=1, on_request=seen.hook)
    with pytest.raises(CallError, match="all 1 requests that one call may make") as caught:
        await call.request(endpoint.send, estimated_tokens=1, on_request=seen.hook)
    assert caught.value.outcome is CallOutcome.NO_ANSWER


@in_virtual_time
async def test_back_off_doubles_up_to_its_limit_with_jitter() -> None:
    endpoint, seen = Endpoint(lambda _: rate_limited()), Seen()
    policy = TrafficPolicy(back_off_s=1.0, back_off_max_s=10.0)
    await call_once(traffic_to(ModelLimits(attempts=8), policy=policy), endpoint.send, seen)
    pauses = [b - a - endpoint.latency_s for a, b in pairwise(endpoint.started_at)]
    for pause_s, full_s in zip(pauses, [1, 2, 4, 8, 10, 10, 10], strict=True):
        assert full_s / 2 <= pause_s <= full_s
    assert len({round(pause_s / full_s, 6) for pause_s, full_s in zip(pauses[-3:], [10] * 3, strict=True)}) == 3


@in_virtual_time
async def test_back_off_is_never_longer_than_max_wait_s() -> None:
    endpoint, seen = Endpoint(lambda _: rate_limited()), Seen()
    policy = TrafficPolicy(back_off_s=100.0, back_off_max_s=1000.0)
    await call_once(traffic_to(ModelLimits(attempts=5, max_wait_s=20), policy=policy), endpoint.send, seen)
    assert all(b - a <= 20 + endpoint.latency_s + 1e-6 for a, b in pairwise(endpoint.started_at))
    assert len(endpoint.started_at) == 5


@pytest.mark.parametrize("retry_after_s", [0.0, -5.0, None])
def test_without_a_wait_worth_the_name_it_backs_off_as_usual(retry_after_s: float | None) -> None:
    @in_virtual_time
    async def back_off() -> None:
        endpoint, seen = Endpoint(scripted(rate_limited(retry_after_s))), Seen()
        await call_once(traffic_to(policy=TrafficPolicy(back_off_s=4.0)), endpoint.send, seen)
        first_s, second_s = endpoint.started_at
        assert 2.0 <= second_s - first_s - endpoint.latency_s <= 4.0

    back_off()


@in_virtual_time
async def test_the_wait_that_was_asked_for_wins_over_back_off() -> None:
    endpoint, seen = Endpoint(scripted(rate_limited(1.0))), Seen()
    await call_once(traffic_to(policy=TrafficPolicy(back_off_s=60.0)), endpoint.send, seen)
    first_s, second_s = endpoint.started_at
    assert 1.0 <= second_s - first_s - endpoint.latency_s <= 1.5


@pytest.mark.parametrize("error", [rate_limited(50.0), rate_limited()])
def test_it_never_sleeps_past_the_deadline_and_says_so_at_once(error: CallError) -> None:
    @in_virtual_time
    async def run_out() -> None:
        endpoint, seen, started_s = Endpoint(lambda _: error), Seen(), anyio.current_time()
        traffic = traffic_to(policy=TrafficPolicy(back_off_s=60.0, back_off_max_s=60.0))
        await call_once(traffic, endpoint.send, seen, deadline=Deadline(started_s + 20))
        assert seen.ends == [CallOutcome.OUT_OF_TIME]
        assert anyio.current_time() - started_s == endpoint.latency_s

    run_out()


@in_virtual_time
async def test_no_request_starts_once_the_deadline_has_passed() -> None:
    endpoint, seen = Endpoint(), Seen()
    await call_once(traffic_to(), endpoint.send, seen, deadline=Deadline(anyio.current_time()))
    assert (seen.ends, endpoint.started_at) == ([CallOutcome.OUT_OF_TIME], [])


@in_virtual_time
async def test_a_deadline_moved_during_back_off_is_heard() -> None:
    endpoint, seen, started_s = Endpoint(lambda _: rate_limited()), Seen(), anyio.current_time()
    traffic = traffic_to(policy=TrafficPolicy(back_off_s=60.0, back_off_max_s=60.0))
    deadline = Deadline()
    async with anyio.create_task_group() as group:
        group.start_soon(lambda: call_once(traffic, endpoint.send, seen, deadline=deadline))
        await anyio.sleep(5)
        deadline.move(started_s + 10)
    assert (seen.ends, anyio.current_time() - started_s) == ([CallOutcome.OUT_OF_TIME], 5)


@in_virtual_time
async def test_waits_and_latency_are_told_apart() -> None:
    ends: list[CallError | Completion] = [failed(CallOutcome.OVERLOADED), rate_limited(10.0), ANSWER]
    endpoint, seen = Endpoint(scripted(*ends), latency_s=3.0), Seen()
    traffic = traffic_to(ModelLimits(concurrency=1), policy=TrafficPolicy(back_off_s=2.0))
    blocker = Endpoint(latency_s=7.0)
    async with anyio.create_task_group() as group:
        group.start_soon(call_once, traffic, blocker.send, Seen())
        await anyio.sleep(1)
        group.start_soon(call_once, traffic, endpoint.send, seen)
    (_, first, _), (_, second, _), (_, third, _) = seen.requests
    assert first == RequestTiming(queue_wait_s=6.0, retry_wait_s=0.0, latency_s=3.0)
    assert second.queue_wait_s == 0.0
    assert 1.0 <= second.retry_wait_s <= 2.0
    assert third.retry_wait_s == pytest.approx(10.0)
    assert third.queue_wait_s < 0.5, "only the ramp after the wait"
    assert [end for _, _, end in seen.requests] == ends


@given(st.lists(st.sampled_from([rate_limited(), rate_limited(5.0), failed(CallOutcome.TIMED_OUT)]), max_size=5))
def test_no_second_is_lost_between_the_figures(script: list[CallError]) -> None:
    """What a call took is what its requests waited and took."""

    @in_virtual_time
    async def check() -> None:
        endpoint, seen, started_s = Endpoint(scripted(*script)), Seen(), anyio.current_time()
        await call_once(traffic_to(), endpoint.send, seen)
        total_s = sum(t.queue_wait_s + t.retry_wait_s + t.latency_s for _, t, _ in seen.requests)
        assert total_s == pytest.approx(anyio.current_time() - started_s)

    check()


@in_virtual_time
async def test_a_cancelled_request_is_reported_and_the_cancellation_passes() -> None:
    endpoint, seen = Endpoint(latency_s=math.inf), Seen()
    traffic = traffic_to()
    with anyio.move_on_after(5) as scope:
        await call_once(traffic, endpoint.send, seen)
    assert scope.cancelled_caught
    ((number, timing, end),) = seen.requests
    assert (number, timing.latency_s) == (1, 5.0)
    assert isinstance(end, asyncio.CancelledError)
    assert (traffic.n_in_flight, seen.ends) == (0, [])


@in_virtual_time
async def test_the_record_of_an_answer_is_finished_also_when_the_call_is_cancelled_meanwhile() -> None:
    stored: list[RequestEnd] = []

    async def slow_hook(number: int, timing: RequestTiming, end: RequestEnd) -> None:
        await anyio.sleep(10)
        stored.append(end)

    traffic = traffic_to()
    with anyio.move_on_after(5) as scope:
        await traffic.call().request(Endpoint().send, estimated_tokens=1, on_request=slow_hook)
        await anyio.sleep(1)
    assert scope.cancelled_caught
    assert stored == [ANSWER]


@in_virtual_time
async def test_a_call_holds_no_slot_while_it_is_recorded_or_backs_off() -> None:
    endpoint, seen = Endpoint(scripted(rate_limited())), Seen()
    traffic, held = traffic_to(), []

    async def hook(number: int, timing: RequestTiming, end: RequestEnd) -> None:
        held.append(traffic.n_in_flight)

    async with anyio.create_task_group() as group:
        group.start_soon(lambda: traffic.call().request(endpoint.send, estimated_tokens=1, on_request=hook))
        await anyio.sleep(1.1)
        assert traffic.n_in_flight == 0
    assert held == [0, 0]
    assert seen.requests == []


@pytest.mark.parametrize("error", [ModelSetupError("no such parameter"), ZeroDivisionError("a bug")])
def test_what_else_the_sender_raises_ends_the_call_and_is_reported(error: Exception) -> None:
    @in_virtual_time
    async def check() -> None:
        async def send() -> Completion:
            raise error

        traffic, seen = traffic_to(), Seen()
        with pytest.raises(type(error)) as caught:
            await call_once(traffic, send, seen)
        assert caught.value is error
        assert [(number, end) for number, _, end in seen.requests] == [(1, error)]
        assert traffic.n_in_flight == 0

    check()
