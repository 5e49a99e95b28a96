"""When requests may start: in order of arrival, within every limit, as many at a time as the endpoint takes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.llm_calls import CallOutcome
from hairpin.domain.model_spec import ModelLimits
from hairpin.llm.completion import CallError, Completion, EndpointClosedError
from hairpin.llm.traffic.breaker import BreakerState
from hairpin.llm.traffic.policy import TrafficPolicy
from hairpin.llm.traffic.waiting import Deadline
from tests.llm.traffic_driver import (
    ANSWER,
    Endpoint,
    Seen,
    call_often,
    call_once,
    failed,
    rate_limited,
    scripted,
    traffic_to,
)
from tests.virtual_time import in_virtual_time


@in_virtual_time
async def test_no_more_requests_at_a_time_than_the_limit_and_no_fewer() -> None:
    endpoint, seen = Endpoint(), Seen()
    traffic, started_s = traffic_to(ModelLimits(concurrency=4)), anyio.current_time()
    await call_often(traffic, endpoint.send, seen, workers=20)
    assert endpoint.peak == 4
    assert anyio.current_time() - started_s == 5.0
    assert (traffic.n_in_flight, traffic.n_waiting) == (0, 0)


@in_virtual_time
async def test_requests_start_in_the_order_in_which_they_came() -> None:
    """Whatever their size, and whether they found a queue or not."""
    started: list[int] = []
    traffic = traffic_to(ModelLimits(concurrency=3, requests_per_minute=7, tokens_per_minute=1000))
    rng = Random(3)

    async def caller(number: int) -> None:
        async def send() -> Completion:
            started.append(number)
            await anyio.sleep(rng.random() * 10)
            return ANSWER

        await call_once(traffic, send, Seen(), tokens=rng.randrange(1, 900))

    async with anyio.create_task_group() as group:
        for number in range(40):
            group.start_soon(caller, number)
            await anyio.sleep(rng.random())
    assert started == list(range(40))


@given(
    rpm=st.integers(1, 8),
    tpm=st.integers(100, 600),
    gaps=st.lists(st.floats(0, 20), min_size=1, max_size=25),
)
def test_limits_per_minute_hold_over_every_window_and_cost_no_time_beyond(
    rpm: int, tpm: int, gaps: list[float]
) -> None:
    @in_virtual_time
    async def check() -> None:
        endpoint, seen = Endpoint(latency_s=2.5), Seen()
        traffic = traffic_to(ModelLimits(requests_per_minute=rpm, tokens_per_minute=tpm))
        async with anyio.create_task_group() as group:
            for gap_s in gaps:
                group.start_soon(call_once, traffic, endpoint.send, seen)
                await anyio.sleep(gap_s)
        starts, per_window = endpoint.started_at, min(rpm, tpm // 100)
        assert len(starts) == len(gaps)
        for earlier_s, later_s in zip(starts, starts[per_window:], strict=False):
            assert later_s - earlier_s >= 60.0 - 1e-9
        waits = {round(timing.queue_wait_s, 6) for _, timing, _ in seen.requests}
        assert len(gaps) > per_window or waits == {0.0}

    check()


@in_virtual_time
async def test_the_usage_that_comes_back_decides_how_many_fit_into_a_minute() -> None:
    """Estimated at 100 tokens each, they take 20."""
    small = Completion(
        text="yes", tokens=ANSWER.tokens.model_copy(update={"prompt_tokens": 15, "completion_tokens": 5})
    )
    endpoint, seen = Endpoint(lambda _: small), Seen()
    traffic, started_s = traffic_to(ModelLimits(concurrency=1, tokens_per_minute=300)), anyio.current_time()
    await call_often(traffic, endpoint.send, seen, workers=1, calls_each=12)
    assert sum(at_s < started_s + 60 for at_s in endpoint.started_at) == 11


@pytest.mark.parametrize("k", [3, 12, 30])
def test_concurrency_settles_near_what_the_endpoint_takes(k: int) -> None:
    def busy_above_k(endpoint: Endpoint) -> CallError | Completion:
        return ANSWER if endpoint.in_flight <= k else failed(CallOutcome.OVERLOADED)

    @in_virtual_time
    async def settle() -> None:
        endpoint, seen = Endpoint(busy_above_k), Seen()
        policy = TrafficPolicy(breaker_calls=10_000)
        traffic = traffic_to(ModelLimits(concurrency=40, attempts=50), policy=policy)
        with anyio.move_on_after(40):
            await call_often(traffic, endpoint.send, seen, workers=40, calls_each=10_000)
        requests, answered = len(endpoint.started_at), endpoint.n_answered
        assert 0.8 * k - 1 <= traffic.concurrency <= 1.15 * k + 1
        with anyio.move_on_after(30):
            await call_often(traffic, endpoint.send, seen, workers=40, calls_each=10_000)
        answered, requests = endpoint.n_answered - answered, len(endpoint.started_at) - requests
        assert answered >= 0.85 * k * 30, "it does not use what the endpoint offers"
        assert answered >= (1 - 3.5 / (k + 2)) * requests, "it asks for much more than the endpoint offers"

    settle()


@in_virtual_time
async def test_concurrency_grows_back_to_the_limit_after_trouble() -> None:
    trouble = [failed(CallOutcome.TIMED_OUT)] * 60
    endpoint, seen = Endpoint(scripted(*trouble)), Seen()
    traffic = traffic_to(ModelLimits(concurrency=16, attempts=50), policy=TrafficPolicy(breaker_calls=10_000))
    lowest: list[int] = []

    async def watch() -> Completion:
        lowest.append(traffic.concurrency)
        return await endpoint.send()

    await call_often(traffic, watch, seen, workers=20, calls_each=30)
    assert min(lowest) <= 2
    assert traffic.concurrency == 16
    assert endpoint.peak == 16


@in_virtual_time
async def test_answers_that_cannot_be_used_leave_concurrency_and_breaker_alone() -> None:
    endpoint, seen = Endpoint(lambda _: failed(CallOutcome.INVALID_ANSWER)), Seen()
    traffic = traffic_to(ModelLimits(concurrency=8))
    await call_often(traffic, endpoint.send, seen, workers=8, calls_each=10)
    assert (traffic.concurrency, traffic.breaker) == (8, BreakerState.CLOSED)
    assert len(endpoint.started_at) == 80


@in_virtual_time
async def test_a_wait_the_server_asked_for_is_kept_by_every_call_and_ends_one_by_one() -> None:
    endpoint, seen = Endpoint(scripted(rate_limited(30.0)), latency_s=2.0), Seen()
    traffic = traffic_to(ModelLimits(concurrency=16))
    async with anyio.create_task_group() as group:
        group.start_soon(call_once, traffic, endpoint.send, seen)
        await anyio.sleep(5)  # it is being kept: those who come now have not been told themselves
        for _ in range(12):
            group.start_soon(call_once, traffic, endpoint.send, seen)
    first_s, *later = endpoint.started_at
    assert min(later) >= first_s + 2.0 + 30.0
    assert all(b - a > 0.05 for a, b in pairwise(later))
    assert seen.ends == [CallOutcome.OK] * 13
    assert all(
        timing.retry_wait_s == pytest.approx(27.0) for n, timing, _ in seen.requests if n == 1 and timing.retry_wait_s
    )
    assert sum(timing.retry_wait_s > 0 for _, timing, _ in seen.requests) == 13


@in_virtual_time
async def test_a_server_that_asks_for_too_long_refuses_every_call_at_once() -> None:
    endpoint, seen = Endpoint(scripted(rate_limited(86400.0))), Seen()
    traffic, started_s = traffic_to(ModelLimits(concurrency=1)), anyio.current_time()
    await call_often(traffic, endpoint.send, seen, workers=10)
    assert seen.ends == [CallOutcome.RATE_LIMITED] * 10
    assert len(endpoint.started_at) == 1
    assert anyio.current_time() - started_s == endpoint.latency_s
    assert all("asked to wait 86400 s, more than max_wait_s 300" in error.detail for error in seen.errors)
    assert all(isinstance(error, EndpointClosedError) for error in seen.errors)


@in_virtual_time
@pytest.mark.parametrize(("asked_s", "kind"), [(400.0, EndpointClosedError), (200.0, CallError), (50.0, CallError)])
async def test_an_endpoint_is_closed_that_asks_to_wait_until_after_the_deadline(
    asked_s: float, kind: type[CallError]
) -> None:
    """A wait within ``max_wait_s``, or the same lack of time, alone is not worth telling all other calls."""
    endpoint, seen, now_s = Endpoint(scripted(rate_limited(asked_s)), latency_s=1.0), Seen(), anyio.current_time()
    traffic = traffic_to(ModelLimits(concurrency=1, requests_per_minute=1))
    await call_once(traffic, endpoint.send, seen, deadline=Deadline(now_s + 55))
    assert seen.ends == [CallOutcome.OUT_OF_TIME]
    assert type(seen.errors[0]) is kind


@in_virtual_time
async def test_a_wait_of_exactly_max_wait_s_is_kept() -> None:
    endpoint, seen = Endpoint(scripted(rate_limited(300.0))), Seen()
    await call_once(traffic_to(ModelLimits(max_wait_s=300.0)), endpoint.send, seen)
    assert seen.ends == [CallOutcome.OK]


@in_virtual_time
async def test_a_queue_gives_up_at_the_deadline_and_not_before() -> None:
    endpoint, seen, now_s = Endpoint(latency_s=100.0), Seen(), anyio.current_time()
    traffic = traffic_to(ModelLimits(concurrency=1))
    await call_often(traffic, endpoint.send, seen, workers=4, deadline=Deadline(now_s + 150))
    assert sorted(seen.ends) == [CallOutcome.OK, CallOutcome.OK, CallOutcome.OUT_OF_TIME, CallOutcome.OUT_OF_TIME]
    assert anyio.current_time() - now_s == 200.0


@in_virtual_time
async def test_a_deadline_moved_forward_frees_those_who_wait() -> None:
    endpoint, seen, now_s = Endpoint(latency_s=100.0), Seen(), anyio.current_time()
    traffic, deadline = traffic_to(ModelLimits(concurrency=1)), Deadline()
    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(lambda: call_once(traffic, endpoint.send, seen, deadline=deadline))
        await anyio.sleep(10)
        deadline.move(now_s + 20)
        await anyio.sleep(11)
        assert seen.ends == [CallOutcome.OUT_OF_TIME] * 2
    assert seen.ends[-1] is CallOutcome.OK


@in_virtual_time
async def test_a_minute_that_is_full_until_after_the_deadline_is_not_waited_for() -> None:
    endpoint, seen, now_s = Endpoint(), Seen(), anyio.current_time()
    traffic, deadline = traffic_to(ModelLimits(requests_per_minute=1)), Deadline(anyio.current_time() + 30)
    await call_often(traffic, endpoint.send, seen, workers=1, calls_each=2, deadline=deadline)
    assert seen.ends == [CallOutcome.OK, CallOutcome.OUT_OF_TIME]
    assert anyio.current_time() - now_s == endpoint.latency_s


@in_virtual_time
async def test_an_endpoint_that_is_down_gets_few_requests_and_recovers() -> None:
    down_until_s = anyio.current_time() + 100

    def down(_: Endpoint) -> CallError | Completion:
        return ANSWER if anyio.current_time() >= down_until_s else failed(CallOutcome.CONNECTION_LOST)

    endpoint, seen = Endpoint(down, latency_s=0.1), Seen()
    traffic = traffic_to(ModelLimits(concurrency=8, attempts=12))
    await call_often(traffic, endpoint.send, seen, workers=16, calls_each=3)
    assert seen.ends == [CallOutcome.OK] * 48
    early = [at_s for at_s in endpoint.started_at if at_s < down_until_s]
    assert len(early) <= 8 + 5 + 6, "more than the first burst and a probe now and then"
    assert traffic.breaker is BreakerState.CLOSED
    back = [at_s for at_s in endpoint.started_at if at_s >= down_until_s][:8]
    assert all(b - a > 0.01 for a, b in pairwise(back)), "all come back at once"


@in_virtual_time
async def test_an_endpoint_that_stays_down_gives_every_call_up() -> None:
    endpoint, seen = Endpoint(lambda _: failed(CallOutcome.OVERLOADED), latency_s=0.1), Seen()
    traffic = traffic_to(ModelLimits(concurrency=8, attempts=20, max_wait_s=60))
    await call_often(traffic, endpoint.send, seen, workers=16)
    assert set(seen.ends) <= {CallOutcome.CIRCUIT_OPEN, CallOutcome.OVERLOADED}
    assert CallOutcome.CIRCUIT_OPEN in seen.ends
    assert "5 calls in a row failed, lastly with 'overloaded: no luck'" in seen.errors[0].detail
    assert traffic.n_waiting == traffic.n_in_flight == 0


@in_virtual_time
async def test_a_probe_that_is_cancelled_lets_another_call_probe() -> None:
    endpoint, seen = Endpoint(scripted(*[failed(CallOutcome.OVERLOADED)] * 5), latency_s=10.0), Seen()
    traffic = traffic_to(ModelLimits(attempts=1))
    await call_often(traffic, endpoint.send, seen, workers=5)
    assert traffic.breaker.value == "open"
    async with anyio.create_task_group() as group, anyio.create_task_group() as impatient:
        impatient.start_soon(call_once, traffic, endpoint.send, seen)
        group.start_soon(call_once, traffic, endpoint.send, seen)
        await anyio.sleep(6)
        assert traffic.breaker.value == "probing"
        impatient.cancel_scope.cancel()
    assert (seen.ends[-1], traffic.breaker) == (CallOutcome.OK, BreakerState.CLOSED)


TROUBLE: tuple[CallError | Completion, ...] = (
    ANSWER,
    ANSWER,
    rate_limited(),
    rate_limited(3.0),
    failed(CallOutcome.OVERLOADED),
    failed(CallOutcome.TIMED_OUT),
    failed(CallOutcome.CONNECTION_LOST),
    failed(CallOutcome.REFUSED),
)


@given(
    script=st.lists(st.sampled_from(TROUBLE), max_size=40),
    cancel_after=st.lists(st.none() | st.floats(0, 30), min_size=1, max_size=20),
    concurrency=st.integers(1, 4),
    rpm=st.none() | st.integers(3, 20),
)
def test_whenever_calls_are_cancelled_nothing_is_lost(
    script: list[CallError | Completion], cancel_after: list[float | None], concurrency: int, rpm: int | None
) -> None:
    """Every slot comes back, every request is reported once, every other call ends, and the next one is served."""

    @in_virtual_time
    async def check() -> None:
        endpoint, seen = Endpoint(scripted(*script), latency_s=0.7), Seen()
        traffic = traffic_to(ModelLimits(concurrency=concurrency, requests_per_minute=rpm))
        cut: list[bool] = []

        async def caller(after_s: float | None) -> None:
            with anyio.CancelScope(deadline=anyio.current_time() + (10**6 if after_s is None else after_s)) as scope:
                await call_once(traffic, endpoint.send, seen)
            cut.append(scope.cancelled_caught)

        async with anyio.create_task_group() as group:
            for after_s in cancel_after:
                group.start_soon(caller, after_s)
        assert len(cut) == len(cancel_after)
        assert len(seen.ends) == cut.count(False)
        assert (traffic.n_in_flight, traffic.n_waiting) == (0, 0)
        assert len(seen.requests) == len(endpoint.started_at) == sum(seen.made)
        assert sum(isinstance(end, Completion) for _, _, end in seen.requests) == endpoint.n_answered
        cancelled = anyio.get_cancelled_exc_class()
        assert sum(isinstance(end, cancelled) for _, _, end in seen.requests) == endpoint.n_cut
        await call_once(traffic, Endpoint().send, seen)
        assert seen.ends[-1] is CallOutcome.OK

    check()


def test_the_order_of_random_numbers_decides_nothing_but_jitter() -> None:
    """The same calls at the same times make the same requests at the same times."""

    def runs() -> Iterator[list[float]]:
        for _ in range(2):
            endpoint = Endpoint(scripted(*[rate_limited(2.0), failed(CallOutcome.OVERLOADED)] * 5))
            in_virtual_time(call_often)(traffic_to(), endpoint.send, Seen(), workers=12)
            yield endpoint.started_at

    first, second = runs()
    assert first == second
