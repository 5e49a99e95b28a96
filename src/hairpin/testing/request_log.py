"""The requests a fake server received, and waiting for them from any thread or event loop.

It must not answer; it only remembers.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable

import anyio

from hairpin.testing.scripted_answers import FakeRequest


class RequestLog:
    """All requests in order of arrival, and which of them still wait for their answer."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._requests: list[FakeRequest] = []
        self._open: set[int] = set()
        self._peak = 0
        self._waiters: list[tuple[asyncio.AbstractEventLoop, anyio.Event]] = []

    @property
    def requests(self) -> tuple[FakeRequest, ...]:
        """All requests so far."""
        return tuple(self._requests)

    @property
    def in_flight(self) -> int:
        """How many requests wait for their answer now."""
        return len(self._open)

    @property
    def peak_in_flight(self) -> int:
        """The most requests that ever waited at the same time."""
        return self._peak

    def arrived(self, request: FakeRequest) -> None:
        """Remember a request that waits for its answer from now on."""
        with self._changed:
            self._requests.append(request)
            self._open.add(id(request))
            self._peak = max(self._peak, len(self._open))
            self._wake()

    def left(self, request: FakeRequest) -> None:
        """Note that a request waits no longer."""
        with self._changed:
            self._open.discard(id(request))
            self._wake()

    def wait_sync(self, condition: Callable[[], bool], timeout_s: float) -> None:
        """Block until ``condition``. Raises TimeoutError."""
        with self._changed:
            if not self._changed.wait_for(condition, timeout_s):
                raise TimeoutError(f"{len(self._requests)} requests, {len(self._open)} in flight after {timeout_s:g} s")

    async def wait(self, condition: Callable[[], bool], timeout_s: float) -> None:
        """Wait until ``condition``. Raises TimeoutError."""
        with anyio.fail_after(timeout_s):
            while True:
                event = anyio.Event()
                with self._changed:
                    if condition():
                        return
                    self._waiters.append((asyncio.get_running_loop(), event))
                await event.wait()

    def _wake(self) -> None:
        self._changed.notify_all()
        waiters, self._waiters = self._waiters, []
        for loop, event in waiters:
            with contextlib.suppress(RuntimeError):  # that loop has closed: nobody waits there any more
                loop.call_soon_threadsafe(event.set)
