from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics.pairwise import cosine_distances  # type: ignore[import-untyped]

from hairpin.analysis.vectors import ROWS_AT_A_TIME, mean_unit_vector, stellar_distances, unique_rows


def unit_vectors(n: int, d: int, rng_seed: int) -> NDArray[np.float32]:
    rows = np.random.default_rng(rng_seed).normal(size=(n, d))
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def kept_one_by_one(vectors: NDArray[np.float32], threshold: float) -> list[bool]:
    kept: list[int] = []
    for row in range(len(vectors)):
        if not any(float(vectors[row] @ vectors[earlier]) > threshold for earlier in kept):
            kept.append(row)
    return [row in kept for row in range(len(vectors))]


def test_every_utterance_weighs_the_same_however_long_its_vector() -> None:
    mean = mean_unit_vector(np.array([[10, 0], [0, 0.1]], dtype=np.float32))
    assert mean is not None
    assert mean.dtype == np.float32
    assert mean.tolist() == pytest.approx([0.5**0.5, 0.5**0.5])


def test_a_row_of_zeros_is_left_out() -> None:
    mean = mean_unit_vector(np.array([[0, 3], [0, 0]], dtype=np.float32))
    assert mean is not None
    assert mean.tolist() == [0, 1]


@pytest.mark.parametrize(
    "rows",
    [np.empty((0, 4)), np.zeros((2, 4)), np.array([[1, 0], [-1, 0]])],
    ids=["nothing said", "blanks", "opposites"],
)
def test_a_conversation_without_direction_has_no_vector(rows: NDArray[np.float32]) -> None:
    assert mean_unit_vector(rows) is None


def test_refuses_what_is_no_matrix() -> None:
    with pytest.raises(ValueError, match="1 dimensions; wanted 2"):
        mean_unit_vector(np.ones(3, dtype=np.float32))


def test_refuses_numbers_that_are_not_finite_and_names_the_row() -> None:
    with pytest.raises(ValueError, match="row 1 holds"):
        mean_unit_vector(np.array([[1, 0], [np.nan, 0]], dtype=np.float32))


@given(st.integers(1, 6), st.integers(2, 5), st.integers(0, 2**32))
def test_a_mean_has_length_one(n: int, d: int, rng_seed: int) -> None:
    mean = mean_unit_vector(unit_vectors(n, d, rng_seed) * 7)
    assert mean is not None
    assert float(np.linalg.norm(mean)) == pytest.approx(1, abs=1e-6)


def test_distances_are_half_of_the_cosine_distances() -> None:
    vectors = unit_vectors(40, 16, 1)
    assert stellar_distances(vectors) == pytest.approx(cosine_distances(vectors.astype(np.float64)) / 2, abs=1e-6)


def test_the_same_direction_has_distance_zero_and_the_opposite_one() -> None:
    one = unit_vectors(1, 384, 2)
    assert stellar_distances(np.concatenate([one, one, -one])).tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 0]]


def test_no_vectors_have_no_distances() -> None:
    assert stellar_distances(np.empty((0, 8), dtype=np.float32)).shape == (0, 0)


def test_only_the_first_of_equal_conversations_is_kept() -> None:
    vectors = np.eye(3, dtype=np.float32)[[0, 1, 0, 2, 1]]
    assert unique_rows(vectors).tolist() == [True, True, False, True, False]


def test_a_duplicate_of_a_duplicate_is_compared_with_what_was_kept_only() -> None:
    """At 0°, 30° and 60° the second repeats the first, and the third repeats only the second, which is not kept."""
    angles = np.radians([0, 30, 60])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    assert unique_rows(vectors).tolist() == [True, False, True]


def test_a_cosine_of_exactly_the_threshold_is_no_duplicate() -> None:
    vectors = np.array([[1, 0], [0.5, 0.75**0.5]], dtype=np.float32)
    assert unique_rows(vectors, threshold=0.5).tolist() == [True, True]
    assert unique_rows(vectors, threshold=0.499).tolist() == [True, False]


def test_nothing_has_no_duplicates() -> None:
    assert unique_rows(np.empty((0, 0), dtype=np.float32)).tolist() == []


@given(st.integers(0, 30), st.integers(2, 4), st.integers(0, 2**32))
def test_keeps_what_a_comparison_one_by_one_keeps(n: int, d: int, rng_seed: int) -> None:
    vectors = unit_vectors(n, d, rng_seed)
    assert unique_rows(vectors).tolist() == kept_one_by_one(vectors, 0.8)


def test_duplicates_are_found_across_blocks() -> None:
    few = unit_vectors(60, 6, 3)
    vectors = few[np.random.default_rng(4).integers(0, 60, 2 * ROWS_AT_A_TIME + 17)]
    assert unique_rows(vectors).tolist() == kept_one_by_one(vectors, 0.8)


def test_ten_thousand_conversations_are_compared_in_less_than_100_megabytes() -> None:
    vectors = unit_vectors(10_000, 64, 5)
    tracemalloc.start()
    try:
        n_kept = int(unique_rows(vectors).sum())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert n_kept == 10_000
    assert peak < 100e6
