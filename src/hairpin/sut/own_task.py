"""Tasks of adapters that belong to no call: users' code kept apart from Hairpin's, and listeners of a session.

A task group cannot hold them: a session is opened in one task, used in others and closed in a third. Each has one owner
that ends it. Nothing of the graph that runs Hairpin's conversations is seen in their context.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Final, TypeVar

import anyio

from hairpin.sut.containment import CANCEL_GRACE_S, Contained
from hairpin.sut.exits import users_context

T = TypeVar("T")

_left_behind: Final[set[asyncio.Task[object]]] = set()
"""The event loop itself keeps no task alive."""

_logger = logging.getLogger(__name__)


def start_alone(coroutine: Coroutine[object, object, T], *, name: str) -> asyncio.Task[T]:
    """Start ``coroutine`` as a task with an empty context; whoever starts it calls ``end_alone``."""
    return asyncio.create_task(coroutine, name=name, context=users_context())


async def end_alone(task: asyncio.Task[T], *, grace_s: float = CANCEL_GRACE_S) -> bool:
    """Cancel ``task`` once and wait for it, whatever happens to the waiting task meanwhile.

    Returns whether it ended; one that does not within ``grace_s`` seconds is left behind with a warning.
    """
    task.cancel()
    clock = asyncio.get_running_loop().time
    deadline_s = clock() + grace_s
    with anyio.CancelScope(shield=True):
        while not task.done() and (left_s := deadline_s - clock()) > 0:
            try:
                await asyncio.wait({task}, timeout=left_s)
            except asyncio.CancelledError:
                continue  # whoever waits is cancelled already; the task must not be left for it
    if task.done():
        return True
    _logger.warning("%s ignored its cancellation for %g s and is left behind", task.get_name(), grace_s)
    _left_behind.add(task)
    task.add_done_callback(_left_behind.discard)
    return False


async def run_alone(
    coroutine: Coroutine[object, None, object],
    *,
    name: str,
    grace_s: float = CANCEL_GRACE_S,
    left: Callable[[], object] | None = None,
) -> object:
    """Run users' ``coroutine`` in a task of its own and return what it returns.

    A cancellation passes to it once, and is waited for, at most ``grace_s`` seconds: a graph cancelled twice leaves
    its branches running. What it raises or cancels ends nothing but itself. ``left`` is called when it is left behind.

    Raises:
        RuntimeError: it raised what is no ``Exception``; that is the cause.
        Exception: what it raised, as it is.
    """
    task = start_alone(_contained(coroutine, name), name=name)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if not await end_alone(task, grace_s=grace_s) and left is not None:
            left()
        if task.done() and not task.cancelled():
            task.exception()  # looked at: it came too late to be told
        raise


async def _contained(coroutine: Coroutine[object, None, object], name: str) -> object:
    return await Contained(coroutine, name=name)
