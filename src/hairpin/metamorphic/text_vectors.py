"""Texts with their vectors, and the cosines of many pairs of them.

It makes no vectors; an encoder does, outside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from hairpin.domain.texts import normalised
from hairpin.ports import FloatArray, FloatMatrix, IndexArray

_PAIRS_AT_A_TIME: Final = 4096
_UNIT: Final = 1e-3
"""A row whose length is further from 1 than this is no unit vector."""


@dataclass(frozen=True, slots=True)
class TextVectors:
    """The unit vectors of some texts.

    Attributes:
        rows: which row of ``vectors`` a text has, by its form for encoders (``domain.texts.normalised``).
        vectors: (n, d), float32, unit rows.
    """

    rows: Mapping[str, int]
    vectors: FloatMatrix

    @classmethod
    def of(cls, texts: Sequence[str], vectors: FloatMatrix) -> Self:
        """Join ``texts`` with their ``vectors``, one row each, in order.

        Raises:
            ValueError: another number of rows than of texts, or a row that is no unit vector (zero, or not finite).
        """
        if len(texts) != len(vectors):
            raise ValueError(f"{len(texts)} texts have {len(vectors)} vectors; the encoder must return one for each")
        if texts:
            off = np.abs(np.linalg.norm(vectors.astype(np.float64), axis=1) - 1)
            bad = np.flatnonzero(~(off <= _UNIT))
            if bad.size:
                raise ValueError(f"the vector of {texts[bad[0]][:40]!r} is no unit vector; the encoder is at fault")
        return cls({normalised(text): row for row, text in enumerate(texts)}, vectors)

    def row(self, text: str) -> int:
        """Return the row of ``text``.

        Raises:
            ValueError: it has none.
        """
        row = self.rows.get(normalised(text))
        if row is None:
            raise ValueError(f"no vector for {text[:40]!r}; encode what texts_needed returns for the same families")
        return row


def numpy_pair_cosines(vectors: FloatMatrix, left: IndexArray, right: IndexArray) -> FloatArray:
    """Return the (n,) cosines of the unit rows ``left[k]`` and ``right[k]`` of ``vectors`` (n', d), within [-1, 1].

    Sums are in float64, some rows at a time. Equal indexes give exactly 1. Implements ``ports.PairCosines``.
    """
    cosines = np.empty(len(left), np.float32)
    for start in range(0, len(left), _PAIRS_AT_A_TIME):
        part = slice(start, start + _PAIRS_AT_A_TIME)
        cosines[part] = np.einsum("ij,ij->i", vectors[left[part]], vectors[right[part]], dtype=np.float64)
    np.clip(cosines, -1, 1, out=cosines)
    cosines[np.asarray(left) == np.asarray(right)] = 1
    return cosines
