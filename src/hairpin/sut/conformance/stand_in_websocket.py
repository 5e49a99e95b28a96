"""A WebSocket server that stands in for an assistant and misbehaves as it is told.

It knows the messages of a reply from the specification, and nothing else of the assistant.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import anyio
from aiohttp import ClientConnectionResetError, WSMsgType, web
from pydantic import JsonValue

from hairpin.domain.sut_spec import Match, WebSocketSut
from hairpin.sut.conformance.stand_in import LIMIT_BYTES, SLOW_S, Manner, matching, tree_with, words_in
from hairpin.sut.conformance.stand_in_http import site

_PIECE: Final = LIMIT_BYTES // 4
_LEFT_OUT: Final = frozenset({Manner.GOOD, Manner.ERROR_STATUS, Manner.REDIRECT})
_NOT_UTF8: Final = b"\xff\xfe\x00\x01"


class WebSocketStandIn:
    """Answers every message of every connection."""

    def __init__(self, spec: WebSocketSut) -> None:
        self.manner = Manner.GOOD
        self._spec = spec

    @property
    def manners(self) -> tuple[Manner, ...]:
        """Return the bad manners that such an assistant may have."""
        left_out = set(_LEFT_OUT)
        left_out |= set() if self._spec.reply.error else {Manner.ERROR_OBJECT}
        left_out |= set() if self._spec.reply.text else {Manner.GARBAGE}
        # Where 'only' says what belongs to a reply, all else is to be passed over.
        left_out |= {Manner.GARBAGE, Manner.BINARY} if self._spec.only is not None else set()
        return tuple(manner for manner in Manner if manner not in left_out)

    async def seen(self) -> str:
        """Return nothing: that a connection ends with a cut-off turn shows in the turn after it."""
        return ""

    async def answer(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection."""
        socket = web.WebSocketResponse(protocols=self._spec.subprotocols, max_msg_size=0)
        await socket.prepare(request)
        if self._spec.hello is not None:
            await socket.receive()
        if self._spec.ready is not None:
            await socket.send_str(_message(matching(self._spec.ready)))
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                with suppress(ClientConnectionResetError):
                    await self._turn(socket, request)
        return socket

    async def _turn(self, socket: web.WebSocketResponse, request: web.Request) -> None:
        manner = self.manner
        match manner:
            case Manner.GARBAGE:
                return await socket.send_str("<not what was asked for>")
            case Manner.BINARY:
                return await socket.send_bytes(_NOT_UTF8)
            case Manner.ERROR_OBJECT if self._spec.reply.error:
                return await socket.send_str(_message({self._spec.reply.error: "out of order"}))
            case Manner.SLOW:
                await anyio.sleep(SLOW_S)
        messages = reply_messages(self._spec, words_in(manner))
        for message in messages[:-1]:
            await socket.send_str(message)
        if manner is not Manner.HANG_UP:
            await socket.send_str(messages[-1])
        elif request.transport is not None:
            request.transport.abort()
        return None


def reply_messages(spec: WebSocketSut, words: str) -> list[str]:
    """Return the messages of a well-formed reply that says ``words``."""
    whole = spec.until is None or spec.full
    parts = [words] if whole else [words[at : at + _PIECE] for at in range(0, len(words), _PIECE)] or [""]
    pieces = [_message({spec.reply.text: part, **_with_path(spec.only)}) for part in parts]
    return pieces if spec.until is None else [*pieces, _message(matching(spec.until))]


@asynccontextmanager
async def websocket_stand_in(spec: WebSocketSut) -> AsyncIterator[tuple[WebSocketStandIn, WebSocketSut]]:
    """Serve one on loopback; yield it and ``spec`` with its address."""
    stand_in = WebSocketStandIn(spec)
    async with site(stand_in.answer) as base:
        url = f"ws{base.removeprefix('http')}/turn"
        yield stand_in, spec.model_copy(update={"url": url, "max_reply_bytes": LIMIT_BYTES})


def _with_path(match: Match | None) -> dict[str, JsonValue]:
    return matching(match) if match is not None and match.path else {}


def _message(values: dict[str, JsonValue]) -> str:
    tree = tree_with(values)
    return tree if isinstance(tree, str) else json.dumps(tree, ensure_ascii=False)
