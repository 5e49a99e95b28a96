"""Shares come with the interval of ``domain.intervals``, and nothing out of nothing is stated."""

from __future__ import annotations

import pytest

from hairpin.analysis.proportions import proportion


def test_a_share_has_its_95_percent_wilson_interval() -> None:
    """z = 1.959964: (0.5 + z²/4 ∓ z √(0.125 + z²/16)) / (1 + z²/2)."""
    share = proportion(1, 2)
    assert (share.successes, share.n, share.rate, share.confidence, share.reason) == (1, 2, 0.5, 0.95, "")
    assert (share.low, share.high) == pytest.approx((0.0945312, 0.9054688), abs=1e-6)


def test_nothing_to_count_says_so_and_knows_nothing() -> None:
    share = proportion(0, 0, reason="no rated conversation")
    assert (share.rate, share.low, share.high, share.n) == (None, 0.0, 1.0, 0)
    assert share.reason == "no rated conversation"


@pytest.mark.parametrize(("successes", "n"), [(3, 2), (-1, 2), (1, 0)])
def test_a_share_of_less_than_itself_is_refused(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match=f"{successes} of {n} is no share"):
        proportion(successes, n)
