"""Conversations as unit vectors: their mean, their distance, and which of them say nothing new.

It embeds nothing: the vectors come from an encoder, outside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from hairpin.ports import FloatMatrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

FloatVector: TypeAlias = "NDArray[np.float32]"
"""One row of numbers."""

BoolVector: TypeAlias = "NDArray[np.bool_]"
"""One answer for each row."""

DUPLICATE_COSINE = 0.8
"""Two conversations with a greater cosine are one. Source: paper, section IV-B."""

ROWS_AT_A_TIME = 512
ZERO = 1e-6
"""Below this a distance or a length is rounding of float32."""


def mean_unit_vector(utterance_vectors: FloatMatrix) -> FloatVector | None:
    """Return what a conversation is about: the mean of the unit vectors of its user utterances, as a unit vector.

    Args:
        utterance_vectors: (n, d), one row for each utterance that is not blank, of any length; zero rows are left out.

    Returns:
        (d,) float32 of length 1; ``None`` where there is no direction: nothing but blanks, or rows that cancel out.

    Raises:
        ValueError: not a matrix, or a number that is not finite.

    Source: design, section 12.
    """
    rows = np.asarray(utterance_vectors, dtype=np.float64)
    _require_finite_matrix(rows)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    spoken = lengths[:, 0] > 0
    if not spoken.any():
        return None
    mean = (rows[spoken] / lengths[spoken]).mean(axis=0)
    length = float(np.linalg.norm(mean))
    return (mean / length).astype(np.float32) if length > ZERO else None


def stellar_distances(unit_vectors: FloatMatrix) -> FloatMatrix:
    """Return d = (1 − cos)/2 between all (n, d) unit vectors: (n, n), 0 for the same direction, 1 for the opposite.

    Source: STELLAR, as the paper's section IV-B cites it.
    """
    vectors = np.asarray(unit_vectors, dtype=np.float32)
    distances = vectors @ vectors.T
    np.subtract(np.float32(1), distances, out=distances)
    distances *= np.float32(0.5)
    distances[distances < ZERO] = 0
    np.fill_diagonal(distances, 0)
    return distances


def unique_rows(unit_vectors: FloatMatrix, *, threshold: float = DUPLICATE_COSINE) -> BoolVector:
    """Say of every row, in order, whether it is kept: none kept before it has a cosine above ``threshold`` with it.

    Args:
        unit_vectors: (n, d) unit vectors in plan order. Blockwise: the n × n cosines never exist at once.

    Source: paper, section IV-B.
    """
    vectors = np.asarray(unit_vectors, dtype=np.float32)
    kept = np.zeros(len(vectors), dtype=np.bool_)
    for start in range(0, len(vectors), ROWS_AT_A_TIME):
        block = vectors[start : start + ROWS_AT_A_TIME]
        earlier = vectors[:start][kept[:start]]
        repeats = np.any(block @ earlier.T > threshold, axis=1)
        kept[start : start + len(block)] = _unique_in_block(block @ block.T, threshold, repeats)
    return kept


def _unique_in_block(cosines: FloatMatrix, threshold: float, repeats: BoolVector) -> BoolVector:
    alike = cosines > threshold
    kept = np.zeros(len(cosines), dtype=np.bool_)
    for row in np.flatnonzero(~repeats):
        kept[row] = not (alike[row] & kept).any()
    return kept


def _require_finite_matrix(rows: NDArray[np.float64]) -> None:
    if rows.ndim != 2:
        raise ValueError(f"utterance_vectors: {rows.ndim} dimensions; wanted 2: one row for each utterance")
    if not np.isfinite(rows).all():
        bad = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
        raise ValueError(f"utterance_vectors: row {bad} holds a number that is not finite; the encoder is at fault")
