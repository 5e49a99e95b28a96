"""Awaiting an assistant's code in bounded time, also where it ignores that it is cancelled.

Each step runs in a task of its own. One that will not end is left behind and named; nothing waits for it any more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from hairpin.ports import SutSession
from hairpin.sut.own_task import end_alone, start_alone

T = TypeVar("T")


class LateError(Exception):
    """A step did not end in time. ``hung``: it did not end when it was cancelled either, and is left behind."""

    def __init__(self, *, hung: bool) -> None:
        super().__init__("nothing in time")
        self.hung = hung


class Patience:
    """How long is waited for what was cancelled. ``left``: the names of the steps that were left behind."""

    def __init__(self, grace_s: float) -> None:
        self.left: list[str] = []
        self._grace_s = grace_s

    async def of(self, step: Callable[[], Awaitable[T]], limit_s: float, *, name: str) -> T:
        """Return what ``step`` returns within ``limit_s`` seconds. Raises LateError, and what it raises."""
        task = start_alone(_outcome(step), name=name)
        await self.wait(task, limit_s=limit_s, task=task)
        value, error = task.result()
        if error is not None:
            raise error
        return value  # type: ignore[return-value]  # only an error comes without a value

    async def wait(self, *what: asyncio.Future[Any], limit_s: float, task: asyncio.Task[Any]) -> None:
        """Wait for the first of ``what``; ``task``, which does it, is ended when it is late. Raises LateError."""
        try:
            done, _ = await asyncio.wait(what, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await self.end(task)
            raise
        if not done:
            raise LateError(hung=not await self.end(task))

    async def at_most(self, task: asyncio.Task[Any], limit_s: float) -> None:
        """Wait for ``task``, ``limit_s`` seconds long; it is ended when this is cancelled."""
        try:
            await asyncio.wait({task}, timeout=limit_s)
        except asyncio.CancelledError:
            await self.end(task)
            raise

    async def end(self, task: asyncio.Task[T]) -> bool:
        """Cancel ``task``; whether it ended in the time given."""
        ended = await end_alone(task, grace_s=self._grace_s)
        if not ended:
            self.left.append(task.get_name())
        return ended


class KeptSession:
    """A session that is opened and closed in one and the same task, as in a run; task groups need that."""

    def __init__(self, opening: Callable[[], Awaitable[SutSession]], patience: Patience, *, name: str) -> None:
        self._opening = opening
        self._patience = patience
        self._opened: asyncio.Future[SutSession] = asyncio.get_running_loop().create_future()
        self._close = asyncio.Event()
        self._task = start_alone(_outcome(self._keep), name=name)

    async def opened(self, limit_s: float) -> SutSession:
        """Return the session. Raises LateError, and what ``open`` raises."""
        await self._patience.wait(self._opened, self._task, limit_s=limit_s, task=self._task)
        if not self._opened.done():
            raise self._error() or LateError(hung=False)
        return self._opened.result()

    async def closed(self, limit_s: float) -> None:
        """Close it. Raises LateError, and what ``close`` raises."""
        self._close.set()
        await self._patience.wait(self._task, limit_s=limit_s, task=self._task)
        if (error := self._error()) is not None:
            raise error

    async def abandon(self) -> None:
        """Let it go without closing it."""
        await self._patience.end(self._task)

    async def _keep(self) -> None:
        session = await self._opening()
        self._opened.set_result(session)
        await self._close.wait()
        await session.close()

    def _error(self) -> BaseException | None:
        return self._task.result()[1]


async def _outcome(step: Callable[[], Awaitable[T]]) -> tuple[T | None, BaseException | None]:
    """Return what ``step`` returns or raises: a task that raised SystemExit would end the event loop."""
    try:
        return await step(), None
    except (Exception, SystemExit) as error:  # noqa: BLE001  # raised by whoever waits
        return None, error
