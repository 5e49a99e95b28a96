from __future__ import annotations

import numpy as np
from hypothesis import given

from hairpin.analysis.agreement.tables import level_counts, pair_tables
from tests.analysis.agreement.rating_strategies import Ratings, raters


@given(raters(least=3))
def test_every_item_that_both_rated_is_in_one_cell_as_often_as_it_is_counted(several: list[Ratings]) -> None:
    codes = np.array([[-1 if code is None else code for code in one] for one in several])
    times = np.arange(codes.shape[1])[None, :] % 4
    tables = pair_tables(codes, [(0, 1), (2, 0)], 3, times.astype(float))
    for (one, other), table in zip([(0, 1), (2, 0)], tables[0], strict=True):
        expected = np.zeros((3, 3))
        for first, second, n in zip(codes[one], codes[other], times[0], strict=True):
            if first >= 0 and second >= 0:
                expected[first, second] += n
        assert table.tolist() == expected.tolist()


def test_levels_are_counted_item_by_item() -> None:
    assert level_counts(np.array([[0, -1], [0, 2], [1, -1]]), 3).tolist() == [[2, 1, 0], [0, 0, 1]]
