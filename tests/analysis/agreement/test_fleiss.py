from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from statsmodels.stats import inter_rater  # type: ignore[import-untyped]

from hairpin.analysis.agreement.fleiss import fleiss_kappas, usable_items
from hairpin.analysis.agreement.tables import level_counts
from hairpin.analysis.kappa import fleiss_kappa
from tests.analysis.agreement.rating_strategies import Ratings, raters


@given(raters(complete=True))
def test_it_is_that_of_statsmodels_and_the_one_in_whole_numbers(several: list[Ratings]) -> None:
    counts = level_counts(np.array(several), 3)
    assume((counts.sum(axis=0) > 0).sum() > 1)
    found = fleiss_kappas(counts, np.ones((1, len(counts))))[0]
    assert found == pytest.approx(inter_rater.fleiss_kappa(counts), abs=1e-12)
    assert found == pytest.approx(fleiss_kappa(counts.astype(int).tolist()).value, abs=1e-12)


@given(raters(complete=True))
def test_an_item_counted_twice_is_as_good_as_two_items(several: list[Ratings]) -> None:
    counts = level_counts(np.array(several), 3)
    times = np.arange(len(counts)) % 3
    weighted = fleiss_kappas(counts, times[None, :].astype(float))
    repeated = np.repeat(counts, times, axis=0)
    assert weighted == pytest.approx(fleiss_kappas(repeated, np.ones((1, len(repeated)))), nan_ok=True)


def test_items_with_the_most_usual_number_of_ratings_are_taken() -> None:
    counts = np.array([[1.0, 1, 0], [2, 0, 0], [3, 0, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0]])
    assert usable_items(counts).tolist() == [True, True, False, False, False, False]


def test_of_equally_usual_numbers_the_largest_is_taken() -> None:
    assert usable_items(np.array([[1.0, 1, 0], [2, 1, 0]])).tolist() == [False, True]
