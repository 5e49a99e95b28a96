"""What comes back: replies by their paths, and errors that say what came instead."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from aiohttp import web

from hairpin.domain.sut import SutReply
from hairpin.errors import SutError
from tests.sut.http_servers import asked, http_sut, serving, status

pytestmark = pytest.mark.anyio


async def error_of(answer: Any, **fields: Any) -> str:
    async with serving(lambda heard: answer) as server:
        with pytest.raises(SutError) as caught:
            await asked(http_sut(server, **fields))
        return str(caught.value).replace(server.url, "http://host")


def json_text(text: str) -> web.Response:
    return web.Response(text=text, content_type="application/json")


@pytest.mark.parametrize(
    ("answer", "fields", "reply"),
    [
        ({"reply": None}, {}, SutReply(text="")),
        ({"reply": 7}, {}, SutReply(text="7")),
        ({"reply": True}, {}, SutReply(text="true")),
        ({"reply": "half \ud83d"}, {}, SutReply(text="half �")),
        ({"a": [{"b": "x"}]}, {"reply": {"text": "a[-1].b"}}, SutReply(text="x")),
        ("plain words\n", {"reply": {}}, SutReply(text="plain words\n")),
        (status(200, ""), {"reply": {}}, SutReply(text="")),
        (status(204), {"reply": {}}, SutReply(text="")),
        (web.json_response("a JSON text"), {"reply": {}}, SutReply(text="a JSON text")),
        (
            {"reply": "Bye", "done": True, "car": {"speed": 3}},
            {"reply": {"text": "reply", "ended": "done", "state": "car"}},
            SutReply(text="Bye", ended=True, state={"speed": 3}),
        ),
        ({"reply": "x", "error": None}, {"reply": {"text": "reply", "error": "error"}}, SutReply(text="x")),
    ],
)
async def test_a_reply_is_found_by_its_paths(answer: Any, fields: dict[str, Any], reply: SutReply) -> None:
    made = (
        (lambda heard: web.Response(text=answer.text, status=answer.status, content_type=answer.content_type))
        if (isinstance(answer, web.Response))
        else (lambda heard: answer)
    )
    async with serving(made) as server:
        assert await asked(http_sut(server, **fields)) == reply


@pytest.mark.parametrize(
    ("answer", "fields", "said"),
    [
        (
            {"text": "x"},
            {},
            "http://host/chat answered without 'reply', where the reply's text is said to be: {",
        ),
        ({"reply": {"text": "x"}}, {}, "an object instead of a text at 'reply'"),
        ({"reply": ["x"]}, {}, "a list instead of a text at 'reply'"),
        ("no JSON", {}, "answered with no JSON: no JSON"),
        (json_text('{"reply": "x", "n": 1e999}'), {}, "http://host/chat answered with unreadable JSON (1e999 is too"),
        (json_text('{"n": 1e999}'), {"reply": {}}, "http://host/chat answered with unreadable JSON (1e999 is too"),
        (json_text("[" * 90_000), {}, "http://host/chat answered with unreadable JSON (nested too deeply): [["),
        ({"response": "x"}, {"reply": {}}, 'answered with JSON: {"response": "x"}; say in \'reply\' where in it'),
        (
            {"reply": "x", "e": {"message": "m"}},
            {"reply": {"text": "reply", "error": "e"}},
            'an error: {"mes',
        ),
        ({"reply": "x", "s": [1]}, {"reply": {"text": "reply", "state": "s"}}, "has no object at 's'"),
        (status(500, {"why": "boom"}), {"reply": {"error": "why"}}, "answered with status 500: boom"),
        (status(422, {"detail": "bad"}), {}, "answered with status 422: bad"),
        (status(500, "long\nwords " * 500), {}, "answered with status 500: long words long"),
        (status(304), {}, "answered with status 304: nothing"),
    ],
)
async def test_what_is_no_reply_is_an_error_that_says_what_came(answer: Any, fields: dict[str, Any], said: str) -> None:
    message = await error_of(answer, **fields)
    assert said in message
    assert len(message) < 450


async def test_a_page_is_no_reply() -> None:
    page = web.Response(text="<!DOCTYPE html><title>Log in</title>", content_type="text/html")
    assert "answered with a page titled 'Log in', which is no reply" in await error_of(page, reply={})


@pytest.mark.parametrize(
    "page",
    [
        "<html><p>Sorry",
        "<!-- gateway 7 -->\n<!---->\n<html>",
        "<HEAD><meta charset=utf-8>",
        "\n <body>down for maintenance</body>",
        "<h1>It works!</h1>",
        '<?xml version="1.0"?><html/>',
        "<!-- nothing else -->",
        "<!-- open",
    ],
)
async def test_a_page_is_known_by_how_it_begins(page: str) -> None:
    answer = web.Response(text=page, content_type="text/html")
    assert "which is no reply" in await error_of(answer, reply={})


@pytest.mark.parametrize(
    "words", ["On my way.", "<b>On</b> my way.", "<!-- v1 -->On my way.", "<heading> is a word", "1 < 2", ""]
)
async def test_words_that_are_sent_as_a_page_are_a_reply(words: str) -> None:
    async with serving(lambda heard: web.Response(text=words, content_type="text/html")) as server:
        assert await asked(http_sut(server, reply={})) == SutReply(text=words)


async def test_what_is_sent_as_plain_text_is_a_reply_even_if_it_looks_like_a_page() -> None:
    async with serving(lambda heard: web.Response(text="<html> is a tag", content_type="text/plain")) as server:
        assert await asked(http_sut(server, reply={})) == SutReply(text="<html> is a tag")


async def test_a_stream_that_nobody_configured_is_not_waited_for() -> None:
    stream = web.Response(text="data: x\n\n", content_type="text/event-stream")
    assert "answered with text/event-stream, a stream, which 'sut' does not say; set 'stream:" in await error_of(stream)


@pytest.mark.parametrize("compressed", [False, True])
async def test_an_answer_is_counted_as_it_is_unpacked(compressed: bool) -> None:
    data = json.dumps({"reply": "0" * 1_000_000}).encode()
    answer = web.Response(body=data, content_type="application/json")
    if compressed:
        answer = web.Response(
            body=gzip.compress(data), content_type="application/json", headers={"Content-Encoding": "gzip"}
        )
    message = await error_of(answer, max_reply_bytes=500_000)
    assert message == (
        "http://host/chat sent more than 500000 bytes in one answer; if that is right, raise 'max_reply_bytes'"
    )
