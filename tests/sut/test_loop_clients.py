from __future__ import annotations

import asyncio

import aiohttp

from hairpin.sut.loop_clients import LoopClients


def test_each_loop_has_one_client_and_closing_one_leaves_the_others() -> None:
    clients = LoopClients(aiohttp.ClientSession)

    async def use() -> tuple[aiohttp.ClientSession, aiohttp.ClientSession]:
        return clients.get(), clients.get()

    with asyncio.Runner() as one, asyncio.Runner() as two:
        first, again = one.run(use())
        other, _ = two.run(use())
        assert first is again
        assert first is not other
        one.run(clients.aclose())
        assert first.closed
        assert not other.closed
        renewed, _ = one.run(use())
        assert not renewed.closed
        one.run(clients.aclose())
        two.run(clients.aclose())


def test_a_client_that_was_closed_elsewhere_is_replaced() -> None:
    clients = LoopClients(aiohttp.ClientSession)

    async def main() -> None:
        first = clients.get()
        await first.close()
        assert clients.get() is not first
        await clients.aclose()
        await clients.aclose()

    asyncio.run(main())
