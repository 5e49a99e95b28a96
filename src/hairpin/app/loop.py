"""The event loop of a run that Hairpin starts itself.

It must not wait for threads: an assistant may have left calls behind that never return.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import anyio

T = TypeVar("T")


class UnwaitedExecutor(ThreadPoolExecutor):
    """What ``asyncio.to_thread`` of an adapter runs in: closing the loop does not wait for calls that hang."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002 - the library's signature
        """Stop taking calls, and leave those that run behind."""
        super().shutdown(wait=False, cancel_futures=True)


def run_in_loop(main: Callable[[], Awaitable[T]]) -> T:
    """Run ``main`` in a new event loop and return its result."""

    async def start() -> T:
        asyncio.get_running_loop().set_default_executor(UnwaitedExecutor(thread_name_prefix="hairpin to_thread"))
        return await main()

    return anyio.run(start)
