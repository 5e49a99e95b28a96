from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats import inter_rater  # type: ignore[import-untyped]

from hairpin.analysis.kappa import fleiss_kappa

FLEISS = [
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
]


@st.composite
def ratings(draw: st.DrawFn) -> list[tuple[int, int]]:
    n = draw(st.integers(2, 20))
    return [(yes, n - yes) for yes in draw(st.lists(st.integers(0, n), min_size=1, max_size=30))]


def test_the_example_of_the_literature_comes_out() -> None:
    """Fleiss' own example of 10 subjects and 14 raters."""
    assert fleiss_kappa(FLEISS).value == pytest.approx(0.210, abs=5e-4)


@given(ratings())
def test_it_is_the_figure_of_statsmodels(counts: list[tuple[int, int]]) -> None:
    assume(len({bool(yes) for yes, _ in counts} | {bool(no) for _, no in counts}) > 1 or counts[0][0] * counts[0][1])
    found = fleiss_kappa(counts)
    if found.value is None:
        assert sum(yes for yes, _ in counts) == 0 or sum(no for _, no in counts) == 0
    else:
        assert found.value == pytest.approx(inter_rater.fleiss_kappa(counts), abs=1e-12)
        assert -1 <= found.value <= 1


def test_whoever_always_agrees_with_himself_has_exactly_one() -> None:
    assert fleiss_kappa([(20, 0), (0, 20), (20, 0)]).value == 1


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ([], "no item"),
        ([(1, 0), (0, 1)], "fewer than two"),
        ([(3, 0), (3, 0)], "every rating is the same"),
        ([(0, 0)], "fewer than two"),
    ],
)
def test_where_it_is_undefined_it_says_why(counts: list[tuple[int, int]], reason: str) -> None:
    found = fleiss_kappa(counts)
    assert found.value is None
    assert reason in found.reason


def test_items_with_different_numbers_of_ratings_are_refused() -> None:
    with pytest.raises(ValueError, match=r"\[2, 3\] ratings"):
        fleiss_kappa([(1, 1), (2, 1)])
    with pytest.raises(ValueError, match=r"\[2, 3\] categories"):
        fleiss_kappa([(1, 1), (2, 0, 0)])
    with pytest.raises(ValueError, match="negative"):
        fleiss_kappa([(3, -1)])


def test_ratings_without_any_agreement_are_below_chance_and_finite() -> None:
    found = fleiss_kappa([(1, 1)] * 5)
    assert found.value == -1
    assert math.isfinite(found.value)
