"""How answers get across: slowly, in part, or on a connection that is gone afterwards."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import aiohttp
import anyio
import pytest
from anyio.abc import SocketStream

from hairpin.testing import Cut, Drip, Ending, FakeAnswer, FakeModelServer

pytestmark = pytest.mark.anyio

REQUEST = b"POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}"


async def connect(server: FakeModelServer) -> SocketStream:
    host, port = server.base_url.removeprefix("http://").removesuffix("/v1").split(":")
    return await anyio.connect_tcp(host, int(port))


async def received(server: FakeModelServer) -> bytes:
    """Return every byte that the server sends on a connection of its own, until it ends the connection."""
    async with await connect(server) as stream:
        await stream.send(REQUEST)
        return b"".join([piece async for piece in stream])


@pytest.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def test_a_dripped_answer_comes_in_pieces_and_is_whole(client: aiohttp.ClientSession) -> None:
    answer = FakeAnswer.dripping("Hello", piece_bytes=50, pause_s=0.005)
    pieces: list[bytes] = []
    async with (
        FakeModelServer(answer) as server,
        client.post(f"{server.base_url}/chat/completions", json={}) as response,
    ):
        async for piece, _ in response.content.iter_chunks():
            pieces.append(piece)
    assert json.loads(b"".join(pieces))["choices"][0]["message"]["content"] == "Hello"
    assert len(pieces) > 2
    (request,) = server.requests
    assert (request.ending, request.n_bytes_sent) == (Ending.ANSWERED, len(b"".join(pieces)))
    assert request.usage is not None


async def test_an_answer_is_cut_after_the_bytes_that_were_asked_for() -> None:
    async with FakeModelServer(FakeAnswer.cut_off("Hello", after_bytes=20)) as server:
        head, _, body = (await received(server)).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK")
    assert body == b'{"id": "chatcmpl-fak'
    (request,) = server.requests
    assert (request.ending, request.status, request.n_bytes_sent) == (Ending.CUT, 200, 20)
    assert (request.usage, request.answered_at, request.client_gone) == (None, None, False)


async def test_an_answer_can_be_cut_before_its_headers() -> None:
    async with FakeModelServer(FakeAnswer.cut_off()) as server:
        assert await received(server) == b""
    assert (server.requests[0].ending, server.requests[0].n_bytes_sent) == (Ending.CUT, 0)


@pytest.mark.parametrize("after_bytes", [None, 10])
async def test_a_connection_can_be_reset(after_bytes: int | None) -> None:
    async with FakeModelServer(FakeAnswer.cut_off("Hello", after_bytes=after_bytes, reset=True)) as server:
        with pytest.raises(anyio.BrokenResourceError) as caught:
            await received(server)
    assert isinstance(caught.value.__cause__, ConnectionResetError)
    assert server.requests[0].ending is Ending.CUT


async def test_a_drip_can_be_cut_too() -> None:
    answer = FakeAnswer(body=b"0123456789", drip=Drip(piece_bytes=2, pause_s=0.0), cut=Cut(after_bytes=5))
    async with FakeModelServer(answer) as server:
        assert (await received(server)).endswith(b"\r\n\r\n01234")
    assert server.requests[0].n_bytes_sent == 5


async def test_a_connection_is_closed_with_notice() -> None:
    async with FakeModelServer(FakeAnswer("bye", connection="close")) as server:
        answer = await received(server)
    assert b"\r\nConnection: close\r\n" in answer
    assert b'"bye"' in answer


async def test_a_connection_that_looked_kept_is_dropped_after_a_whole_answer() -> None:
    async with FakeModelServer(FakeAnswer("bye", connection="drop")) as server:
        answer = await received(server)
    assert b"close" not in answer
    assert b'"bye"' in answer
    assert server.requests[0].ending is Ending.ANSWERED


async def test_a_kept_connection_serves_the_next_request() -> None:
    async with FakeModelServer("one", "two") as server, await connect(server) as stream:
        for expected in (b'"one"', b'"two"'):
            await stream.send(REQUEST)
            answer = b""
            while not answer.endswith(b"}}"):
                answer += await stream.receive()
            assert expected in answer
    assert server.totals.endings == {Ending.ANSWERED: 2}


def test_pieces_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="piece_bytes must be at least 1, not 0"):
        FakeAnswer.dripping("x", piece_bytes=0)
