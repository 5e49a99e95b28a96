"""One encoder for all running conversations: texts that come at the same time are encoded together, and each once.

Must not hold up the event loop. A caller that is cancelled, or whose text has no vector, is no other caller's trouble.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, Self

import anyio
import anyio.lowlevel
import numpy as np

from hairpin.embeddings.off_loop import encode_async
from hairpin.embeddings.recent import RecentVectors
from hairpin.embeddings.texts import distinct
from hairpin.errors import EncoderError, RefusedTextsError
from hairpin.ports import Encoder, EncoderIdentity, FloatMatrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

WINDOW_S: Final = 0.01
MAX_BATCH: Final = 256
MAX_KEPT: Final = 50_000
"""Vectors in memory: 77 MB of those of MiniLM, 205 MB of those with 1,024 numbers."""


class BatchingEncoder:
    """Implements ``ports.AsyncEncoder`` for the tasks of one event loop. Made by ``running``."""

    def __init__(self, encoder: Encoder, *, window_s: float, max_batch: int, max_kept: int) -> None:
        if max_batch < 1:
            raise ValueError(f"max_batch must be at least 1, not {max_batch}")
        self._encoder = encoder
        self._window_s = window_s
        self._max_batch = max_batch
        self._recent = RecentVectors(max_kept)
        self._wanted: dict[str, _Wanted] = {}
        self._waiting: dict[str, _Wanted] = {}
        self._due_at = 0.0
        self._changed = anyio.Event()
        self._closed = False

    @classmethod
    @asynccontextmanager
    async def running(
        cls, encoder: Encoder, *, window_s: float = WINDOW_S, max_batch: int = MAX_BATCH, max_kept: int = MAX_KEPT
    ) -> AsyncIterator[Self]:
        """Serve until the block is left; who still waits then, or comes later, gets an EncoderError.

        Args:
            encoder: makes the vectors, in its own daemon thread.
            window_s: how long the first text that waits may wait for others, in seconds.
            max_batch: so many texts are encoded without waiting for others, and never more at once.
            max_kept: how many vectors stay in memory, those used last.
        """
        service = cls(encoder, window_s=window_s, max_batch=max_batch, max_kept=max_kept)
        raised: Exception | None = None
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(service._work)
                try:
                    yield service
                except Exception as error:  # noqa: BLE001  # raised below, as it came: the task group would wrap it
                    raised = error
                tasks.cancel_scope.cancel()
        finally:
            service._close()
        if raised is not None:
            raise raised

    @property
    def identity(self) -> EncoderIdentity:
        """Which vectors it makes."""
        return self._encoder.identity

    @property
    def n_waiting(self) -> int:
        """How many different texts are encoded now or wait for it."""
        return len(self._wanted)

    async def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """Return (n, d) unit vectors, float32, one per text, in order; (0, 0) for no texts.

        Raises:
            ValueError: a text is blank: no answer is no vector. Nothing of this call is encoded.
            RefusedTextsError: one of these texts has no vector.
            EncoderError: the encoder cannot be loaded or run, or the service is closed.
        """
        unique, where = distinct(texts)
        await anyio.lowlevel.checkpoint()
        if not unique:
            return np.zeros((0, 0), np.float32)
        known = {text: vector for text in unique if (vector := self._recent.get(text)) is not None}
        wanted = self._want([text for text in unique if text not in known])
        try:
            for text, one in wanted.items():
                known[text] = await one.vector()
        finally:
            self._let_go(wanted)
        rows: FloatMatrix = np.stack([known[text] for text in unique])[where]
        return rows

    def _want(self, texts: Iterable[str]) -> dict[str, _Wanted]:
        """Join those that wait for the same texts, or let them wait from now on."""
        if self._closed:
            raise _closed_error(self.identity)
        wanted: dict[str, _Wanted] = {}
        for text in texts:
            one = self._wanted.get(text)
            if one is None:
                if not self._waiting:
                    self._due_at = anyio.current_time() + self._window_s
                one = self._wanted[text] = self._waiting[text] = _Wanted()
                self._changed.set()
            one.n_callers += 1
            wanted[text] = one
        return wanted

    def _let_go(self, wanted: dict[str, _Wanted]) -> None:
        """Forget texts for which nobody waits any more, unless they are being encoded."""
        for text, one in wanted.items():
            one.n_callers -= 1
            if one.n_callers == 0 and self._waiting.get(text) is one:
                del self._waiting[text], self._wanted[text]

    async def _work(self) -> None:
        """Encode one batch after the other, for ever."""
        while True:
            while not self._waiting:
                await self._next_change()
            with anyio.CancelScope(deadline=self._due_at):
                while len(self._waiting) < self._max_batch:
                    await self._next_change()
            await self._encode(self._take())

    async def _next_change(self) -> None:
        self._changed = anyio.Event()
        await self._changed.wait()

    def _take(self) -> list[str]:
        """Return the texts that have waited longest, in order of length; whoever let go may have left none."""
        batch = list(self._waiting)[: self._max_batch]
        for text in batch:
            del self._waiting[text]
        return sorted(batch, key=len)

    async def _encode(self, batch: list[str]) -> None:
        """Encode a batch, in halves if it is refused, so that one text takes no other with it."""
        if not batch:
            return
        try:
            self._deliver(batch, await encode_async(self._encoder, batch))
        except (RefusedTextsError, ValueError) as error:
            if len(batch) == 1:
                self._fail(batch, error)
                return
            middle = len(batch) // 2
            await self._encode(batch[:middle])
            await self._encode(batch[middle:])
        except Exception as error:  # noqa: BLE001  # raised by those who wait
            self._fail(batch, error)

    def _deliver(self, batch: Sequence[str], rows: FloatMatrix) -> None:
        if len(rows) != len(batch):
            raise EncoderError(f"{self.identity}: made {len(rows)} vectors of {len(batch)} texts")
        for text, row in zip(batch, rows, strict=True):
            vector = row.copy()  # a view would keep the whole batch
            self._recent.put(text, vector)
            if text in self._wanted:
                self._wanted.pop(text).succeed(vector)

    def _fail(self, texts: Sequence[str], error: Exception) -> None:
        for text in texts:
            if text in self._wanted:
                self._wanted.pop(text).fail(error)

    def _close(self) -> None:
        if not self._closed:
            self._closed = True
            self._waiting.clear()
            self._fail(list(self._wanted), _closed_error(self.identity))


class _Wanted:
    """One text, and those who wait for its vector."""

    def __init__(self) -> None:
        self.n_callers = 0
        self._done = anyio.Event()
        self._vector: NDArray[np.float32] | None = None
        self._error: Exception | None = None

    def succeed(self, vector: NDArray[np.float32]) -> None:
        self._vector = vector
        self._done.set()

    def fail(self, error: Exception) -> None:
        self._error = error
        self._done.set()

    async def vector(self) -> NDArray[np.float32]:
        await self._done.wait()
        if isinstance(self._error, EncoderError):
            # One of its own for each caller: a shared one would collect the tracebacks of all.
            kind = RefusedTextsError if isinstance(self._error, RefusedTextsError) else EncoderError
            raise kind(str(self._error)) from self._error
        if self._error is not None:
            raise self._error
        assert self._vector is not None, "what is done without an error has a vector"
        return self._vector


def _closed_error(identity: EncoderIdentity) -> EncoderError:
    return EncoderError(f"{identity}: closed before the texts were encoded; keep it open while conversations run")
