"""aiohttp clients, one per event loop: what holds connections may be used from several loops, one after another.

How a client is set up is its owner's matter.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from weakref import WeakKeyDictionary

import aiohttp


class LoopClients:
    """The clients of one owner, made by ``make`` inside the loop that first needs one."""

    __slots__ = ("_clients", "_make")

    def __init__(self, make: Callable[[], aiohttp.ClientSession]) -> None:
        self._make = make
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, aiohttp.ClientSession] = WeakKeyDictionary()

    def get(self) -> aiohttp.ClientSession:
        """Return the client of the running loop, a new one if it has none or that was closed."""
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None or client.closed:
            client = self._clients[loop] = self._make()
        return client

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()
