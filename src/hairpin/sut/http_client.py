"""HTTP connections of an adapter: one client per event loop, and reading an answer within bounds.

It knows no protocol above HTTP and sends every request once: a turn may have been heard although its answer was lost.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

import aiohttp
from yarl import URL

from hairpin.domain.base import Value
from hairpin.errors import SutConnectionError, SutError
from hairpin.sut.loop_clients import LoopClients
from hairpin.sut.redaction import public_part

MAX_ANSWER_BYTES: Final = 4 * 1024 * 1024
"""A reply is something a person reads or hears; what is longer than this is a broken server."""

_CONNECT_TIMEOUT_S: Final = 10.0
_IDLE_S: Final = 4.0
"""Below the 5 s after which common servers close an idle connection: a request sent just then would be lost, and the
assistant blamed for it."""


class LostConnectionError(SutError):
    """The connection was lost after it was made; nobody knows whether the request was heard."""


class HttpAnswer(Value):
    """An answer, read whole. ``content_type``: in lower case, without parameters; ``charset``: if it names one."""

    status: int
    content_type: str
    body: bytes
    location: str | None = None
    charset: str | None = None


@dataclass(frozen=True, slots=True)
class HttpCall:
    """A request, ready to be sent. ``where``: how messages call its address."""

    method: str
    url: URL = field(repr=False)
    where: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class SizeLimit:
    """How many bytes an answer may have, unpacked; ``hint`` says how to allow more."""

    n_bytes: int
    hint: str = ""

    def exceeded(self, where: str) -> SutError:
        """Return the error of an answer with more."""
        mebibytes, rest = divmod(self.n_bytes, 1024**2)
        size = f"{mebibytes} MiB" if not rest else f"{self.n_bytes} bytes"
        return SutError(f"{where} sent more than {size} in one answer" + (f"; {self.hint}" if self.hint else ""))


class Incoming:
    """An answer that is arriving: its head is there, its body is read once, whole or in chunks."""

    def __init__(self, response: aiohttp.ClientResponse, *, where: str, limit: SizeLimit) -> None:
        self._response = response
        self._where = where
        self._limit = limit
        self.status = response.status
        self.content_type = response.content_type.lower()
        self.headers = {name.lower(): value for name, value in response.headers.items()}
        self.cookies = response.cookies

    async def chunks(self) -> AsyncGenerator[bytes]:
        """Yield the body, unpacked, as it comes. Raises SutError when it is longer than the limit."""
        n_bytes = 0
        async for chunk in self._response.content.iter_any():
            n_bytes += len(chunk)
            if n_bytes > self._limit.n_bytes:
                raise self._limit.exceeded(self._where)
            yield chunk

    async def read(self) -> HttpAnswer:
        """Return the whole answer. Raises SutError when it is longer than the limit."""
        body = bytearray()
        async for chunk in self.chunks():
            body += chunk
        return HttpAnswer(
            status=self.status,
            content_type=self.content_type,
            body=bytes(body),
            location=self.headers.get("location"),
            charset=self._response.charset,
        )


class HttpClients:
    """The connections of one adapter. Made inside the running loop, so that an adapter may serve several loops."""

    def __init__(self) -> None:
        self._clients = LoopClients(_new_client)

    async def post_json(self, url: URL, body: object, headers: dict[str, str]) -> HttpAnswer:
        """Send ``body`` as JSON and return the answer, whatever its status.

        Raises:
            SutConnectionError: no connection.
            SutError: the connection was lost, or the answer is longer than ``MAX_ANSWER_BYTES``.
        """
        call = HttpCall(
            method="POST",
            url=url,
            where=public_part(url),
            headers={"Content-Type": "application/json", **headers},
            body=json.dumps(body).encode(),
        )
        async with self.exchange(call, limit=SizeLimit(MAX_ANSWER_BYTES)) as incoming:
            return await incoming.read()

    @asynccontextmanager
    async def exchange(self, call: HttpCall, *, limit: SizeLimit) -> AsyncIterator[Incoming]:
        """Send ``call`` once and give the answer, whatever its status; what of it is not read is dropped.

        Raises:
            SutConnectionError: no connection.
            LostConnectionError: it was lost, while sending or while the answer came.
            SutError: the answer is longer than ``limit``.
        """
        try:
            async with self._clients.get().request(
                call.method, call.url, data=call.body, headers=call.headers, allow_redirects=False
            ) as response:
                yield Incoming(response, where=call.where, limit=limit)
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise SutConnectionError(f"cannot connect to {call.where}: {_reason(error)}") from error
        except (aiohttp.ClientError, OSError) as error:
            # No cause: its text may hold the whole address, and that a key.
            raise LostConnectionError(f"the connection to {call.where} was lost: {_reason(error)}") from None

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        await self._clients.aclose()


class _NotSentAgainError(aiohttp.ClientError):
    """Wraps what aiohttp would answer with a second try."""

    def __init__(self, error: aiohttp.ClientError) -> None:
        super().__init__()
        self.error = error


async def _send_once(request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """Send a request once. By itself aiohttp sends GET, PUT and DELETE again when the connection is lost."""
    try:
        return await send(request)
    except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError):
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise _NotSentAgainError(error) from error


def _new_client() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        # No limit here: the runner bounds what is in flight, and a hidden queue would count as the assistant's latency.
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_IDLE_S),
        # Cookies would join conversations that must not know of each other.
        cookie_jar=aiohttp.DummyCookieJar(),
        # The turn's time-out is the runner's; only connecting has one of its own, to tell "down" from "slow".
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_TIMEOUT_S),
        headers={"User-Agent": "hairpin"},
        middlewares=(_send_once,),
    )


def _reason(error: aiohttp.ClientError | OSError) -> str:
    """Say what happened without the words of the library, which may repeat the address with its key."""
    match error:
        case _NotSentAgainError():
            return _reason(error.error)
        case aiohttp.ConnectionTimeoutError():
            return f"no connection within {_CONNECT_TIMEOUT_S:g} s"
        case aiohttp.ClientConnectorError():
            return error.os_error.strerror or str(error.os_error) or type(error.os_error).__name__
        case aiohttp.ClientResponseError():
            return f"what it sent is not HTTP: {' '.join(error.message.split())[:100]}"
        case aiohttp.ClientPayloadError():
            return "the answer broke off"
        case aiohttp.ServerDisconnectedError():
            return "it hung up before it answered"
    return (isinstance(error, OSError) and error.errno and os.strerror(error.errno)) or type(error).__name__
