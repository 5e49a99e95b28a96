"""Waiting on a clock that is passed in, until a moment or until woken; and a deadline that may move meanwhile.

What is waited for, others know.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from functools import partial

import anyio

from hairpin.llm.traffic.policy import Sleep


class Waiter:
    """One task that waits. Only that task may call ``pause``; anybody on its event loop may ``wake`` it."""

    __slots__ = ("_sleep", "_wake")

    def __init__(self, sleep: Sleep) -> None:
        self._sleep = sleep
        self._wake: Callable[[], object] | None = None

    async def pause(self, duration_s: float) -> None:
        """Return after ``duration_s`` (``inf``: never) or when woken, whichever is first.

        A cancellation from outside passes, also when it meets a wake-up.
        """
        try:
            if math.isinf(duration_s):
                event = anyio.Event()
                self._wake = event.set
                await event.wait()
            else:
                with anyio.CancelScope() as scope:
                    self._wake = partial(_end, scope)
                    await self._sleep(duration_s)
        finally:
            self._wake = None

    def wake(self) -> None:
        """End the pause, if there is one."""
        if self._wake is not None:
            self._wake()
            self._wake = None


def _end(scope: anyio.CancelScope) -> None:
    # Called from within a task, ``cancel`` writes down that task and its stack, which costs more than all the rest.
    asyncio.get_running_loop().call_soon(scope.cancel)


class Deadline:
    """When a run must have ended: seconds on the monotonic clock, ``inf`` for never. One for all calls of a run."""

    __slots__ = ("_at_s", "_waiters")

    def __init__(self, at_s: float = math.inf) -> None:
        self._at_s = at_s
        self._waiters: set[Waiter] = set()

    @property
    def at_s(self) -> float:
        """When."""
        return self._at_s

    def move(self, at_s: float) -> None:
        """Move it; those who wait look again whether they still may."""
        self._at_s = at_s
        for waiter in self._waiters:
            waiter.wake()

    def watch(self, waiter: Waiter) -> None:
        """Also wake ``waiter`` when the deadline is moved, until ``unwatch``."""
        self._waiters.add(waiter)

    def unwatch(self, waiter: Waiter) -> None:
        """Stop that."""
        self._waiters.discard(waiter)
