"""The WebSocket transport: a connection is a session.

Messages are JSON objects, one a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final
from weakref import WeakSet

import anyio
from aiohttp import WSCloseCode, WSMsgType, web
from pydantic import JsonValue

from hairpin.domain.sut import SutIdentity, SutReply
from hairpin.testbed.server.problems import RequestProblem, json_bytes, problem_of
from hairpin.testbed.server.sessions import Sessions
from hairpin.testbed.server.wire import OpenRequest, TurnRequest, bounded, parse, pieces, reply_body

_HEARTBEAT_S: Final = 30.0
_BYE_TIMEOUT_S: Final = 2.0


class Hello(OpenRequest):
    """The first frame. ``stream``: replies come in pieces."""

    stream: bool = False


class WebSocketRoutes:
    """``/ws``: hello, ready, then utterances and replies.

    Args:
        sessions: those of the server.
        identity: who answers.
        new_id: names conversations that come without a name.
        max_bytes: the longest frame taken.
    """

    def __init__(self, sessions: Sessions, identity: SutIdentity, *, new_id: Callable[[], str], max_bytes: int) -> None:
        self._sessions = sessions
        self._identity = identity
        self._new_id = new_id
        self._max_bytes = max_bytes
        self._sockets: WeakSet[web.WebSocketResponse] = WeakSet()

    def routes(self) -> tuple[web.RouteDef, ...]:
        """Return what is served."""
        return (web.get("/ws", self._connected),)

    async def aclose(self) -> None:
        """Say good-bye to every client."""
        for socket in tuple(self._sockets):
            with anyio.move_on_after(_BYE_TIMEOUT_S):
                await socket.close(code=WSCloseCode.GOING_AWAY, message=b"the server stops")

    async def _connected(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(heartbeat=_HEARTBEAT_S, max_msg_size=self._max_bytes)
        await socket.prepare(request)
        self._sockets.add(socket)
        session_id: str | None = None
        try:
            hello = parse(await _text(socket, "hello"), Hello, where="hello")
            start = hello.start(default_id=self._new_id(), where="hello")
            session_id = await self._sessions.open(start, where="hello")
            await _send(socket, {"type": "ready", "name": self._identity.name, "version": self._identity.version})
            await self._converse(socket, session_id, stream=hello.stream)
        except _HungUpError:
            pass
        except Exception as error:  # noqa: BLE001  # whatever breaks is told to the client, whose connection ends
            await _dismiss(socket, problem_of(error))
        finally:
            self._sockets.discard(socket)
            if session_id is not None:
                with suppress(RequestProblem):
                    await self._sessions.close(session_id)
        return socket

    async def _converse(self, socket: web.WebSocketResponse, session_id: str, *, stream: bool) -> None:
        while True:
            text = await _text(socket, "turn")
            try:
                utterance = bounded(parse(text, TurnRequest, where="turn").utterance, where="turn.utterance")
            except RequestProblem as problem:
                await _send(socket, _error(problem))
                continue
            reply = await self._sessions.say(session_id, utterance)
            for message in _streamed(reply) if stream else [{"type": "reply", **reply_body(reply)}]:
                await _send(socket, message)


class _HungUpError(Exception):
    """The client is gone."""


async def _text(socket: web.WebSocketResponse, what: str) -> str | bytes:
    message = await socket.receive()
    if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
        data: str | bytes = message.data
        return data
    raise _HungUpError(what)


async def _send(socket: web.WebSocketResponse, message: JsonValue) -> None:
    try:
        await socket.send_str(json_bytes(message).decode())
    except ConnectionError as error:
        raise _HungUpError("send") from error


async def _dismiss(socket: web.WebSocketResponse, problem: RequestProblem) -> None:
    """Tell what is wrong and hang up."""
    with suppress(_HungUpError):
        await _send(socket, _error(problem))
        code = WSCloseCode.INTERNAL_ERROR if problem.status == 500 else WSCloseCode.POLICY_VIOLATION
        await socket.close(code=code)


def _error(problem: RequestProblem) -> JsonValue:
    return {"type": "error", **problem.body()}


def _streamed(reply: SutReply) -> Iterator[JsonValue]:
    """Yield the words one by one; the last message has the rest of the reply and no more words."""
    for piece in pieces(reply.text):
        yield {"type": "chunk", "text": piece}
    yield {"type": "done", **reply_body(reply), "text": ""}
