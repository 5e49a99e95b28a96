"""κ and ρ of two raters, as a study states them: published figures, and those of other libraries."""

from __future__ import annotations

import math
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]
from sklearn.metrics import cohen_kappa_score  # type: ignore[import-untyped]

from hairpin.analysis.agreement.scale import Levels, Scale, Weighting
from tests.analysis.agreement.published_ratings import ANXIETY_2, ANXIETY_3
from tests.analysis.agreement.rating_sheets import a_study_of
from tests.analysis.agreement.rating_strategies import Ratings, raters

ONE_TO_SIX = Scale(levels=(1, 2, 3, 4, 5, 6))


@pytest.mark.parametrize(
    ("weighting", "levels", "published", "digits"),
    [
        (Weighting.NONE, Levels.SEEN, -0.006289308, 9),
        (Weighting.LINEAR, Levels.SEEN, 0.1459075, 7),
        (Weighting.QUADRATIC, Levels.SEEN, 0.2520325, 7),
        (Weighting.LINEAR, Levels.DECLARED, 0.1262, 4),
        (Weighting.QUADRATIC, Levels.DECLARED, 0.2298, 4),
    ],
)
def test_cohens_kappa_is_the_published_one(weighting: Weighting, levels: Levels, published: float, digits: int) -> None:
    """R ranks the levels that occur; on the declared scale, on which nobody gave a 5 and a 6 to all, values differ."""
    [pair] = a_study_of(ANXIETY_2, ANXIETY_3, scale=ONE_TO_SIX, weighting=weighting, levels=levels).pairs
    assert pair.kappa.value is not None
    assert round(pair.kappa.value, digits) == published
    assert pair.kappa.n == 20


@given(raters(most=2), st.sampled_from(Weighting))
def test_cohens_kappa_is_that_of_scikit_learn(both: list[Ratings], weighting: Weighting) -> None:
    rated = [(one, other) for one, other in zip(*both, strict=True) if one is not None and other is not None]
    [pair] = a_study_of(*both, weighting=weighting).pairs
    assert pair.kappa.n == len(rated)
    if not rated or len({level for levels in rated for level in levels}) == 1:
        assert pair.kappa.value is None
        assert pair.kappa.reason
        return
    name = None if weighting is Weighting.NONE else weighting.value
    expected = cohen_kappa_score(*zip(*rated, strict=True), labels=[0, 1, 2], weights=name)
    assert pair.kappa.value == pytest.approx(expected, abs=1e-12)


@given(raters(most=2, n_levels=4))
def test_spearmans_rho_is_that_of_scipy(both: list[Ratings]) -> None:
    rated = [(one, other) for one, other in zip(*both, strict=True) if one is not None and other is not None]
    [pair] = a_study_of(*both, scale=Scale(levels=(0, 1, 2, 3))).pairs
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.ConstantInputWarning)
        expected = stats.spearmanr(*zip(*rated, strict=True)).statistic if len(rated) > 1 else math.nan
    if math.isnan(expected):
        assert pair.rho.value is None
        assert pair.rho.reason
    else:
        assert pair.rho.value == pytest.approx(expected, abs=1e-9)


@given(raters(most=2), st.sampled_from(Weighting), st.sampled_from(Levels))
def test_who_is_called_first_does_not_matter(both: list[Ratings], weighting: Weighting, levels: Levels) -> None:
    [forth], [back] = (a_study_of(*order, weighting=weighting, levels=levels).pairs for order in (both, both[::-1]))
    assert forth.kappa.value == pytest.approx(back.kappa.value, abs=1e-12)
    assert forth.kappa.reason == back.kappa.reason


def test_what_is_undefined_says_why() -> None:
    [apart] = a_study_of([1, None], [None, 2]).pairs
    assert (apart.kappa.reason, apart.kappa.n) == ("no item that both rated", 0)
    [alike] = a_study_of([1, 1], [1, 1]).pairs
    assert "chance agrees" in alike.kappa.reason
    [constant] = a_study_of([1, 1], [0, 2]).pairs
    assert "no order" in constant.rho.reason


def test_a_constant_rater_has_kappa_0() -> None:
    """Whoever always says the same agrees as far as chance does, whatever the share of agreement is."""
    [pair] = a_study_of([2, 2, 2, 2], [2, 2, 2, 0]).pairs
    assert pair.kappa.value == 0


def test_a_rating_beside_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="3 is not on the scale 0/1/2"):
        a_study_of([3], [1])
