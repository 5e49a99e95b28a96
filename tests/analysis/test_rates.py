"""Rates per 100 have Garwood's interval: exactly as much of the Poisson distribution lies beyond each bound."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from hairpin.analysis.rates import rate_per_100


@given(st.integers(0, 400), st.integers(1, 5000))
def test_the_bounds_leave_two_and_a_half_percent_beyond_each(events: int, n: int) -> None:
    rate = rate_per_100(events, n)
    assert rate.per_100 == pytest.approx(100 * events / n)
    assert rate.high is not None
    assert stats.poisson.cdf(events, rate.high * n / 100) == pytest.approx(0.025, abs=1e-6)
    if events:
        assert stats.poisson.sf(events - 1, rate.low * n / 100) == pytest.approx(0.025, abs=1e-6)
    else:
        assert rate.low == 0


def test_of_nothing_there_is_no_rate() -> None:
    rate = rate_per_100(0, 0)
    assert (rate.per_100, rate.low, rate.high) == (None, 0, None)


def test_less_than_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="-1 in 3"):
        rate_per_100(-1, 3)
