"""A server that stands in for an assistant behind HTTP and misbehaves as it is told.

It knows where a reply's words belong from the specification, and nothing else of the assistant.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import anyio
from aiohttp import web
from pydantic import JsonValue

from hairpin.domain.sut_spec import HttpRequest, HttpSut, Match, OpenAiCompatibleSut
from hairpin.sut.conformance.stand_in import (
    GOOD_WORDS,
    LATE_WORDS,
    LIMIT_BYTES,
    SLOW_S,
    Manner,
    matching,
    tree_with,
    words_in,
)

_SESSION_ID: Final = "session-1"


class HttpStandIn:
    """Answers every request."""

    def __init__(self, spec: HttpSut | OpenAiCompatibleSut) -> None:
        self.manner = Manner.GOOD
        self.elsewhere = ""
        self._n_visits = 0
        self._slow_over = anyio.Event()
        self._kept_open = False
        self._spec = spec

    @property
    def manners(self) -> tuple[Manner, ...]:
        """Return the bad manners that such an assistant may have."""
        left_out = {Manner.GOOD, Manner.BINARY}
        if isinstance(self._spec, HttpSut):
            left_out |= set() if self._spec.reply.error else {Manner.ERROR_OBJECT}
            plain = not self._spec.reply.text and self._spec.stream is None
            left_out |= {Manner.GARBAGE} if plain else set()
        else:
            left_out |= {Manner.ERROR_OBJECT, Manner.OVERSIZED}
        return tuple(manner for manner in Manner if manner not in left_out)

    async def seen(self) -> str:
        """Return what it saw of the adapter that should not be."""
        if self._n_visits:
            return "another host was asked: what users say would be sent there"
        if self._slow_over.is_set():
            return ""
        with anyio.move_on_after(2 * SLOW_S):
            await self._slow_over.wait()
        return "the connection of a turn that was given up stays open" if self._kept_open else ""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer one request."""
        if not request.path.startswith("/turn"):
            return web.json_response(_opened(self._spec))
        match self.manner:
            case Manner.SLOW:
                return await self._late(request)
            case Manner.ERROR_STATUS:
                return web.json_response({"error": {"message": "out of order"}}, status=500)
            case Manner.GARBAGE:
                return web.Response(body=b"\xff\xfe{<not what was asked for>", content_type="application/json")
            case Manner.HANG_UP:
                return await _broken_off(request)
            case Manner.REDIRECT:
                return web.Response(status=307, headers={"Location": self.elsewhere})
        return self._words(words_in(self.manner))

    async def elsewhere_asked(self, _: web.Request) -> web.Response:
        """Count a request that was to stay with the configured host."""
        self._n_visits += 1
        return self._words(GOOD_WORDS)

    async def _late(self, request: web.Request) -> web.Response:
        await anyio.sleep(SLOW_S)
        self._kept_open = request.transport is not None and not request.transport.is_closing()
        self._slow_over.set()
        return self._words(LATE_WORDS)

    def _words(self, words: str) -> web.Response:
        if self.manner is Manner.ERROR_OBJECT and isinstance(self._spec, HttpSut) and self._spec.reply.error:
            return web.json_response(tree_with({self._spec.reply.error: "out of order"}))
        return web.Response(text=answer_text(self._spec, words), content_type=_content_type(self._spec))


def answer_text(spec: HttpSut | OpenAiCompatibleSut, words: str) -> str:
    """Return a well-formed answer that says ``words``, as the body of a response."""
    if isinstance(spec, OpenAiCompatibleSut):
        choice: JsonValue = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": words}}
        return json.dumps({"object": "chat.completion", "choices": [choice]})
    if spec.stream is not None:
        piece = _body(tree_with({spec.stream.text: words, **_with_path(spec.stream.until), **_told(spec)}))
        lines = [piece] + ([spec.stream.done] if spec.stream.done is not None else [])
        return "".join(f"data: {line}\n\n" if spec.stream.format == "sse" else f"{line}\n" for line in lines)
    until = spec.poll.until if spec.poll else None
    return _body(tree_with({spec.reply.text: words, **_with_path(until), **_told(spec)}))


def moved(spec: HttpSut | OpenAiCompatibleSut, base: str) -> HttpSut | OpenAiCompatibleSut:
    """Return ``spec`` with every address at ``base``; templates and paths stay as they are."""
    if isinstance(spec, OpenAiCompatibleSut):
        return spec.model_copy(update={"base_url": f"{base}/turn", "api_key_env": None})
    session, poll = spec.session, spec.poll
    if session is not None:
        parts = {"open": _moved(session.open, f"{base}/open"), "close": _moved(session.close, f"{base}/close")}
        session = session.model_copy(update=parts)
    if poll is not None:
        poll = poll.model_copy(update={"request": _moved(poll.request, f"{base}/turn"), "interval_s": 0.02})
    return spec.model_copy(
        update={
            "request": _moved(spec.request, f"{base}/turn"),
            "session": session,
            "poll": poll,
            "max_reply_bytes": LIMIT_BYTES,
            "retries": 0,
        }
    )


@asynccontextmanager
async def http_stand_in(
    spec: HttpSut | OpenAiCompatibleSut,
) -> AsyncIterator[tuple[HttpStandIn, HttpSut | OpenAiCompatibleSut]]:
    """Serve one, and another host beside it, on loopback; yield it and ``spec`` with its address."""
    stand_in = HttpStandIn(spec)
    async with site(stand_in.elsewhere_asked) as other, site(stand_in.answer) as base:
        stand_in.elsewhere = f"{other}/turn"
        yield stand_in, moved(spec, base)


@asynccontextmanager
async def site(handler: object) -> AsyncIterator[str]:
    """Serve ``handler`` at every address of a host on loopback; yield that."""
    application = web.Application(client_max_size=64 * 1024**2)
    application.router.add_route("*", "/{path:.*}", handler)  # type: ignore[arg-type]  # a handler of aiohttp's
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        yield f"http://{host}:{port}"
    finally:
        with anyio.CancelScope(shield=True):
            await runner.cleanup()


async def _broken_off(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "1000", "Content-Type": "application/json"})
    await response.prepare(request)
    await response.write(b'{"text": "This is the begin')
    if request.transport is not None:
        request.transport.close()
    return response


def _opened(spec: HttpSut | OpenAiCompatibleSut) -> JsonValue:
    path = spec.session.id if isinstance(spec, HttpSut) and spec.session else None
    return tree_with({path: _SESSION_ID}) if path is not None else {}


def _told(spec: HttpSut) -> dict[str, JsonValue]:
    """Return the id of the session, where the answer to a turn tells it."""
    told = spec.session is not None and spec.session.open is None and spec.session.id
    return {told: _SESSION_ID} if told else {}


def _with_path(match: Match | None) -> dict[str, JsonValue]:
    return matching(match) if match is not None and match.path else {}


def _body(answer: JsonValue) -> str:
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def _content_type(spec: HttpSut | OpenAiCompatibleSut) -> str:
    if isinstance(spec, HttpSut) and spec.stream is not None:
        return "text/event-stream" if spec.stream.format == "sse" else "application/x-ndjson"
    plain = isinstance(spec, HttpSut) and not spec.reply.text
    return "text/plain" if plain else "application/json"


def _moved(request: HttpRequest | None, base: str) -> HttpRequest | None:
    if request is None:
        return None
    behind = request.url.partition("://")[2].partition("/")
    return request.model_copy(update={"url": f"{base}/{behind[2]}"})
