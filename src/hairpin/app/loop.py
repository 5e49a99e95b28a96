"""The event loop of a run that Hairpin starts itself.

It must not wait for threads and tasks: an assistant may have left calls behind that never return.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import anyio

from hairpin.errors import HairpinError
from hairpin.sut.containment import CANCEL_GRACE_S
from hairpin.sut.exits import contain_exits

T = TypeVar("T")

_logger = logging.getLogger(__name__)


class UnwaitedExecutor(ThreadPoolExecutor):
    """What ``asyncio.to_thread`` of an adapter runs in: closing the loop does not wait for calls that hang."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002 - the library's signature
        """Stop taking calls, and leave those that run behind."""
        super().shutdown(wait=False, cancel_futures=True)


def run_in_loop(main: Callable[[], Awaitable[T]]) -> T:
    """Run ``main`` in a new event loop and return its result.

    Raises:
        HairpinError: code of a user's ended the event loop, ``main`` with it; what was stored is stored.
    """

    async def start() -> T:
        contain_exits(asyncio.get_running_loop())
        asyncio.get_running_loop().set_default_executor(UnwaitedExecutor(thread_name_prefix="hairpin to_thread"))
        try:
            return await main()
        finally:
            await _leave_behind(asyncio.all_tasks() - {asyncio.current_task()})

    try:
        return anyio.run(start)
    except SystemExit as exit_:
        what = f"code of the assistant's or of a check ended the event loop with SystemExit: {exit_.code}"
        raise HairpinError(f"{what}; let it raise an ordinary exception") from exit_


async def _leave_behind(tasks: Collection[asyncio.Task[object] | None]) -> None:
    """Cancel what still runs; what ignores that is forgotten, or closing the loop would wait for it for ever."""
    left = {task for task in tasks if task is not None}
    for task in left:
        task.cancel()
    if left:
        _, left = await asyncio.wait(left, timeout=CANCEL_GRACE_S)
    for task in left:
        _logger.warning("%s ignored its cancellation and is left behind", task.get_name())
        asyncio.tasks._unregister_task(task)
        task._log_destroy_pending = False  # type: ignore[attr-defined]  # said just now
