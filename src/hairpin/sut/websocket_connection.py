"""One WebSocket connection: messages heard as they come, pings answered, and how it ended.

What a message means it does not know; texts of the server leave it as they came.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import aiohttp
import anyio
from aiohttp.client_ws import ClientWSTimeout
from yarl import URL

from hairpin.domain.base import Value
from hairpin.errors import HairpinError
from hairpin.sut.loop_clients import LoopClients
from hairpin.sut.own_task import end_alone, start_alone

CONNECT_TIMEOUT_S: Final = 10.0
_CLOSE_TIMEOUT_S: Final = 1.0
_PING_EVERY_S: Final = 20.0
"""Proxies cut what is silent for a minute. An answer to our pings is not asked for: a slow assistant may be too busy
for one, and a dead one is found by the turn's time-out."""

_TOO_BIG: Final = aiohttp.WSCloseCode.MESSAGE_TOO_BIG
_NO_CODE: Final = 0
_ENCRYPTED: Final = frozenset({"https", "wss"})


class ConnectionEndedError(HairpinError):
    """Nothing more will be heard; the text says how it ended, in the server's own words: credentials and all."""


class Handshake(Value):
    """What is needed to connect."""

    url: str
    headers: dict[str, str]
    subprotocols: tuple[str, ...]
    max_message_bytes: int


class WebSocketClients:
    """Where the connections of one adapter come from. Made inside the running loop: an adapter may serve several."""

    def __init__(self) -> None:
        self._clients = LoopClients(_new_client)

    async def connect(self, handshake: Handshake) -> WebSocketConnection:
        """Connect; redirects are followed within the host of the address only.

        Raises:
            ForeignRedirectError: it leads elsewhere.
            aiohttp.ClientError, OSError, ValueError: as aiohttp does.
        """
        socket = await self._clients.get().ws_connect(
            URL(handshake.url),
            headers=handshake.headers,
            protocols=handshake.subprotocols,
            autoclose=False,
            timeout=ClientWSTimeout(ws_close=_CLOSE_TIMEOUT_S),
            # The library takes messages below its limit, not at it.
            max_msg_size=handshake.max_message_bytes + 1,
        )
        return WebSocketConnection(socket, max_message_bytes=handshake.max_message_bytes)

    async def aclose(self) -> None:
        """Close what the running loop has."""
        await self._clients.aclose()


class ForeignRedirectError(Exception):
    """The handshake was redirected to another host; the text is that host."""


class WebSocketConnection:
    """Hears all the time, so that pings are answered; what comes while nobody listens is counted and dropped.

    It listens from the start; ``listening`` is for each turn after that.
    """

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, *, max_message_bytes: int) -> None:
        self.n_unasked = 0
        self.ended: str | None = None
        self.ended_normally = False
        self._socket = socket
        self._max_message_bytes = max_message_bytes
        self._heard: deque[str | bytes] = deque()
        self._listening = True
        self._news = anyio.Event()
        self._task = start_alone(self._run(), name="hairpin-websocket")

    async def say(self, text: str) -> None:
        """Send one text message. Raises ConnectionEndedError."""
        try:
            await self._socket.send_str(text)
        except (aiohttp.ClientError, OSError) as error:
            raise ConnectionEndedError(self.ended or f"the connection was lost ({type(error).__name__})") from None

    async def hear(self) -> str | bytes:
        """Return the next message, in the order of arrival. Raises ConnectionEndedError."""
        while not self._heard:
            if self.ended is not None:
                raise ConnectionEndedError(self.ended)
            self._news = anyio.Event()
            await self._news.wait()
        return self._heard.popleft()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Listen while inside."""
        self._listening = True
        try:
            yield
        finally:
            self.stop_listening()

    def stop_listening(self) -> None:
        """Drop what was not fetched, and what comes from now on."""
        self._listening = False
        self.n_unasked += len(self._heard)
        self._heard.clear()

    def drop(self) -> None:
        """Begin to close at once, without waiting for the server."""
        self._task.cancel()

    async def aclose(self) -> None:
        """Close: say so and wait a little for the server to do the same."""
        with anyio.CancelScope(shield=True):
            await self._socket.close()
            await end_alone(self._task)

    async def _run(self) -> None:
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._ping)
                await self._listen()
                group.cancel_scope.cancel()
        finally:
            self._end(self.ended or "the connection was closed by Hairpin")
            with anyio.CancelScope(shield=True):
                await self._socket.close()

    async def _listen(self) -> None:
        while True:
            message = await self._socket.receive()
            if message.type not in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY):
                self.ended_normally = _is_normal(message)
                self._end(self._how(message))
                return
            if self._listening:
                self._heard.append(message.data)
                self._news.set()
            else:
                self.n_unasked += 1

    async def _ping(self) -> None:
        while True:
            await anyio.sleep(_PING_EVERY_S)
            try:
                await self._socket.ping()
            except (aiohttp.ClientError, OSError):
                return  # whoever listens finds out why

    def _end(self, how: str) -> None:
        self.ended = how
        self._news.set()

    def _how(self, message: aiohttp.WSMessage) -> str:
        match message.type:
            case aiohttp.WSMsgType.CLOSE if message.data == _NO_CODE:
                return "it closed the connection without a code"
            case aiohttp.WSMsgType.CLOSE:
                reason = f": {message.extra}" if message.extra else ""
                return f"it closed the connection with code {message.data}{reason}"
            case aiohttp.WSMsgType.ERROR if getattr(message.data, "code", None) == _TOO_BIG:
                return f"it sent more than {self._max_message_bytes} bytes in one message"
            case aiohttp.WSMsgType.ERROR:
                return f"what it sent is no WebSocket message ({message.data})"
        return "the connection was lost"


def _is_normal(message: aiohttp.WSMessage) -> bool:
    return message.type is aiohttp.WSMsgType.CLOSE and message.data in (_NO_CODE, aiohttp.WSCloseCode.OK)


def _new_client() -> aiohttp.ClientSession:
    trace = aiohttp.TraceConfig()
    trace.on_request_redirect.append(_refuse_other_hosts)
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        # Cookies would join conversations that must not know of each other.
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_TIMEOUT_S),
        headers={"User-Agent": "hairpin"},
        trace_configs=[trace],
    )


async def _refuse_other_hosts(
    _client: aiohttp.ClientSession, _context: object, redirect: aiohttp.TraceRequestRedirectParams
) -> None:
    """Headers with credentials would go along."""
    headers = redirect.response.headers
    target = redirect.url.join(URL(headers.get("Location") or headers.get("URI") or ""))
    if not _is_same_place(redirect.url, target):
        raise ForeignRedirectError(f"{target.scheme}://{target.host}")


def _is_same_place(url: URL, target: URL) -> bool:
    """Whether host and port are the same, or only the step from open to encrypted is taken."""
    if url.host != target.host:
        return False
    if url.scheme in _ENCRYPTED:
        return target.scheme in _ENCRYPTED and url.port == target.port
    return url.port == target.port or (url.is_default_port() and target.scheme in _ENCRYPTED)
