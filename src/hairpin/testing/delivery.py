"""Sending an answer over a real connection, as well or as badly as it says.

It chooses no answers.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Awaitable, Callable

import anyio
from aiohttp import web

from hairpin.testing.received import Ending, FakeRequest
from hairpin.testing.scripted_answers import FakeAnswer

Pause = Callable[[float], Awaitable[None]]
"""Waits some seconds, unless the server stops first: then it raises."""

_RESET_ON_CLOSE = struct.pack("ii", 1, 0)


async def deliver(http: web.BaseRequest, request: FakeRequest, answer: FakeAnswer, pause: Pause) -> web.StreamResponse:
    """Send ``answer`` on the connection of ``http`` and note in ``request`` what went out.

    It does not return from an answer that is cut: losing the connection cancels it.
    """
    if answer.delay_s:
        await pause(answer.delay_s)
    request.status, request.answer_headers = answer.status, answer.headers
    body = answer.payload(request)
    if answer.drip is None and answer.cut is None:
        response: web.StreamResponse = web.Response(status=answer.status, body=body, headers=_headers(answer))
        await _prepare(response, http, answer)
        request.n_bytes_sent = len(body)
    else:
        response = await _piecemeal(http, request, answer, body, pause)
    # Noted before the last write: who has read the answer finds it in the log.
    request.usage = answer.usage_for(request)
    request.ending, request.answered_at = Ending.ANSWERED, anyio.current_time()
    await response.write_eof()
    if answer.connection == "drop" and http.transport is not None:
        http.transport.close()
    return response


async def _piecemeal(
    http: web.BaseRequest, request: FakeRequest, answer: FakeAnswer, body: bytes, pause: Pause
) -> web.StreamResponse:
    response = web.StreamResponse(status=answer.status, headers=_headers(answer))
    response.content_length = len(body)
    if answer.cut is None:
        await _prepare(response, http, answer)
        await _write(response, request, answer, body, pause)
        return response
    if answer.cut.after_bytes is not None:
        await _prepare(response, http, answer)
        await _write(response, request, answer, body[: answer.cut.after_bytes], pause)
    request.ending = Ending.CUT
    break_connection(http, reset=answer.cut.reset)
    await anyio.sleep_forever()
    raise AssertionError("a lost connection cancels its handler")


async def _write(
    response: web.StreamResponse, request: FakeRequest, answer: FakeAnswer, body: bytes, pause: Pause
) -> None:
    size = len(body) or 1 if answer.drip is None else answer.drip.piece_bytes
    for start in range(0, len(body), size):
        if answer.drip is not None and start:
            await pause(answer.drip.pause_s)
        piece = body[start : start + size]
        await response.write(piece)
        request.n_bytes_sent += len(piece)


def break_connection(http: web.BaseRequest, *, reset: bool = False) -> None:
    """End the connection: what was written still goes out, then an orderly end, or a TCP reset."""
    transport = http.transport
    if transport is None:
        return
    if reset:
        connection: socket.socket = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
    transport.close()


async def _prepare(response: web.StreamResponse, http: web.BaseRequest, answer: FakeAnswer) -> None:
    if answer.connection == "close":
        response.force_close()
    await response.prepare(http)


def _headers(answer: FakeAnswer) -> dict[str, str]:
    return {"Content-Type": answer.content_type, **answer.headers}
