"""The testbed over a WebSocket, on a real socket."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest

from hairpin.testbed.parsing.parser import MAX_CHARS
from hairpin.testbed.server.sessions import SessionLimits
from tests.testbed.own_servers import client_of, in_process

pytestmark = pytest.mark.anyio
TALK = ("Take me to Pasing", "Set the fan to level 3")


async def said(socket: aiohttp.ClientWebSocketResponse, utterance: str) -> dict[str, Any]:
    await socket.send_json({"utterance": utterance})
    answer: dict[str, Any] = await socket.receive_json()
    return answer


async def test_a_connection_answers_what_the_testbed_answers_in_process() -> None:
    async with client_of() as client, client.ws_connect("/ws") as socket:
        await socket.send_json({"conversation_id": "c1"})
        ready = await socket.receive_json()
        replies = [await said(socket, utterance) for utterance in TALK]
    assert (ready["type"], ready["name"]) == ("ready", "testbed")
    assert replies == [{"type": "reply", **reply} for reply in await in_process(*TALK)]


async def test_a_streamed_reply_comes_in_pieces_that_make_the_reply() -> None:
    async with client_of() as client, client.ws_connect("/ws") as socket:
        await socket.send_json({"stream": True})
        await socket.receive_json()
        await socket.send_json({"utterance": TALK[0]})
        messages = [await socket.receive_json()]
        while messages[-1]["type"] == "chunk":
            messages.append(await socket.receive_json())
    (whole,) = await in_process(TALK[0])
    assert len(messages) > 3
    assert "".join(message["text"] for message in messages) == whole["text"]
    assert messages[-1] == {**whole, "type": "done", "text": ""}


async def test_an_utterance_that_nobody_says_is_refused_and_the_connection_stays() -> None:
    async with client_of() as client, client.ws_connect("/ws") as socket:
        await socket.send_json({})
        await socket.receive_json()
        refused = await said(socket, "a" * (MAX_CHARS + 1))
        assert (refused["type"], refused["error"]["code"]) == ("error", 413)
        assert refused["error"]["where"] == "turn.utterance"
        assert (await said(socket, TALK[0]))["type"] == "reply"


@pytest.mark.parametrize(
    ("hello", "where"),
    [
        ("hello", "hello"),
        ('{"utterance": "Hi"}', "hello.utterance"),
        ('{"context": {"date": "today"}}', "context date"),
    ],
)
async def test_a_wrong_hello_is_told_and_the_connection_ends(hello: str, where: str) -> None:
    async with client_of() as client, client.ws_connect("/ws") as socket:
        await socket.send_str(hello)
        answer = await socket.receive_json()
        end = await socket.receive()
    assert (answer["type"], where in answer["error"]["where"]) == ("error", True)
    assert end.data == aiohttp.WSCloseCode.POLICY_VIOLATION


async def test_a_wrong_turn_is_told_and_the_session_goes_on() -> None:
    async with client_of() as client, client.ws_connect("/ws") as socket:
        await socket.send_json({})
        await socket.receive_json()
        await socket.send_str("Take me to Pasing")
        assert (await socket.receive_json())["error"]["where"] == "turn"
        assert (await said(socket, TALK[0]))["type"] == "reply"


async def test_hanging_up_ends_the_session() -> None:
    async with client_of(limits=SessionLimits(max_sessions=1)) as client:
        for _ in range(2):
            async with client.ws_connect("/ws") as socket:
                await socket.send_json({})
                assert (await socket.receive_json())["type"] == "ready"


async def test_a_server_that_stops_says_good_bye() -> None:
    async with aiohttp.ClientSession() as other:
        async with client_of() as client:
            health = await client.get("/health")
            socket = await other.ws_connect(health.url.with_path("/ws"))
            await socket.send_json({})
            await socket.receive_json()
        end = await socket.receive()
        await socket.close()
    assert (end.type, end.data) == (aiohttp.WSMsgType.CLOSE, aiohttp.WSCloseCode.GOING_AWAY)
