from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.analysis.agreement.alpha_of_ratings import krippendorff_alpha
from hairpin.analysis.agreement.krippendorff import Metric, krippendorff_alphas
from hairpin.analysis.agreement.scale import ORDINAL_SCALE, Scale
from hairpin.analysis.agreement.tables import level_counts
from tests.analysis.agreement.published_ratings import KRIPPENDORFF_C
from tests.analysis.agreement.rating_strategies import Ratings, raters

ONE_TO_FIVE = Scale(levels=(1, 2, 3, 4, 5))
UNEVEN = Scale(levels=(0, 1, 5, 6))


@pytest.mark.parametrize(
    ("metric", "published"),
    [(Metric.NOMINAL, 0.743), (Metric.ORDINAL, 0.815), (Metric.INTERVAL, 0.849), (Metric.RATIO, 0.797)],
)
def test_it_is_the_published_one(metric: Metric, published: float) -> None:
    found = krippendorff_alpha(KRIPPENDORFF_C, ONE_TO_FIVE, metric)
    assert found.value is not None
    assert (round(found.value, 3), found.n) == (published, 11)


@given(raters(n_levels=4), st.sampled_from(Metric))
def test_it_is_that_of_the_library_of_its_name(several: list[Ratings], metric: Metric) -> None:
    given_levels = [[None if code is None else UNEVEN.levels[code] for code in one] for one in several]
    found = krippendorff_alpha(given_levels, UNEVEN, metric)
    data = np.array(given_levels, dtype=float)
    pairable = data[:, (~np.isnan(data)).sum(axis=0) > 1]
    if len(np.unique(pairable[~np.isnan(pairable)])) < 2:
        assert found.value is None
        assert found.reason
        return
    expected = krippendorff.alpha(data, value_domain=list(UNEVEN.levels), level_of_measurement=metric.value)
    assert found.value == pytest.approx(expected, abs=1e-9)


@given(raters(most=4), st.sampled_from(Metric))
def test_an_item_counted_twice_is_as_good_as_two_items(several: list[Ratings], metric: Metric) -> None:
    scale = Scale(levels=(0, 1, 2))
    codes = np.array([[-1 if code is None else code for code in one] for one in several])
    times = np.arange(codes.shape[1]) % 3
    weighted = krippendorff_alphas(level_counts(codes, 3), scale, metric, times[None, :].astype(float))
    repeated = level_counts(np.repeat(codes, times, axis=1), 3)
    assert weighted == pytest.approx(
        krippendorff_alphas(repeated, scale, metric, np.ones((1, len(repeated)))), nan_ok=True
    )


def test_without_an_item_that_two_rated_it_is_undefined() -> None:
    assert krippendorff_alpha([[1, None], [None, 1]], ORDINAL_SCALE, Metric.NOMINAL).reason == "no item has two ratings"
    assert krippendorff_alpha([], ORDINAL_SCALE, Metric.ORDINAL).value is None


def test_different_numbers_of_items_are_refused() -> None:
    with pytest.raises(ValueError, match="raters have \\[1, 2\\] items"):
        krippendorff_alpha([[1], [1, 2]], ORDINAL_SCALE, Metric.NOMINAL)


def test_ratios_of_negative_levels_are_refused_in_words() -> None:
    found = krippendorff_alpha([[-1, 1], [1, 1]], Scale(levels=(-1, 1)), Metric.RATIO)
    assert (found.value, found.reason) == (None, "a ratio scale has no levels below 0")
