"""The circuit breaker: leaves an endpoint alone that fails call after call, and finds out with one request."""

from __future__ import annotations

import math

import pytest

from hairpin.llm.traffic.breaker import BreakerState, CircuitBreaker
from hairpin.llm.traffic.policy import TrafficPolicy

POLICY = TrafficPolicy(breaker_calls=3, breaker_open_s=5, breaker_open_max_s=12)


def opened(at_s: float = 0.0) -> CircuitBreaker:
    breaker = CircuitBreaker(POLICY)
    for call in (1, 2, 3):
        breaker.failed("503", at_s, call=call, probe=False)
    return breaker


def test_opens_when_so_many_different_calls_failed_in_a_row() -> None:
    breaker = CircuitBreaker(POLICY)
    assert [breaker.failed("503", 10.0, call=call, probe=False) for call in (1, 2, 3)] == [False, False, True]
    assert (breaker.state, breaker.free_at_s()) == (BreakerState.OPEN, 15.0)


def test_one_call_alone_never_opens_it() -> None:
    breaker = CircuitBreaker(POLICY)
    assert not any(breaker.failed("503", 0.0, call=1, probe=False) for _ in range(20))


def test_a_success_in_between_starts_the_count_anew() -> None:
    breaker = CircuitBreaker(POLICY)
    for call in range(20):
        breaker.failed("503", 0.0, call=call, probe=False)
        breaker.failed("503", 0.0, call=call + 100, probe=False)
        assert not breaker.succeeded()
    assert breaker.state is BreakerState.CLOSED


def test_one_request_probes_and_the_others_wait_for_it() -> None:
    breaker = opened()
    assert breaker.take()
    assert (breaker.state, breaker.free_at_s()) == (BreakerState.PROBING, math.inf)
    assert breaker.succeeded()
    assert (breaker.state, breaker.free_at_s()) == (BreakerState.CLOSED, -math.inf)
    assert not breaker.take()


def test_stays_open_longer_after_each_probe_that_fails_and_starts_small_again_after_a_success() -> None:
    breaker = opened()
    waits = []
    for _ in range(3):
        assert breaker.take()
        assert breaker.failed("503", 100.0, call=9, probe=True)
        waits.append(breaker.free_at_s() - 100.0)
    assert waits == [10.0, 12.0, 12.0]
    breaker.succeeded()
    for call in (1, 2, 3):
        breaker.failed("503", 200.0, call=call, probe=False)
    assert breaker.free_at_s() == 205.0


def test_requests_from_before_it_opened_say_nothing_about_the_probe() -> None:
    breaker = opened()
    breaker.take()
    assert not breaker.failed("503", 50.0, call=8, probe=False)
    assert breaker.state is BreakerState.PROBING


@pytest.mark.parametrize("probe", [True, False])
def test_another_request_probes_at_once_when_the_probe_told_nothing(probe: bool) -> None:
    breaker = opened()
    breaker.take()
    breaker.abandoned(probe=probe)
    assert breaker.free_at_s() == (5.0 if probe else math.inf)


def test_says_what_it_saw() -> None:
    assert opened().describe() == "3 calls in a row failed, lastly with '503'"
