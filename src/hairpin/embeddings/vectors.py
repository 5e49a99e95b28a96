"""Arithmetic of unit vectors.

Must not know where the vectors come from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hairpin.ports import FloatMatrix

if TYPE_CHECKING:
    from numpy.typing import NDArray


def unit_rows(rows: NDArray[Any]) -> FloatMatrix:
    """Return ``rows``, (n, d), at length 1 within 1e-6, as float32.

    Raises:
        ValueError: a row is not finite, or zero and so without direction; names it.
    """
    wide = np.asarray(rows, dtype=np.float64)
    norms = np.linalg.norm(wide, axis=1, keepdims=True)
    bad = np.flatnonzero(~np.isfinite(norms[:, 0]) | (norms[:, 0] == 0))
    if bad.size:
        raise ValueError(f"row {bad[0]} of {len(wide)} has length {norms[bad[0], 0]}, so it has no direction")
    unit: FloatMatrix = (wide / norms).astype(np.float32)
    return unit


def cosines(left: FloatMatrix, right: FloatMatrix) -> NDArray[np.float64]:
    """Return the (n, m) cosines of the unit rows of ``left`` (n, d) and ``right`` (m, d), within [-1, 1]."""
    products: NDArray[np.float64] = left.astype(np.float64) @ right.astype(np.float64).T
    clipped: NDArray[np.float64] = np.clip(products, -1.0, 1.0)
    return clipped
