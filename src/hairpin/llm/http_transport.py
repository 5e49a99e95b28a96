"""The HTTP connections to one endpoint: an aiohttp client per event loop, behind the interface the openai SDK takes.

It knows the credentials, so that neither the SDK nor any log does. It never retries and follows no redirects. Proxies
of the environment are not used: only the address in the scenario is contacted.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

import aiohttp
import httpx2
from yarl import URL

from hairpin.domain.llm_calls import CallOutcome, TokenCounts
from hairpin.llm.completion import CallError
from hairpin.sut.loop_clients import LoopClients
from hairpin.sut.redaction import public_part

MAX_ANSWER_BYTES: Final = 16 * 1024 * 1024
"""Far above the longest answer of a reasoning model with its thoughts; what is longer is a broken server."""

_CONNECT_TIMEOUT_S: Final = 10.0
_IDLE_S: Final = 4.0
"""Below the 5 s after which common servers close an idle connection: a request sent just then would be lost."""

_NOTHING_SENT: Final = TokenCounts(prompt_tokens=0, completion_tokens=0)
"""Known, and not merely unreported: where no connection was made, no model has read a word."""

_OWN_HEADERS: Final = {"User-Agent": "hairpin", "Accept": "application/json", "Content-Type": "application/json"}


class EndpointTransport(httpx2.AsyncBaseTransport):
    """Sends requests with the endpoint's credentials added; made once, usable from several event loops.

    Of a request's own headers none is sent: they tell of the machine and of the environment.

    Args:
        credentials: headers with the key or the login.
        query: parameters added to every address, secret ones too.
    """

    def __init__(self, *, credentials: Mapping[str, str], query: Mapping[str, str]) -> None:
        self._headers = {**_OWN_HEADERS, **credentials}
        self._query = dict(query)
        self._urls: dict[str, URL] = {}
        self._clients = LoopClients(_new_client)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send ``request`` and return the answer, read whole, whatever its status.

        Raises:
            CallError: no connection, a lost one, or an answer longer than ``MAX_ANSWER_BYTES``.
        """
        url = self._url(str(request.url))
        try:
            async with self._clients.get().request(
                request.method, url, data=request.content, headers=self._headers, allow_redirects=False
            ) as response:
                body = await _read(response, url)
                return httpx2.Response(response.status, headers=_kept_headers(response), content=body, request=request)
        except (aiohttp.ClientError, OSError) as error:
            failure = _failure(error, public_part(url))
        # Outside the handler: the library's error holds the whole address, and that a key.
        raise failure

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        await self._clients.aclose()

    def __repr__(self) -> str:
        return "EndpointTransport()"

    def _url(self, address: str) -> URL:
        url = self._urls.get(address)
        if url is None:
            url = self._urls[address] = URL(address).update_query(self._query)
        return url


def _new_client() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        # No limit here: the endpoint's limiter bounds what is in flight, and a hidden queue would count as latency.
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_IDLE_S),
        # Cookies would join calls that must not know of each other.
        cookie_jar=aiohttp.DummyCookieJar(),
        # The deadline of a whole request is the caller's; only connecting has one of its own, to tell "down" from
        # "slow".
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_TIMEOUT_S),
    )


def _kept_headers(response: aiohttp.ClientResponse) -> dict[str, str]:
    """Return the headers that say how to read the answer; what described its bytes on the wire holds no longer."""
    # httpx2 takes ASCII only, and what a server writes elsewhere is nothing to lose an answer for.
    return {
        name: value.encode("ascii", "replace").decode("ascii")
        for name, value in response.headers.items()
        if name.lower().startswith(("content-type", "retry-after", "x-ms-retry-after"))
    }


async def _read(response: aiohttp.ClientResponse, url: URL) -> bytes:
    read = bytearray()
    async for chunk in response.content.iter_any():
        read += chunk
        if len(read) > MAX_ANSWER_BYTES:
            size = MAX_ANSWER_BYTES // 1024**2
            raise CallError(CallOutcome.NOT_JSON, f"{public_part(url)} sent more than {size} MiB in one answer")
    return bytes(read)


def _failure(error: aiohttp.ClientError | OSError, where: str) -> CallError:
    """Say what happened without the words of the library, which may repeat the address with its key."""
    match error:
        case aiohttp.ConnectionTimeoutError():
            detail = f"cannot connect to {where}: no connection within {_CONNECT_TIMEOUT_S:g} s"
            return CallError(CallOutcome.CONNECTION_LOST, detail, tokens=_NOTHING_SENT)
        case aiohttp.ClientConnectorError():
            reason = error.os_error.strerror or str(error.os_error) or type(error.os_error).__name__
            detail = f"cannot connect to {where}: {reason}"
            return CallError(CallOutcome.CONNECTION_LOST, detail, tokens=_NOTHING_SENT)
        case aiohttp.ClientResponseError():
            return CallError(CallOutcome.NOT_JSON, f"what {where} sent is not HTTP: {_one_line(error.message)}")
        case aiohttp.ClientPayloadError():
            detail = f"the answer of {where} broke off"
        case aiohttp.ServerDisconnectedError():
            detail = f"{where} hung up before it answered"
        case _:
            reason = (isinstance(error, OSError) and error.errno and os.strerror(error.errno)) or type(error).__name__
            detail = f"the connection to {where} was lost: {reason}"
    return CallError(CallOutcome.CONNECTION_LOST, detail)


def _one_line(text: str) -> str:
    return " ".join(text.split())[:100]
