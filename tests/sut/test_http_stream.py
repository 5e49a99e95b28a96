"""Replies that come in pieces: joined, ended by what the configuration says, and never half of one."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest
from aiohttp import web
from pydantic import JsonValue

from hairpin.domain.sut import SutReply
from hairpin.domain.sut_spec import HttpStream, Match, ReplyPaths
from hairpin.errors import SutError
from tests.sut.http_servers import Heard, Streamed, asked, http_sut, serving, session_with, status

pytestmark = pytest.mark.anyio

DELTAS = HttpStream(text="d")


def events(*pieces: JsonValue | str) -> bytes:
    return "".join(f"data: {piece if isinstance(piece, str) else json.dumps(piece)}\n\n" for piece in pieces).encode()


def lines(*pieces: JsonValue) -> bytes:
    return "".join(json.dumps(piece) + "\n" for piece in pieces).encode()


def sse(*pieces: JsonValue | str) -> Streamed:
    return Streamed([events(*pieces)])


async def reply_to(answer: Any, stream: HttpStream, **fields: Any) -> SutReply:
    async with serving(lambda heard: answer) as server:
        return await asked(http_sut(server, stream=stream, **fields))


async def error_of(answer: Any, stream: HttpStream, **fields: Any) -> str:
    with pytest.raises(SutError) as caught:
        await reply_to(answer, stream, **fields)
    return str(caught.value)


NDJSON = "application/x-ndjson"
LAST = Match(path="done")


@pytest.mark.parametrize(
    ("answer", "stream", "text"),
    [
        (sse({"d": "Hel"}, {"d": "lo"}, "[DONE]"), DELTAS, "Hello"),
        (sse({"role": "a"}, {"d": ""}, {"d": None}, {"d": "x"}, {"usage": 1}, "[DONE]"), DELTAS, "x"),
        (sse("Hel", "lo ", "you", "[DONE]"), HttpStream(), "Hello you"),
        (sse("no end", " is needed"), HttpStream(done=None), "no end is needed"),
        (sse({"d": "a"}, {"d": "b", "done": True}), HttpStream(text="d", done=None, until=LAST), "ab"),
        (sse({"d": "a"}, "[DONE]"), HttpStream(text="d", until=LAST), "a"),
        (sse({"d": "H"}, {"d": "He"}, {"x": 1}, {"d": "Hey"}, "[DONE]"), HttpStream(text="d", full=True), "Hey"),
        (Streamed([b'data: {"d": "a"}\n\nevent: end\ndata: {}\n\n']), HttpStream(text="d", done="event: end"), "a"),
        (Streamed([b'data: {"d": "a"}\n\nevent: end\n\n']), HttpStream(text="d", done="event: end"), "a"),
        (Streamed([b': hi\n\nevent: ping\n\ndata: {"d": "a"}\n\ndata: [DONE]']), DELTAS, "a"),
        (Streamed([bytes([byte]) for byte in events({"d": "é👍"}, "[DONE]")]), DELTAS, "é👍"),
        (
            Streamed([lines({"m": {"c": "a"}}, {"m": {"c": "b"}, "done": True})], NDJSON),
            HttpStream(format="lines", text="m.c", done=None, until=LAST),
            "ab",
        ),
        (Streamed([b"one\n\ntwo"], "text/plain"), HttpStream(format="lines", done=None), "one\ntwo"),
        (sse("[DONE]"), HttpStream(), ""),
        (sse({"d": ""}, "[DONE]"), DELTAS, ""),
    ],
)
async def test_pieces_become_one_reply(answer: Streamed, stream: HttpStream, text: str) -> None:
    assert await reply_to(answer, stream) == SutReply(text=text)


async def test_end_and_state_may_be_in_any_piece_and_the_last_state_counts() -> None:
    paths = ReplyPaths(ended="bye", state="car")
    answer = sse({"d": "a", "car": {"v": 1}}, {"bye": True}, {"car": {"v": 2}}, {"d": "b"}, "[DONE]")
    assert await reply_to(answer, DELTAS, reply=paths) == SutReply(text="ab", ended=True, state={"v": 2})


@pytest.mark.parametrize(
    ("answer", "stream", "said"),
    [
        (sse({"d": "half"}), DELTAS, "broke off: the stream ended before '[DONE]', as 'stream' expects it"),
        (
            sse({"d": "half"}),
            HttpStream(text="d", until=LAST),
            "the stream ended before a piece whose 'done' says so or '[DONE]'",
        ),
        (Streamed([events({"d": "half"})], broken=True), DELTAS, "was lost: the answer broke off"),
        (Streamed([events({"d": "half"})], broken=True), HttpStream(text="d", done=None), "the answer broke off"),
        (Streamed([b"event: error\ndata: out of memory\n\n"]), DELTAS, "broke off with an error: out of memory"),
        (sse({"d": "a"}, {"err": "overloaded"}), DELTAS, "answered with an error: overloaded"),
        (sse({"d": "a"}, "[END]"), DELTAS, "a piece that is no JSON: [END]; if that ends the stream, write it in"),
        (sse('{"d": 1e999}'), DELTAS, "streamed unreadable JSON (1e999 is too large a number): {"),
        (sse({"x": "a"}, "[DONE]"), DELTAS, "no piece with 'd', where 'stream.text' looks; first: {\"x\": \"a\"}"),
        (sse({"d": {"x": 1}}), DELTAS, "an object instead of a text at 'd'"),
        (sse({"d": "a", "car": 7}, "[DONE]"), DELTAS, "has no object at 'car'"),
        ({"reply": "x"}, DELTAS, "answered with application/json, which is no stream of format 'sse'; ask it for one"),
        (sse("x"), HttpStream(format="lines"), "answered with text/event-stream, which is no stream of format 'lines'"),
        (status(500, {"detail": "boom"}), DELTAS, "answered with status 500: boom"),
    ],
)
async def test_half_a_reply_is_none(answer: Any, stream: HttpStream, said: str) -> None:
    assert said in await error_of(answer, stream, reply=ReplyPaths(error="err", state="car"))


async def test_a_whole_stream_is_counted_against_the_limit() -> None:
    many = Streamed([events({"d": "x" * 100})] * 100)
    assert "sent more than 5000 bytes in one answer; if that is right, raise 'max_reply_bytes'" in await error_of(
        many, DELTAS, max_reply_bytes=5000
    )


async def test_a_stream_is_asked_for_and_read_no_further_than_its_end() -> None:
    """A server may keep the connection open after the last piece."""
    gone = anyio.Event()

    async def answer(request: web.Request) -> web.StreamResponse:
        accepted.append(request.headers["Accept"])
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await response.write(events({"d": "all"}, "[DONE]", "never read"))
        try:
            await anyio.sleep_forever()
        finally:
            gone.set()
        return response

    accepted: list[str] = []
    async with serving(lambda heard: heard.raw(answer)) as server:
        assert await asked(http_sut(server, stream=DELTAS)) == SutReply(text="all")
        await gone.wait()
    assert accepted == ["text/event-stream"]


async def test_a_turn_that_is_cancelled_in_mid_stream_leaves_no_trace() -> None:
    gone = anyio.Event()

    async def slow(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await response.write(events({"d": "half"}))
        begun.set()
        try:
            await anyio.sleep_forever()
        finally:
            gone.set()
        return response

    def answer(heard: Heard) -> Any:
        return heard.raw(slow) if len(server.heard) == 1 else sse({"d": "whole"}, "[DONE]")

    begun = anyio.Event()
    async with serving(answer) as server:
        spec = http_sut(server, stream=DELTAS, body={"m": "{messages}"})
        async with session_with(spec) as session:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(session.send, "first")
                await begun.wait()
                tasks.cancel_scope.cancel()
            await gone.wait()
            assert await session.send("second") == SutReply(text="whole")
    assert [message["content"] for message in server.bodies[-1]["m"]] == ["second"]
