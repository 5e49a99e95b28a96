"""An event loop whose clock jumps to the next timer when there is nothing else to do: hours of waiting in no time.

Sockets work: the clock only jumps when they have been silent for a moment.
"""

from __future__ import annotations

import asyncio
import functools
import selectors
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import ParamSpec

import anyio

P = ParamSpec("P")
_SOCKETS_GRACE_S = 0.003
"""How long sockets of this process get, in real time, to pass on what was written to them."""


class NothingHappensError(AssertionError):
    """Every task waits and no timer runs: a deadlock."""


class VirtualClock:
    """``ports.Clock`` on the running loop; the time of day begins at midnight."""

    def monotonic(self) -> float:
        return anyio.current_time()

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.monotonic())


class _JumpingSelector(selectors.DefaultSelector):
    def __init__(self) -> None:
        super().__init__()
        self.now_s = 1000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        has_sockets = len(self.get_map()) > 1  # one is the loop's own
        ready = super().select(min(_SOCKETS_GRACE_S, timeout or 0.0) if has_sockets else 0.0)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            ready = super().select(1.0) if has_sockets else []
            if not ready:
                raise NothingHappensError
            return ready
        self.now_s += max(timeout, 0.0)
        return []


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """Its ``time`` moves only when every task waits."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now_s


def in_virtual_time(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """Run an ``async def`` test on a loop of its own."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        anyio.run(functools.partial(test, *args, **kwargs), backend_options={"loop_factory": VirtualTimeLoop})

    return run
