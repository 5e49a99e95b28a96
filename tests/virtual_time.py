"""An event loop whose clock jumps to the next timer when there is nothing else to do: hours of waiting in no time.

Sockets work: the clock only jumps when they have been silent for a moment.
"""

from __future__ import annotations

import asyncio
import functools
import selectors
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import ParamSpec, TypeVar

import anyio

P = ParamSpec("P")
T = TypeVar("T")
_SOCKETS_GRACE_S = 0.003
"""How long sockets of this process get, in real time, to pass on what was written to them."""


_THREADS_GRACE_S = 60.0
"""How long threads may take, in real time, for what nobody says they are busy with: a report, when a run has ended."""


class NothingHappensError(AssertionError):
    """Every task waits and no timer runs: a deadlock."""


class VirtualClock:
    """``ports.Clock`` on the running loop; the time of day begins at midnight."""

    def monotonic(self) -> float:
        return anyio.current_time()

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.monotonic())


class _JumpingSelector(selectors.DefaultSelector):
    def __init__(self, threads_are_busy: Callable[[], bool] | None) -> None:
        super().__init__()
        self.now_s = 1000.0
        self._threads_are_busy = threads_are_busy

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        has_sockets = len(self.get_map()) > 1  # one is the loop's own
        ready = super().select(min(_SOCKETS_GRACE_S, timeout or 0.0) if has_sockets else 0.0)
        while not ready and timeout != 0 and self._threads_are_busy is not None and self._threads_are_busy():
            ready = super().select(_SOCKETS_GRACE_S)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            longest_s = _THREADS_GRACE_S if self._threads_are_busy is not None else 1.0 if has_sockets else 0.0
            ready = super().select(longest_s)
            if not ready:
                raise NothingHappensError
            return ready
        self.now_s += max(timeout, 0.0)
        return []


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """Its ``time`` moves only when every task waits.

    ``threads_are_busy``: whether a thread of this process will wake the loop soon; then time stands still.
    """

    def __init__(self, *, threads_are_busy: Callable[[], bool] | None = None) -> None:
        self._jumping = _JumpingSelector(threads_are_busy)
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now_s


def run_virtually(main: Callable[[], Awaitable[T]], *, threads_are_busy: Callable[[], bool] | None = None) -> T:
    """Run ``main`` on a loop of its own and return its result."""
    made = functools.partial(VirtualTimeLoop, threads_are_busy=threads_are_busy)
    return anyio.run(main, backend_options={"loop_factory": made})


def in_virtual_time(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """Run an ``async def`` test on a loop of its own."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        anyio.run(functools.partial(test, *args, **kwargs), backend_options={"loop_factory": VirtualTimeLoop})

    return run
