"""A real HTTP server for tests of adapters: answers as a function says, remembers what it was asked.

On 127.0.0.1 only.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from pydantic import JsonValue

from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import HttpRequest, HttpSut
from hairpin.ports import SutSession
from hairpin.sut.http_adapter import HttpAdapter


@dataclass(frozen=True)
class Heard:
    """One request as it came."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    text: str
    json: Any
    request: web.Request

    def raw(self, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> Awaitable[web.StreamResponse]:
        """Return what ``handler`` makes of the request itself."""
        return handler(self.request)


@dataclass
class Server:
    """A running server: its address and what it heard."""

    url: str
    heard: list[Heard] = field(default_factory=list)

    @property
    def bodies(self) -> list[Any]:
        """The bodies as JSON."""
        return [heard.json for heard in self.heard]


def status(code: int, body: JsonValue | str = "", **headers: str) -> web.Response:
    """Return an answer with this status; a text as plain text, all else as JSON."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    if isinstance(body, str):
        return web.Response(status=code, text=body, headers=names)
    return web.json_response(body, status=code, headers=names)


@dataclass(frozen=True)
class Streamed:
    """An answer in chunks."""

    chunks: Sequence[bytes]
    content_type: str = "text/event-stream"
    broken: bool = False


@asynccontextmanager
async def serving(answer: Callable[[Heard], Any]) -> AsyncIterator[Server]:
    """Serve ``answer``: it returns a text, an object (as JSON), a response, a ``Streamed``, or awaits one of them."""
    server = Server("")

    async def handle(request: web.Request) -> web.StreamResponse:
        heard = await _heard(request)
        server.heard.append(heard)
        found = answer(heard)
        if isinstance(found, Awaitable):
            found = await found
        if isinstance(found, Streamed):
            return await _stream(request, found)
        return found if isinstance(found, web.StreamResponse) else status(200, found)

    app = web.Application(client_max_size=64 * 1024**2)
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    server.url = f"http://{host}:{port}"
    try:
        yield server
    finally:
        await runner.cleanup()


async def _heard(request: web.Request) -> Heard:
    text = await request.text()
    is_json = request.content_type == "application/json"
    return Heard(
        method=request.method,
        path=request.path,
        query=dict(request.query),
        headers=dict(request.headers),
        text=text,
        json=await request.json() if is_json and text else None,
        request=request,
    )


async def _stream(request: web.Request, streamed: Streamed) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": streamed.content_type})
    await response.prepare(request)
    for chunk in streamed.chunks:
        await response.write(chunk)
    if streamed.broken and request.transport is not None:
        request.transport.abort()
        return response
    await response.write_eof()
    return response


def http_sut(server: Server, path: str = "/chat", **fields: Any) -> HttpSut:
    """Return the specification of an assistant at ``path``; ``method``, ``headers`` and ``body`` are the request's."""
    request = {key: fields.pop(key) for key in ("method", "headers", "body") if key in fields}
    request.setdefault("body", {"message": "{utterance}"})
    fields.setdefault("reply", {"text": "reply"})
    return HttpSut(request=HttpRequest(url=server.url + path, **request), **fields)


@asynccontextmanager
async def session_with(
    spec: HttpSut, *, environ: Mapping[str, str] | None = None, start: SessionStart | None = None
) -> AsyncIterator[SutSession]:
    """Open a session and close it with its adapter."""
    adapter = HttpAdapter(spec, environ=environ or {}, back_off_s=0.001)
    try:
        session = await adapter.open(start or SessionStart(conversation_id="c1"))
        try:
            yield session
        finally:
            await session.close()
    finally:
        await adapter.aclose()


async def asked(spec: HttpSut, utterance: str = "Hi", **kwargs: Any) -> SutReply:
    """Return the reply to one utterance."""
    async with session_with(spec, **kwargs) as session:
        reply = await session.send(utterance)
    assert isinstance(reply, SutReply)
    return reply
