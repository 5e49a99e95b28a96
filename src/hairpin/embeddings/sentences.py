"""The encoder proper: each distinct text once, by length, back in order, at length 1.

Must not know where vectors are kept. The model is loaded when the first text comes.
"""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from hairpin.embeddings.loading import RawEncode
from hairpin.embeddings.texts import alike_in_length, distinct
from hairpin.embeddings.vectors import unit_rows
from hairpin.errors import EncoderError, RefusedTextsError
from hairpin.ports import EncoderIdentity, FloatMatrix

_AT_ONCE: Final = 128
"""Texts per call of the model: what an ending process may have to wait for."""

CHARACTERS_PER_CALL: Final = 200
"""What another call of a small model costs on a CPU, in characters that it could have read meanwhile."""

_PATIENCE_S: Final = 10.0
"""How long an ending process waits for calls of models in other threads."""


class SentenceEncoder:
    """Implements ``ports.Encoder``. May be used from several threads; they take turns."""

    def __init__(
        self, identity: EncoderIdentity, load: Callable[[], RawEncode], *, call_cost: float = CHARACTERS_PER_CALL
    ) -> None:
        """``load`` is called once, for the first text; if it fails, for the next one again.

        ``call_cost``: of one call of the model, in characters; ``math.inf`` where only few calls are fast.
        """
        self._identity = identity
        self._load = load
        self._call_cost = call_cost
        self._lock = threading.Lock()
        self._model: RawEncode | None = None
        _alive.add(self)

    @property
    def identity(self) -> EncoderIdentity:
        """Which vectors it makes; known before the model is loaded."""
        return self._identity

    @property
    def loaded(self) -> bool:
        """Whether the model is in memory."""
        return self._model is not None

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """Return (n, d) unit vectors, float32, one per text, in order; (0, 0) for no texts.

        Vectors of one text from two calls may differ in the last digit, with the texts that they were computed beside.

        Raises:
            ValueError: a text is blank.
            RefusedTextsError: the model fails on these texts.
            EncoderError: it cannot be loaded.
        """
        unique, where = distinct(texts)
        if not unique:
            return np.zeros((0, 0), np.float32)
        by_length = sorted(range(len(unique)), key=lambda place: len(unique[place]))
        rows = self._run([unique[place] for place in by_length])
        ordered = np.empty_like(rows)
        ordered[by_length] = rows
        chosen: FloatMatrix = ordered[where]
        return chosen

    def _run(self, texts: list[str]) -> FloatMatrix:
        """Return unit vectors of ``texts``, computed in pieces so that an ending process need not wait long."""
        return np.concatenate([self._piece(piece) for piece in alike_in_length(texts, _AT_ONCE, self._call_cost)])

    def _piece(self, texts: list[str]) -> FloatMatrix:
        if _ending.is_set():
            raise EncoderError(f"{self._identity}: the process is ending, so nothing more is encoded")
        with self._lock:
            if self._model is None:
                self._model = self._load()
            try:
                rows = np.asarray(self._model(texts))
            except Exception as error:  # torch and tokenizers raise anything
                raise RefusedTextsError(
                    f"{self._identity}: failed on {len(texts)} texts: {type(error).__name__}: {str(error)[:300]}; a "
                    "smaller batch_size needs less memory, device: cpu is the safest"
                ) from error
        if rows.ndim != 2 or len(rows) != len(texts):
            raise EncoderError(f"{self._identity}: made an array of shape {rows.shape} of {len(texts)} texts")
        try:
            return unit_rows(rows)
        except ValueError as error:
            raise RefusedTextsError(f"{self._identity}: {error}; dtype: float32 has the widest range") from error


_alive: weakref.WeakSet[SentenceEncoder] = weakref.WeakSet()
_ending = threading.Event()


def _let_end() -> None:
    """Keep the process from ending while torch computes in a daemon thread: that would abort it, whatever it returned.

    The locks are kept, so that nothing begins afterwards. A call that hangs is given up after ``_PATIENCE_S``.
    """
    _ending.set()
    until = time.monotonic() + _PATIENCE_S
    for encoder in list(_alive):
        encoder._lock.acquire(timeout=max(0.0, until - time.monotonic()))


atexit.register(_let_end)
