from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]
from sklearn.metrics import cohen_kappa_score  # type: ignore[import-untyped]

from hairpin.analysis.agreement.krippendorff import Metric
from hairpin.analysis.agreement.pairs import cohen_kappa, fleiss_of, krippendorff_alpha, light_kappa, spearman
from hairpin.analysis.agreement.scale import ORDINAL_SCALE, Levels, Scale, Weighting
from tests.analysis.agreement.published_ratings import ANXIETY_2, ANXIETY_3, DIAGNOSES
from tests.analysis.agreement.rating_strategies import Ratings, raters

ONE_TO_SIX = Scale(levels=(1, 2, 3, 4, 5, 6))
ONE_TO_FIVE = Scale(levels=(1, 2, 3, 4, 5))


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
    found = cohen_kappa(ANXIETY_2, ANXIETY_3, ONE_TO_SIX, weighting=weighting, levels=levels)
    assert found.value is not None
    assert round(found.value, digits) == published
    assert found.n == 20


def test_lights_and_fleiss_kappa_are_the_published_ones() -> None:
    light, fleiss = light_kappa(DIAGNOSES, ONE_TO_FIVE), fleiss_of(DIAGNOSES, ONE_TO_FIVE)
    assert light.value is not None
    assert fleiss.value is not None
    assert (round(light.value, 3), light.n) == (0.459, 15)
    assert (round(fleiss.value, 7), fleiss.n) == (0.4302445, 30)


@given(raters(most=2), st.sampled_from(Weighting))
def test_cohens_kappa_is_that_of_scikit_learn(both: list[Ratings], weighting: Weighting) -> None:
    first, second = both
    pairs = [(one, other) for one, other in zip(first, second, strict=True) if one is not None and other is not None]
    found = cohen_kappa(first, second, ORDINAL_SCALE, weighting=weighting)
    assert found.n == len(pairs)
    if not pairs or len({level for pair in pairs for level in pair}) == 1:
        assert found.value is None
        assert found.reason
        return
    name = None if weighting is Weighting.NONE else weighting.value
    expected = cohen_kappa_score(*zip(*pairs, strict=True), labels=[0, 1, 2], weights=name)
    assert found.value == pytest.approx(expected, abs=1e-12)


@given(raters(most=2, n_levels=4))
def test_spearmans_rho_is_that_of_scipy(both: list[Ratings]) -> None:
    first, second = both
    pairs = [(one, other) for one, other in zip(first, second, strict=True) if one is not None and other is not None]
    found = spearman(first, second, Scale(levels=(0, 1, 2, 3)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.ConstantInputWarning)
        expected = stats.spearmanr(*zip(*pairs, strict=True)).statistic if len(pairs) > 1 else math.nan
    if math.isnan(expected):
        assert found.value is None
        assert found.reason
    else:
        assert found.value == pytest.approx(expected, abs=1e-9)


@given(raters(most=2), st.sampled_from(Weighting), st.sampled_from(Levels))
def test_who_is_called_first_does_not_matter(both: list[Ratings], weighting: Weighting, levels: Levels) -> None:
    one, other = both
    forth = cohen_kappa(one, other, ORDINAL_SCALE, weighting=weighting, levels=levels)
    back = cohen_kappa(other, one, ORDINAL_SCALE, weighting=weighting, levels=levels)
    assert forth.value == pytest.approx(back.value, abs=1e-12)
    assert forth.reason == back.reason


@given(raters())
def test_lights_kappa_is_the_mean_of_all_pairs_that_have_one(several: list[Ratings]) -> None:
    found = light_kappa(several, ORDINAL_SCALE, weighting=Weighting.QUADRATIC)
    own = [
        cohen_kappa(one, other, ORDINAL_SCALE, weighting=Weighting.QUADRATIC).value
        for number, one in enumerate(several)
        for other in several[number + 1 :]
    ]
    known = [value for value in own if value is not None]
    assert (found.n, found.n_undefined) == (len(known), len(own) - len(known))
    assert found.value == (pytest.approx(np.mean(known)) if known else None)


def test_what_is_undefined_says_why() -> None:
    assert cohen_kappa([1, None], [None, 2], ORDINAL_SCALE).reason == "no item that both rated"
    assert "chance agrees" in cohen_kappa([1, 1], [1, 1], ORDINAL_SCALE).reason
    assert "no order" in spearman([1, 1], [0, 2], ORDINAL_SCALE).reason
    assert light_kappa([[1, 2]], ORDINAL_SCALE).reason == "fewer than two raters"
    assert light_kappa([[1, None], [None, 1]], ORDINAL_SCALE).reason == "no item that both rated"
    assert "chance agrees" in light_kappa([[1], [1]], ORDINAL_SCALE).reason
    assert krippendorff_alpha([[1, None], [None, 1]], ORDINAL_SCALE, Metric.NOMINAL).reason == "no item has two ratings"
    assert fleiss_of([[1, None], [None, 1]], ORDINAL_SCALE).reason == "no item has two ratings"
    assert "chance agrees" in fleiss_of([[1, 1], [1, 1]], ORDINAL_SCALE).reason


def test_no_rater_and_no_item_are_no_crash() -> None:
    assert light_kappa([], ORDINAL_SCALE).value is None
    assert cohen_kappa([], [], ORDINAL_SCALE).n == 0
    assert krippendorff_alpha([], ORDINAL_SCALE, Metric.ORDINAL).value is None


def test_a_constant_rater_has_kappa_0() -> None:
    """Whoever always says the same agrees as far as chance does, whatever the share of agreement is."""
    assert cohen_kappa([2, 2, 2, 2], [2, 2, 2, 0], ORDINAL_SCALE).value == 0


def test_different_numbers_of_items_are_refused() -> None:
    with pytest.raises(ValueError, match="raters have \\[1, 2\\] items"):
        cohen_kappa([1], [1, 2], ORDINAL_SCALE)


def test_a_rating_beside_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="3 is not on the scale 0/1/2"):
        cohen_kappa([3], [1], ORDINAL_SCALE)
