"""Credentials of an assistant behind HTTP never come back: not in messages, replies, tracebacks or representations.

The inputs are those of a public report about keys in logs and echoed errors.
"""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from collections.abc import Callable
from typing import Any

import pytest
from aiohttp import web

from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import HttpRequest, HttpSession, HttpStream, HttpSut
from hairpin.errors import HairpinError, SutConnectionError, SutError
from hairpin.sut.http_adapter import HttpAdapter
from hairpin.sut.http_client import LostConnectionError
from tests.sut.http_servers import Heard, Streamed, asked, serving, status

pytestmark = pytest.mark.anyio

ENVIRON = {
    "BOT_USER": "bot-name",
    "BOT_PASSWORD": "s3cret/PW",
    "API_KEY": "KEY-abc123",
    "TOKEN": "TOK-zzz999",
    "OPENAI_API_KEY": "sk-test-000111",
}
SECRETS = (*ENVIRON.values(), "s3cret%2FPW", "Ym90LW5hbWU6czNjcmV0L1BX")


def spec_for(url: str, **fields: Any) -> HttpSut:
    request = HttpRequest(
        url=url.replace("://", "://{env.BOT_USER}:{env.BOT_PASSWORD}@") + "/{env.TOKEN}/chat?api_key={env.API_KEY}",
        headers={"X-Auth": "Token {env.TOKEN}"},
        body={"key": "{env.OPENAI_API_KEY}", "text": "{utterance}"},
    )
    return HttpSut(request=request, **fields)


def told(heard: Heard) -> str:
    return json.dumps({"headers": dict(heard.headers), "url": str(heard.request.rel_url), "body": heard.json})


def shown(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))


@pytest.mark.parametrize(
    "answer",
    [
        lambda heard: status(422, {"detail": told(heard)}),
        lambda heard: status(500, told(heard)),
        lambda heard: status(429, told(heard)),
        lambda heard: web.json_response({"nothing": told(heard)}),
        lambda heard: web.Response(text=f"<title>{told(heard)}</title>", content_type="text/html"),
        lambda heard: status(307, Location=f"https://{heard.headers['X-Auth'].split()[1]}.example/"),
        lambda heard: Streamed([f"data: {told(heard)}\n\n".encode()], "text/event-stream"),
    ],
)
async def test_an_assistant_that_echoes_the_request_in_an_error_tells_no_secret(
    answer: Callable[[Heard], Any], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with serving(answer) as server:
        adapter = HttpAdapter(spec_for(server.url, reply={"text": "words"}), environ=ENVIRON)
        session = await adapter.open(SessionStart(conversation_id="c"))
        with pytest.raises(SutError) as caught:
            await session.send("Hi")
        assert server.heard[0].json["key"] == "sk-test-000111", "it was sent, of course"
        assert server.heard[0].headers["Authorization"] == "Basic Ym90LW5hbWU6czNjcmV0L1BX"
        await adapter.aclose()
    own_logs = [record.getMessage() for record in caplog.records if record.name != "aiohttp.access"]
    texts = [shown(caught.value), repr(adapter), repr(session), str(adapter.describe()), *own_logs]
    assert [secret for secret in SECRETS for text in texts if secret.lower() in text.lower()] == []
    assert f"{server.url}/{{env.TOKEN}}/chat" in str(caught.value), "host and path are shown, as they are written"


@pytest.mark.parametrize(
    ("answer", "fields"),
    [
        (
            lambda heard: {"words": told(heard), "car": {"echo": [told(heard)]}},
            {"reply": {"text": "words", "state": "car"}},
        ),
        (lambda heard: told(heard).replace("{", "("), {}),
        (
            lambda heard: Streamed([f"data: {json.dumps({'d': c})}\n\n".encode() for c in told(heard)]),
            {"stream": HttpStream(text="d", done=None)},
        ),
    ],
)
async def test_an_assistant_that_echoes_the_request_in_a_reply_tells_no_secret(
    answer: Callable[[Heard], Any], fields: dict[str, Any]
) -> None:
    """Also letter by letter."""
    async with serving(answer) as server:
        reply = await asked(spec_for(server.url, **fields), environ=ENVIRON)
    assert isinstance(reply, SutReply)
    assert [secret for secret in SECRETS if secret in reply.model_dump_json()] == []
    assert "***" in reply.text


async def test_neither_a_server_that_is_down_nor_one_that_opens_no_session_shows_a_secret() -> None:
    opening = HttpRequest(url="http://127.0.0.1:9/{env.TOKEN}?key={env.API_KEY}")
    errors: list[HairpinError] = []
    for spec in (spec_for("http://127.0.0.1:9"), spec_for("http://h", session=HttpSession(open=opening))):
        with pytest.raises(SutConnectionError) as caught:
            await asked(spec, environ=ENVIRON)
        errors.append(caught.value)
    async with serving(lambda heard: told(heard)) as server:
        opening = opening.model_copy(update={"url": opening.url.replace("http://127.0.0.1:9", server.url)})
        with pytest.raises(SutError) as refused:
            await asked(spec_for(server.url, session=HttpSession(open=opening, id="id")), environ=ENVIRON)
        errors.append(refused.value)
    assert [secret for secret in SECRETS for error in errors if secret in shown(error)] == []


async def test_what_is_no_http_and_repeats_the_request_is_told_without_secrets() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request_line = await reader.readline()
        writer.write(b"you said " + request_line)
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        spec = HttpSut(
            request=HttpRequest(
                url=f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/{{env.TOKEN}}?k={{env.API_KEY}}"
            )
        )
        with pytest.raises(LostConnectionError, match="what it sent is not HTTP") as caught:
            await asked(spec, environ=ENVIRON)
    assert [secret for secret in SECRETS if secret in shown(caught.value)] == []
