"""A misbehaving server in the assistant's place: the adapters of Hairpin tell it from a reply, careless ones do not."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest

from hairpin.domain.json_paths import parse_path, value_at
from hairpin.domain.sut import SessionStart
from hairpin.domain.sut_spec import (
    HttpPolling,
    HttpRequest,
    HttpSession,
    HttpStream,
    HttpSut,
    Match,
    OpenAiCompatibleSut,
    ProcessSut,
    ReplyPaths,
    SutSpec,
    WebSocketSut,
)
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.build import build_adapter
from hairpin.sut.conformance.misbehaviour import StandInSpec, check_misbehaviour
from hairpin.sut.conformance.report import CheckStatus, ConformanceSettings
from hairpin.sut.conformance.stand_in import tree_with

pytestmark = pytest.mark.anyio

REQUEST = HttpRequest(url="https://bot.example/v1/{session_id}/chat?lang=en", body={"message": "{utterance}"})
SPECS: dict[str, StandInSpec] = {
    "openai-compatible": OpenAiCompatibleSut(base_url="https://bot.example/v1", model="m"),
    "json": HttpSut(request=REQUEST, reply=ReplyPaths(text="data[0].words", error="error")),
    "plain text": HttpSut(request=REQUEST),
    "with sessions": HttpSut(
        request=REQUEST,
        reply=ReplyPaths(text="words"),
        session=HttpSession(open=HttpRequest(url="https://bot.example/new"), id="session.id"),
    ),
    "id told by the first answer": HttpSut(
        request=REQUEST, reply=ReplyPaths(text="words"), session=HttpSession(id="session.id")
    ),
    "stream": HttpSut(request=REQUEST, stream=HttpStream(text="delta")),
    "polling": HttpSut(
        request=REQUEST,
        reply=ReplyPaths(text="words"),
        poll=HttpPolling(
            request=HttpRequest(url="https://bot.example/jobs", method="GET"),
            until=Match(path="status", equals=("done",)),
        ),
    ),
    "websocket": WebSocketSut(url="wss://bot.example/chat", reply=ReplyPaths(text="words", error="error")),
    "websocket in plain text": WebSocketSut(url="wss://bot.example/chat"),
    "websocket in pieces": WebSocketSut(
        url="wss://bot.example/chat",
        hello={"session": "{session_id}"},
        ready=Match(path="type", equals=("ready",)),
        send={"say": "{utterance}"},
        reply=ReplyPaths(text="delta"),
        until=Match(path="type", equals=("end",)),
    ),
    "websocket with other messages": WebSocketSut(
        url="wss://bot.example/chat",
        reply=ReplyPaths(text="words"),
        only=Match(path="type", equals=("reply",)),
        until=Match(path="", equals=("[DONE]",)),
        full=True,
    ),
    "program": ProcessSut(command=("./bot",), folder="/nowhere", hello={"hello": "{session_id}"}, bye={"bye": True}),
    "shared program": ProcessSut(
        command=("./bot",), id="id", hello={"hello": 1}, send={"id": "{turn_id}", "text": "{utterance}"}
    ),
}
SETTINGS = ConformanceSettings(timeout_s=5)


def build(spec: SutSpec) -> SutAdapter:
    return build_adapter(spec, default_gguf=None, environ={})


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
async def test_an_adapter_by_configuration_tells_every_misbehaviour_from_a_reply(spec: StandInSpec) -> None:
    status, detail = await check_misbehaviour(spec, build, SETTINGS)
    assert status is CheckStatus.OK, detail
    assert "hang-up" in detail


class _Careless(SutAdapter):
    """Takes whatever comes for a reply, from whichever host."""

    def __init__(self, url: str) -> None:
        self.url = url

    async def open(self, start: SessionStart) -> SutSession:
        return _CarelessSession(self.url)


class _CarelessSession(SutSession):
    def __init__(self, url: str) -> None:
        self._url = url

    async def send(self, utterance: str) -> str:
        async with aiohttp.ClientSession() as client, client.post(self._url, json={"message": utterance}) as response:
            return (await response.read()).decode(errors="replace")


class _KeepsTheLine(_Careless):
    """Asks in a task that goes on when its turn is given up."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.asking: set[asyncio.Task[str]] = set()

    async def open(self, start: SessionStart) -> SutSession:
        return _KeepsTheLineSession(self)


class _KeepsTheLineSession(_CarelessSession):
    def __init__(self, adapter: _KeepsTheLine) -> None:
        super().__init__(adapter.url)
        self._adapter = adapter

    async def send(self, utterance: str) -> str:
        task = asyncio.get_running_loop().create_task(super().send(utterance))
        self._adapter.asking.add(task)
        return await asyncio.shield(task)


async def test_a_request_that_outlives_its_turn_is_found() -> None:
    made: list[_KeepsTheLine] = []

    def keeps(spec: StandInSpec) -> SutAdapter:
        assert isinstance(spec, HttpSut)
        made.append(_KeepsTheLine(spec.request.url))
        return made[0]

    status, detail = await check_misbehaviour(SPECS["plain text"], keeps, SETTINGS)
    await asyncio.gather(*made[0].asking, return_exceptions=True)
    assert status is CheckStatus.FAILED
    assert "slow: the connection of a turn that was given up stays open" in detail


class _OneLine(SutAdapter):
    """Takes whatever comes next on its socket for the reply to what was said last."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def open(self, start: SessionStart) -> SutSession:
        client = aiohttp.ClientSession()
        return _OneLineSession(client, await client.ws_connect(self._url))


class _OneLineSession(SutSession):
    def __init__(self, client: aiohttp.ClientSession, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._client = client
        self._socket = socket

    async def send(self, utterance: str) -> str:
        await self._socket.send_str(utterance)
        return str((await self._socket.receive()).data)

    async def close(self) -> None:
        await self._socket.close()
        await self._client.close()


async def test_a_late_reply_that_is_taken_for_the_next_is_found() -> None:
    def careless(spec: StandInSpec) -> SutAdapter:
        assert isinstance(spec, WebSocketSut)
        return _OneLine(spec.url)

    status, detail = await check_misbehaviour(SPECS["websocket in plain text"], careless, SETTINGS)
    assert status is CheckStatus.FAILED
    assert "slow: the next turn got the late reply" in detail
    assert "hang-up: it was taken for the reply" in detail


async def test_what_the_stand_in_cannot_speak_is_not_judged() -> None:
    spec = WebSocketSut(url="ws://bot.example", only=Match(path="type", equals=("reply",)))
    status, detail = await check_misbehaviour(spec, build, SETTINGS)
    assert status is CheckStatus.SKIPPED
    assert "could not speak" in detail


async def test_an_adapter_that_takes_anything_for_a_reply_is_found() -> None:
    def careless(spec: StandInSpec) -> SutAdapter:
        assert isinstance(spec, HttpSut)
        return _Careless(spec.request.url)

    status, detail = await check_misbehaviour(SPECS["plain text"], careless, SETTINGS)
    assert status is CheckStatus.FAILED
    assert "error status: it was taken for the reply" in detail
    assert "redirect: another host was asked" in detail
    assert "oversized: it was taken for the reply" in detail


@pytest.mark.parametrize("path", ["words", "data[1].words", "choices[0].message.content", "items[-1]", ""])
def test_a_value_is_where_its_path_says(path: str) -> None:
    assert value_at(tree_with({path: "here"}), parse_path(path)) == "here"


def test_several_paths_share_a_tree() -> None:
    assert tree_with({"a.b": 1, "a.c[0]": 2}) == {"a": {"b": 1, "c": [2]}}
