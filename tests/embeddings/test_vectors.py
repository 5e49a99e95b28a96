from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hairpin.embeddings.vectors import cosines, unit_rows

rows_of_numbers = arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(1, 40)),
    elements=st.floats(-1e15, 1e15),
).filter(lambda rows: bool((np.abs(rows).max(axis=1) > 1e-15).all()))


@given(rows_of_numbers)
def test_rows_have_length_one_and_cosines_stay_within_one(rows: np.ndarray) -> None:
    unit = unit_rows(rows)
    assert unit.dtype == np.float32
    assert np.abs(np.linalg.norm(unit.astype(np.float64), axis=1) - 1).max() <= 1e-6
    cos = cosines(unit, unit)
    assert np.abs(cos).max() <= 1.0
    assert cos.diagonal() == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("bad", [[0.0, 0.0], [np.nan, 1.0], [np.inf, 1.0]])
def test_a_row_without_direction_is_refused_and_named(bad: list[float]) -> None:
    with pytest.raises(ValueError, match="row 1 of 2"):
        unit_rows(np.array([[1.0, 0.0], bad]))


def test_cosines_are_those_of_the_angles() -> None:
    left = unit_rows(np.array([[1.0, 0.0], [1.0, 1.0]]))
    right = unit_rows(np.array([[0.0, 2.0], [-3.0, 0.0], [1.0, 0.0]]))
    expected = np.array([[0, -1, 1], [np.sqrt(0.5), -np.sqrt(0.5), np.sqrt(0.5)]])
    assert cosines(left, right) == pytest.approx(expected, abs=1e-7)
