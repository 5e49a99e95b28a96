"""Texts with their vectors, and cosines of pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.metamorphic.text_vectors import TextVectors, numpy_pair_cosines
from hairpin.ports import FloatMatrix


def unit_rows(n: int, d: int, rng_seed: int) -> FloatMatrix:
    rows = np.random.default_rng(rng_seed).normal(size=(n, d))
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


@given(st.integers(1, 30), st.integers(1, 40), st.integers(0, 1000), st.sampled_from([0, 1, 7, 9000]))
def test_pair_cosines_are_those_of_the_matrix_product(n: int, d: int, rng_seed: int, n_pairs: int) -> None:
    rows, rng = unit_rows(n, d, rng_seed), np.random.default_rng(rng_seed)
    left, right = rng.integers(0, n, n_pairs), rng.integers(0, n, n_pairs)
    found = numpy_pair_cosines(rows, left, right)
    whole = rows.astype(np.float64) @ rows.astype(np.float64).T
    assert found.shape == (n_pairs,)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, np.clip(whole[left, right], -1, 1), atol=2e-6)
    assert np.all(found[left == right] == 1.0)
    assert np.all(np.abs(found) <= 1.0)


def test_a_text_is_found_in_any_white_space() -> None:
    vectors = TextVectors.of(["the mill", "Yes"], unit_rows(2, 3, 1))
    assert [vectors.row(text) for text in ("the mill", " the\n mill ", "Yes")] == [0, 0, 1]


def test_a_text_without_a_vector_is_named() -> None:
    with pytest.raises(ValueError, match="no vector for 'No'; encode what texts_needed returns"):
        TextVectors.of(["Yes"], unit_rows(1, 3, 1)).row("No")


@pytest.mark.parametrize("row", [[0.0, 0.0], [np.nan, 1.0], [2.0, 0.0], [np.inf, 0.0]])
def test_what_is_no_unit_vector_is_refused(row: list[float]) -> None:
    """A zero vector would be a low score that nobody gave."""
    with pytest.raises(ValueError, match="'b' is no unit vector"):
        TextVectors.of(["a", "b"], np.array([[1.0, 0.0], row], np.float32))


def test_each_text_has_one_vector() -> None:
    with pytest.raises(ValueError, match="2 texts have 1 vectors"):
        TextVectors.of(["a", "b"], unit_rows(1, 3, 1))
    assert TextVectors.of([], np.zeros((0, 0), np.float32)).rows == {}
