"""Wilson's interval is scipy's and statsmodels', and at its ends exact."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from hairpin.domain.intervals import Z_95, wilson

counts = st.integers(1, 100_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts)
def test_the_interval_is_that_of_scipy_and_statsmodels(hits_of_n: tuple[int, int]) -> None:
    hits, n = hits_of_n
    low, high = wilson(hits, n)
    known = stats.binomtest(hits, n).proportion_ci(confidence_level=0.95, method="wilson")
    assert (low, high) == pytest.approx((known.low, known.high), rel=0, abs=1e-12)
    assert (low, high) == pytest.approx(proportion_confint(hits, n, method="wilson"), rel=0, abs=1e-12)
    assert 0 <= low <= hits / n <= high <= 1


@given(st.integers(1, 1000).flatmap(lambda n: st.tuples(st.floats(0, n), st.just(n))))
def test_hits_that_are_not_whole_lie_within_their_interval_too(hits_of_n: tuple[float, int]) -> None:
    """The bounds are the roots p of (p̂ − p)² = z² p (1 − p) / n."""
    hits, n = hits_of_n
    for bound in wilson(hits, n):
        assert (hits / n - bound) ** 2 == pytest.approx(Z_95**2 * bound * (1 - bound) / n, abs=1e-9)


@given(st.integers(1, 100_000))
def test_the_bounds_of_none_and_of_all_are_exact(n: int) -> None:
    low, high = wilson(0, n)
    assert low == 0
    assert 0 < high < 1
    assert wilson(n, n) == pytest.approx((1 - high, 1), rel=0, abs=1e-12)
    assert wilson(n, n)[1] == 1
    assert wilson(float(n), n)[1] == 1


def test_of_nothing_nothing_is_known() -> None:
    assert wilson(0, 0) == (0, 1)


def test_the_quantile_is_the_normal_distributions() -> None:
    assert math.isclose(Z_95, NormalDist().inv_cdf(0.975), rel_tol=1e-15)


@pytest.mark.parametrize(("hits", "n"), [(3, 2), (-1, 2), (1, 0), (math.nan, 2)])
def test_a_share_of_less_than_itself_is_refused(hits: float, n: int) -> None:
    with pytest.raises(ValueError, match=f"{hits} of {n} is no share"):
        wilson(hits, n)
