"""A server that stands in for an assistant behind HTTP and misbehaves as it is told.

It knows where a reply's words belong from the specification, and nothing else of the assistant.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import StrEnum
from typing import Final

import anyio
from aiohttp import web
from pydantic import JsonValue

from hairpin.domain.json_paths import parse_path
from hairpin.domain.sut_spec import HttpRequest, HttpSut, Match, OpenAiCompatibleSut

GOOD_WORDS: Final = "This reply is in order."
LIMIT_BYTES: Final = 64 * 1024
SLOW_S: Final = 0.6
_SESSION_ID: Final = "session-1"


class Manner(StrEnum):
    """How the stand-in answers the next turn."""

    GOOD = "good"
    EMPTY = "empty"
    SLOW = "slow"
    ERROR_STATUS = "error status"
    ERROR_OBJECT = "error object"
    OVERSIZED = "oversized"
    GARBAGE = "garbage"
    HANG_UP = "hang-up"
    REDIRECT = "redirect"


class StandIn:
    """Answers every request; ``manner`` is how turns are answered, ``visits`` counts what came after a redirect."""

    def __init__(self, spec: HttpSut | OpenAiCompatibleSut) -> None:
        self.manner = Manner.GOOD
        self.visits = 0
        self.elsewhere = ""
        self._spec = spec

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer one request."""
        if not request.path.startswith("/turn"):
            return web.json_response(_opened(self._spec))
        match self.manner:
            case Manner.SLOW:
                await anyio.sleep(SLOW_S)
            case Manner.ERROR_STATUS:
                return web.json_response({"error": {"message": "out of order"}}, status=500)
            case Manner.GARBAGE:
                return web.Response(body=b"\xff\xfe{<not what was asked for>", content_type="application/json")
            case Manner.HANG_UP:
                return await _broken_off(request)
            case Manner.REDIRECT:
                return web.Response(status=307, headers={"Location": self.elsewhere})
        return self._words({Manner.EMPTY: "", Manner.OVERSIZED: "much " * LIMIT_BYTES}.get(self.manner, GOOD_WORDS))

    async def elsewhere_asked(self, _: web.Request) -> web.Response:
        """Count a request that was to stay with the configured host."""
        self.visits += 1
        return self._words(GOOD_WORDS)

    def _words(self, words: str) -> web.Response:
        if self.manner is Manner.ERROR_OBJECT and isinstance(self._spec, HttpSut) and self._spec.reply.error:
            return web.json_response(tree_with({self._spec.reply.error: "out of order"}))
        return web.Response(text=answer_text(self._spec, words), content_type=_content_type(self._spec))


def tree_with(values: dict[str, JsonValue]) -> JsonValue:
    """Return the smallest JSON value in which each path holds its value."""
    tree: JsonValue = None
    for path, value in values.items():
        tree = _placed(tree, parse_path(path), value)
    return tree


def answer_text(spec: HttpSut | OpenAiCompatibleSut, words: str) -> str:
    """Return a well-formed answer that says ``words``, as the body of a response."""
    if isinstance(spec, OpenAiCompatibleSut):
        choice: JsonValue = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": words}}
        return json.dumps({"object": "chat.completion", "choices": [choice]})
    if spec.stream is not None:
        piece = _body(_at(spec.stream.text, words, spec.stream.until))
        lines = [piece] + ([spec.stream.done] if spec.stream.done is not None else [])
        return "".join(f"data: {line}\n\n" if spec.stream.format == "sse" else f"{line}\n" for line in lines)
    return _body(_at(spec.reply.text, words, spec.poll.until if spec.poll else None))


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
async def serving(stand_in: StandIn) -> AsyncIterator[str]:
    """Serve the stand-in, and another host beside it, on loopback; yield its address."""
    async with _site(stand_in.elsewhere_asked) as other, _site(stand_in.answer) as base:
        stand_in.elsewhere = f"{other}/turn"
        yield base


@asynccontextmanager
async def _site(handler: object) -> AsyncIterator[str]:
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


def _at(path: str, words: str, until: Match | None) -> JsonValue:
    values: dict[str, JsonValue] = {path: words}
    if until is not None and until.path:
        values[until.path] = until.equals[0] if until.equals else True
    return tree_with(values)


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


def _placed(tree: JsonValue, path: tuple[str | int, ...], value: JsonValue) -> JsonValue:
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(step, str):
        known = dict(tree) if isinstance(tree, dict) else {}
        return {**known, step: _placed(known.get(step), rest, value)}
    items = list(tree) if isinstance(tree, list) else []
    size = max(len(items), step + 1 if step >= 0 else -step)
    items += [None] * (size - len(items))
    items[step] = _placed(items[step], rest, value)
    return items
