"""Limits per minute hold over every sliding window, not only over those that begin on the minute."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from hairpin.llm.traffic.windows import WINDOW_S, RequestWindow, TokenCharge, TokenWindow

gaps_s = st.integers(0, 40 * 64).map(lambda ticks: ticks / 64)
"""Multiples of a power of two: their sums are exact, so that a test may add what the window subtracts."""


@given(st.integers(1, 12), st.lists(gaps_s, max_size=80))
def test_no_window_holds_more_requests_than_the_limit(limit: int, gaps: list[float]) -> None:
    window = RequestWindow(limit)
    now_s, starts = 0.0, list[float]()
    for gap_s in gaps:
        now_s = max(now_s + gap_s, window.free_at_s())
        window.take(now_s)
        starts.append(now_s)
    for at_s in starts:
        assert sum(at_s <= other_s < at_s + WINDOW_S for other_s in starts) <= limit


@given(st.integers(1, 12), st.lists(gaps_s, max_size=80))
def test_nobody_waits_for_requests_while_there_is_room(limit: int, gaps: list[float]) -> None:
    window = RequestWindow(limit)
    now_s, starts = 0.0, list[float]()
    for gap_s in gaps:
        now_s += gap_s
        recent = sum(now_s - WINDOW_S < at_s <= now_s for at_s in starts)
        assert (window.free_at_s() <= now_s) == (recent < limit)
        now_s = max(now_s, window.free_at_s())
        window.take(now_s)
        starts.append(now_s)


@given(st.integers(10, 200), st.lists(st.tuples(gaps_s, st.integers(0, 120)), max_size=60))
def test_no_window_holds_more_tokens_than_the_limit(limit: int, requests: list[tuple[float, int]]) -> None:
    window = TokenWindow(limit)
    now_s, taken = 0.0, []
    for gap_s, tokens in requests:
        now_s = max(now_s + gap_s, window.free_at_s(tokens, now_s + gap_s))
        window.take(tokens, now_s)
        taken.append((now_s, tokens))
    for at_s, _ in taken:
        inside = [tokens for other_s, tokens in taken if at_s <= other_s < at_s + WINDOW_S]
        assert sum(inside) <= limit or sum(tokens > 0 for tokens in inside) == 1


@given(st.integers(100, 300), st.lists(st.tuples(gaps_s, st.integers(1, 90), st.integers(0, 200)), max_size=60))
def test_what_is_known_of_earlier_usage_counts_when_a_request_starts(
    limit: int, requests: list[tuple[float, int, int]]
) -> None:
    """The usage of a request is known when the next one is made; the estimate is what may be wrong."""
    window = TokenWindow(limit)
    now_s, charges = 0.0, list[TokenCharge]()
    for gap_s, estimate, usage in requests:
        now_s = max(now_s + gap_s, window.free_at_s(estimate, now_s + gap_s))
        known = sum(charge.tokens for charge in charges if charge.at_s + WINDOW_S > now_s)
        assert known + estimate <= limit
        charge = window.take(estimate, now_s)
        assert charge is not None
        charges.append(charge)
        window.correct(charge, usage, now_s)


def test_an_estimate_too_high_makes_room_once_the_usage_is_known() -> None:
    window = TokenWindow(100)
    charge = window.take(90, 0.0)
    assert charge is not None
    assert window.free_at_s(50, 1.0) == WINDOW_S
    window.correct(charge, 30, 1.0)
    assert window.free_at_s(50, 1.0) == -math.inf


def test_a_correction_after_the_window_has_passed_changes_nothing() -> None:
    window = TokenWindow(100)
    charge = window.take(90, 0.0)
    assert charge is not None
    window.correct(charge, 500, 61.0)
    assert window.free_at_s(100, 61.0) == -math.inf


def test_a_request_larger_than_the_limit_goes_alone() -> None:
    window = TokenWindow(100)
    assert window.free_at_s(1000, 0.0) == -math.inf
    window.take(1000, 0.0)
    assert window.free_at_s(1, 30.0) == WINDOW_S


def test_without_a_limit_there_is_always_room() -> None:
    requests, tokens = RequestWindow(None), TokenWindow(None)
    for _ in range(100):
        requests.take(0.0)
        assert tokens.take(10**9, 0.0) is None
    assert requests.free_at_s() == -math.inf
    assert tokens.free_at_s(10**9, 0.0) == -math.inf
