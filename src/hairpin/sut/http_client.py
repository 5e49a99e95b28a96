"""HTTP connections of an adapter: one client per event loop, and reading an answer within bounds.

It knows no protocol above HTTP and never retries: a turn may have been heard although its answer was lost.
"""

from __future__ import annotations

import asyncio
import os
from typing import Final
from weakref import WeakKeyDictionary

import aiohttp
from yarl import URL

from hairpin.domain.base import Value
from hairpin.errors import SutConnectionError, SutError
from hairpin.sut.redaction import public_part

MAX_ANSWER_BYTES: Final = 4 * 1024 * 1024
"""A reply is something a person reads or hears; what is longer than this is a broken server."""

_CONNECT_TIMEOUT_S: Final = 10.0
_IDLE_S: Final = 4.0
"""Below the 5 s after which common servers close an idle connection: a request sent just then would be lost, and the
assistant blamed for it."""


class HttpAnswer(Value):
    """An answer, read whole."""

    status: int
    content_type: str
    body: bytes
    location: str | None = None


class HttpClients:
    """The connections of one adapter. Made inside the running loop, so that an adapter may serve several loops."""

    def __init__(self) -> None:
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, aiohttp.ClientSession] = WeakKeyDictionary()

    async def post_json(self, url: URL, body: object, headers: dict[str, str]) -> HttpAnswer:
        """Send ``body`` as JSON and return the answer, whatever its status.

        Raises:
            SutConnectionError: no connection.
            SutError: the connection was lost, or the answer is longer than ``MAX_ANSWER_BYTES``.
        """
        where = public_part(url)
        try:
            async with self._client().post(url, json=body, headers=headers, allow_redirects=False) as response:
                return HttpAnswer(
                    status=response.status,
                    content_type=response.content_type,
                    body=await _read(response, where),
                    location=response.headers.get("Location"),
                )
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise SutConnectionError(f"cannot connect to {where}: {_reason(error)}") from error
        except (aiohttp.ClientError, OSError) as error:
            # No cause: its text may hold the whole address, and that a key.
            raise SutError(f"the connection to {where} was lost: {_reason(error)}") from None

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    def _client(self) -> aiohttp.ClientSession:
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None or client.closed:
            client = self._clients[loop] = _new_client()
        return client


def _new_client() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        # No limit here: the runner bounds what is in flight, and a hidden queue would count as the assistant's latency.
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_IDLE_S),
        # Cookies would join conversations that must not know of each other.
        cookie_jar=aiohttp.DummyCookieJar(),
        # The turn's time-out is the runner's; only connecting has one of its own, to tell "down" from "slow".
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_TIMEOUT_S),
        headers={"User-Agent": "hairpin"},
    )


async def _read(response: aiohttp.ClientResponse, where: str) -> bytes:
    read = bytearray()
    async for chunk in response.content.iter_any():
        read += chunk
        if len(read) > MAX_ANSWER_BYTES:
            raise SutError(f"{where} sent more than {MAX_ANSWER_BYTES // 1024**2} MiB in one answer")
    return bytes(read)


def _reason(error: aiohttp.ClientError | OSError) -> str:
    """Say what happened without the words of the library, which may repeat the address with its key."""
    match error:
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
