"""An encoder that computes each text once and keeps its vector in a file.

Must not load a model for texts whose vectors are there.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from hairpin.embeddings.texts import distinct
from hairpin.embeddings.vector_file import BUSY_TIMEOUT_S, VectorFile
from hairpin.ports import Encoder, EncoderIdentity, FloatMatrix

if TYPE_CHECKING:
    from numpy.typing import NDArray


_STORED_AT_ONCE: Final = 1024
"""Texts computed before their vectors are stored: what an interruption costs."""

_KEY_BYTES: Final = 20


class CachedEncoder:
    """Implements ``ports.Encoder`` over another one. Equal texts get equal vectors, also in later processes."""

    def __init__(
        self,
        inner: Encoder,
        path: Path,
        *,
        warn: Callable[[str], None] | None = None,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
    ) -> None:
        """Keep the vectors of ``inner`` in the file ``path``; ``warn`` (default: logging) hears once of its trouble."""
        self._inner = inner
        self._file = VectorFile(
            path, warn=warn or logging.getLogger("hairpin.embeddings").warning, busy_timeout_s=busy_timeout_s
        )

    @property
    def identity(self) -> EncoderIdentity:
        """Which vectors it makes."""
        return self._inner.identity

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """Return (n, d) unit vectors, float32, one per text, in order; (0, 0) for no texts.

        Raises:
            ValueError: a text is blank.
            EncoderError: the model is needed and cannot be loaded or run.
        """
        unique, where = distinct(texts)
        if not unique:
            return np.zeros((0, 0), np.float32)
        keys = [vector_key(self.identity, text) for text in unique]
        found = self._file.lookup(keys)
        if len({len(vector) for vector in found.values()}) > 1:
            found = {}  # of one model they cannot differ in length, and nobody knows which are right
        missing = [place for place, key in enumerate(keys) if key not in found]
        fresh = self._compute(unique, keys, missing)
        if fresh and found and len(next(iter(fresh.values()))) != len(next(iter(found.values()))):
            fresh = self._compute(unique, keys, range(len(keys)))
        vectors = found | fresh
        rows: FloatMatrix = np.stack([vectors[key] for key in keys])[where]
        return rows

    def close(self) -> None:
        """Close the file; later calls compute every vector."""
        self._file.close()

    def _compute(
        self, texts: Sequence[str], keys: Sequence[bytes], places: Sequence[int]
    ) -> dict[bytes, NDArray[np.float32]]:
        """Compute and store the vectors of the texts at ``places``, those of like length together."""
        by_length = sorted(places, key=lambda place: len(texts[place]))
        fresh: dict[bytes, NDArray[np.float32]] = {}
        for start in range(0, len(by_length), _STORED_AT_ONCE):
            some = by_length[start : start + _STORED_AT_ONCE]
            rows = self._inner.encode([texts[place] for place in some])
            made = {keys[place]: row for place, row in zip(some, rows, strict=True)}
            self._file.store(made.items())
            fresh |= made
        return fresh


def vector_key(identity: EncoderIdentity, text: str) -> bytes:
    """Return the digest of everything that the vector of a normalised text depends on, 20 bytes."""
    parts = (identity.model, identity.revision, identity.dtype, text)
    key = "\0".join(f"{len(part)}:{part}" for part in parts)  # the length keeps apart what would else run together
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest()
