"""Vectors made ahead, while a campaign runs, so that its report finds them in the cache.

Must never block or break who calls it: what cannot be encoded now is counted, and left to whoever reads the report.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable
from typing import Final

from hairpin.domain.base import Value
from hairpin.embeddings.texts import is_blank
from hairpin.ports import Encoder

_BATCH: Final = 256
_MOST_WAITING: Final = 100_000
_FAILURES_IN_A_ROW: Final = 3
_REASONS: Final = 5


class BackgroundReport(Value):
    """What came of the texts: encoded, failed (with up to five different reasons), blank, or never come to.

    ``n_left``: texts still waiting when it was closed, or turned away because too many were.
    """

    n_encoded: int = 0
    n_failed: int = 0
    n_blank: int = 0
    n_left: int = 0
    reasons: tuple[str, ...] = ()


class BackgroundEncoder:
    """Encodes texts in a daemon thread; the vectors stay in the encoder's cache.

    Its priority is that of the process: a thread of low priority that waits for a core while it holds the interpreter's
    lock makes every other thread wait with it.

    After three failures in a row it gives up, and counts what still comes as failed.
    """

    def __init__(self, encoder: Encoder) -> None:
        """``encoder`` should have a cache: the vectors themselves are dropped."""
        self._encoder = encoder
        self._texts: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._hurry = False
        self._waiting = 0
        self._encoded = self._failed = self._blank = self._refused = 0
        self._failures_in_a_row = 0
        self._reasons: dict[str, None] = {}
        self._thread = threading.Thread(target=self._run, name="hairpin background encoder", daemon=True)
        self._thread.start()

    def add(self, texts: Iterable[str]) -> None:
        """Queue ``texts``; returns at once. After ``close`` they count as left."""
        for text in texts:
            with self._lock:
                if is_blank(text):
                    self._blank += 1
                elif self._closed or self._waiting >= _MOST_WAITING:
                    self._refused += 1
                else:
                    self._waiting += 1
                    self._texts.put(text)

    @property
    def report(self) -> BackgroundReport:
        """What came of the texts so far."""
        with self._lock:
            return BackgroundReport(
                n_encoded=self._encoded,
                n_failed=self._failed,
                n_blank=self._blank,
                n_left=self._waiting + self._refused,
                reasons=tuple(self._reasons),
            )

    def close(self, timeout_s: float) -> BackgroundReport:
        """Take no more texts, wait for the rest for at most ``timeout_s`` seconds, and say what came of all.

        A batch that is being encoded when the time is up is left to its daemon thread.
        """
        with self._lock:
            if not self._closed:
                self._closed = True
                self._texts.put(None)
        self._thread.join(max(0.0, timeout_s))
        self._hurry = True
        return self.report

    def _run(self) -> None:
        ended = False
        while not ended and not self._hurry:
            batch, ended = self._next_batch()
            if batch:
                self._encode(batch)

    def _next_batch(self) -> tuple[list[str], bool]:
        """Wait for a text, then take what else is there; the second value says that nothing follows."""
        batch: list[str] = []
        text = self._texts.get()
        while text is not None:
            batch.append(text)
            if len(batch) == _BATCH:
                return batch, False
            try:
                text = self._texts.get_nowait()
            except queue.Empty:
                return batch, False
        return batch, True

    def _encode(self, batch: list[str]) -> None:
        reason: str | None = None
        if self._failures_in_a_row < _FAILURES_IN_A_ROW:
            try:
                self._encoder.encode(batch)
                self._failures_in_a_row = 0
            except BaseException as error:  # noqa: BLE001  # nothing of this may reach the campaign
                self._failures_in_a_row += 1
                reason = f"{type(error).__name__}: {error}"
        else:
            reason = f"not tried after {_FAILURES_IN_A_ROW} failures in a row"
        self._count(len(batch), reason)

    def _count(self, n_texts: int, reason: str | None) -> None:
        with self._lock:
            self._waiting -= n_texts
            if reason is None:
                self._encoded += n_texts
                return
            self._failed += n_texts
            if len(self._reasons) < _REASONS:
                self._reasons[reason] = None
