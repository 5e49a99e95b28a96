"""Servers of Hairpin's own assistants on real sockets, for tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

import aiohttp

from hairpin.domain.sut import SessionStart, SutReply
from hairpin.ports import SutAdapter
from hairpin.testbed.adapter import TestbedAdapter
from hairpin.testbed.server.serving import serving
from hairpin.testbed.server.sessions import SessionLimits


@asynccontextmanager
async def client_of(
    adapter: SutAdapter | None = None, *, limits: SessionLimits | None = None
) -> AsyncIterator[aiohttp.ClientSession]:
    """Serve ``adapter``, by default a testbed in plain words, and yield a client with its address as base."""
    numbers = count(1)
    assistant = adapter or TestbedAdapter(wording="plain")
    async with (
        serving(assistant, new_id=lambda: f"id{next(numbers)}", limits=limits) as place,
        aiohttp.ClientSession(f"http://{place.authority}") as client,
    ):
        yield client


async def in_process(*utterances: str, rng_seed: int = 0) -> list[dict[str, object]]:
    """Return what the testbed replies without a server, as it is sent."""
    session = await TestbedAdapter(wording="plain").open(SessionStart(conversation_id="c1", rng_seed=rng_seed))
    replies = [await session.send(utterance) for utterance in utterances]
    await session.close()
    return [
        {"text": r.text, "ended": r.ended, "state": dict(r.state or {})} for r in replies if isinstance(r, SutReply)
    ]
