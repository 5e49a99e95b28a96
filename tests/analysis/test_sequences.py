from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import betaln  # type: ignore[import-untyped]

from hairpin.analysis.sequences import confidence_sequence, failure_interval


def log_martingale(p: NDArray[np.float64], n: int, n_failed: int) -> NDArray[np.float64]:
    passed = n - n_failed
    mixture = betaln(0.5 + n_failed, 0.5 + passed) - betaln(0.5, 0.5)
    values: NDArray[np.float64] = mixture - n_failed * np.log(p) - passed * np.log1p(-p)
    return values


def is_in_fixed_interval(p: float, n: int, n_failed: int) -> bool:
    """Wilson's: |rate − p| ≤ 1.96 √(p(1 − p)/n)."""
    return abs(n_failed / n - p) <= 1.96 * math.sqrt(p * (1 - p) / n)


@pytest.mark.parametrize(
    ("n", "n_failed"), [(1, 0), (1, 1), (5, 2), (40, 0), (40, 40), (200, 3), (3000, 1400), (3000, 2999)]
)
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.4])
def test_holds_exactly_the_rates_of_a_grid_that_the_martingale_does_not_refute(
    n: int, n_failed: int, alpha: float
) -> None:
    grid = np.linspace(0, 1, 20_001)[1:-1]
    allowed = log_martingale(grid, n, n_failed) < math.log(1 / alpha)
    interval = failure_interval(n, n_failed, alpha=alpha)
    assert allowed.tolist() == ((grid > interval.low) & (grid < interval.high)).tolist()


@given(st.integers(1, 10**6), st.floats(0, 1), st.floats(1e-4, 0.9))
def test_its_ends_are_where_the_martingale_reaches_one_over_alpha(n: int, share: float, alpha: float) -> None:
    n_failed = round(n * share)
    interval = failure_interval(n, n_failed, alpha=alpha)
    assert 0 <= interval.low <= n_failed / n <= interval.high <= 1
    ends = [end for end, inner in ((interval.low, n_failed > 0), (interval.high, n_failed < n)) if inner and end < 1]
    reached = log_martingale(np.array(ends), n, n_failed) if ends else np.array([])
    assert reached == pytest.approx([math.log(1 / alpha)] * len(reached), abs=1e-4)


@given(st.integers(0, 500), st.integers(0, 500))
def test_failing_and_passing_mirror_each_other(failed: int, passed: int) -> None:
    one, other = failure_interval(failed + passed, failed), failure_interval(failed + passed, passed)
    assert (one.low, one.high) == pytest.approx((1 - other.high, 1 - other.low), abs=1e-9)


def test_nothing_seen_is_nothing_known() -> None:
    interval = failure_interval(0, 0)
    assert (interval.low, interval.high) == (0, 1)
    assert confidence_sequence([]).looks == (interval,)


def test_the_true_rate_is_ever_outside_in_few_streams_only() -> None:
    """400 streams, each looked at 300 times. The fixed 95 % interval of statistics books misses in more than 30 %."""
    rng = np.random.default_rng(20_26)
    interval = cache(failure_interval)
    n_outside = n_outside_fixed = 0
    for _ in range(400):
        p = float(rng.choice([0.02, 0.1, 0.35, 0.5]))
        counts = list(enumerate(np.cumsum(rng.random(300) < p).tolist(), start=1))
        looks = [interval(n, n_failed) for n, n_failed in counts]
        n_outside += any(not look.low < p < look.high for look in looks)
        n_outside_fixed += any(not is_in_fixed_interval(p, n, n_failed) for n, n_failed in counts)
    assert n_outside <= 0.05 * 400 + 2 * math.sqrt(400 * 0.05 * 0.95)
    assert n_outside_fixed > 0.3 * 400


def test_a_long_path_is_thinned_to_200_looks_that_end_with_all() -> None:
    path = confidence_sequence([True, False, False] * 1000)
    assert len(path.looks) == 200
    assert [look.n for look in path.looks] == [15 * (i + 1) for i in range(200)]
    assert path.last == failure_interval(3000, 1000)


@given(st.lists(st.booleans(), max_size=60), st.integers(1, 50))
def test_every_look_is_the_interval_of_what_was_seen_by_then(failed: list[bool], max_looks: int) -> None:
    path = confidence_sequence(failed, max_looks=max_looks)
    assert len(path.looks) <= max_looks
    assert path.last.n == len(failed)
    assert [look.n for look in path.looks] == sorted({look.n for look in path.looks})
    assert path.looks == tuple(failure_interval(look.n, sum(failed[: look.n])) for look in path.looks)


def test_the_running_intersection_never_widens_and_stays_inside() -> None:
    failed = [True] * 3 + [False] * 20 + [True] * 5
    plain, narrowed = confidence_sequence(failed), confidence_sequence(failed, running_intersection=True)
    assert narrowed.contradicted_at is None
    for (before, after), look in zip(
        zip(narrowed.looks, narrowed.looks[1:], strict=False), plain.looks[1:], strict=True
    ):
        assert (after.low, after.high) == (max(before.low, look.low), min(before.high, look.high))
    assert narrowed.last.high < plain.last.high


def test_a_rate_that_changes_contradicts_the_running_intersection_and_only_that() -> None:
    failed = [False] * 100 + [True] * 300
    path = confidence_sequence(failed, running_intersection=True, max_looks=400)
    assert path.contradicted_at is not None
    assert path.last.n == path.contradicted_at - 1
    assert confidence_sequence(failed).contradicted_at is None


@pytest.mark.parametrize(("n", "n_failed"), [(3, 4), (3, -1), (-1, 0)])
def test_refuses_counts_that_cannot_be(n: int, n_failed: int) -> None:
    with pytest.raises(ValueError, match=f"n_failed = {n_failed} of n = {n}"):
        failure_interval(n, n_failed)


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, math.nan])
def test_refuses_an_alpha_that_is_no_probability(alpha: float) -> None:
    with pytest.raises(ValueError, match="alpha = "):
        confidence_sequence([True], alpha=alpha)


def test_refuses_a_path_without_looks() -> None:
    with pytest.raises(ValueError, match="max_looks = 0"):
        confidence_sequence([True], max_looks=0)
