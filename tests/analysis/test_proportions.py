"""Wilson intervals equal statsmodels', and nothing out of nothing is stated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from hairpin.analysis.proportions import proportion


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.9, 0.95]))
def test_the_interval_is_wilsons(counts: tuple[int, int], confidence: float) -> None:
    successes, n = counts
    share = proportion(successes, n, confidence)
    low, high = proportion_confint(successes, n, alpha=1 - confidence, method="wilson")
    assert (share.low, share.high) == pytest.approx((low, high), abs=1e-9)
    assert share.rate == successes / n
    assert 0 <= share.low <= share.rate <= share.high <= 1
    assert share.reason == ""


def test_one_of_two_by_hand() -> None:
    """z = 1.959964: (0.5 + z²/4 ∓ z √(0.125 + z²/16)) / (1 + z²/2)."""
    share = proportion(1, 2)
    assert (share.low, share.high) == pytest.approx((0.0945312, 0.9054688), abs=1e-6)


def test_nothing_to_count_says_so_and_knows_nothing() -> None:
    share = proportion(0, 0, reason="no rated conversation")
    assert (share.rate, share.low, share.high, share.n) == (None, 0.0, 1.0, 0)
    assert share.reason == "no rated conversation"


@pytest.mark.parametrize(("successes", "n"), [(0, 7), (7, 7)])
def test_none_and_all_leave_room_on_one_side_only(successes: int, n: int) -> None:
    share = proportion(successes, n)
    assert (share.low == 0.0, share.high == 1.0) == (successes == 0, successes == n)


@pytest.mark.parametrize(("successes", "n"), [(3, 2), (-1, 2), (1, 0)])
def test_a_share_of_less_than_itself_is_refused(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match=f"{successes} of {n} is no share"):
        proportion(successes, n)
