"""Assistants behind a WebSocket, by templates: one connection is one session.

It never connects twice for a session: the server's memory of the conversation would be gone, and nobody would know.
"""

from __future__ import annotations

import json
import logging
import os
import ssl
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

import aiohttp
import anyio
from anyio.lowlevel import checkpoint
from pydantic import JsonValue
from yarl import URL

from hairpin.domain.fingerprint import digest
from hairpin.domain.sut import SessionStart, SutIdentity, SutReply
from hairpin.domain.sut_spec import Match, WebSocketSut
from hairpin.domain.sut_template import fill_text
from hairpin.errors import InvalidInputError, SutConnectionError, SutError, UserError
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.base import SessionGate
from hairpin.sut.chat_completion import one_line
from hairpin.sut.environment import environment_values
from hairpin.sut.message_reply import MessageReply
from hairpin.sut.redaction import Redactor, basic_credentials, keys_of, public_part, secrets_of
from hairpin.sut.reply_paths import as_text
from hairpin.sut.template_capabilities import capabilities_of
from hairpin.sut.templated_session import TemplatedTurns, filled
from hairpin.sut.websocket_connection import (
    CONNECT_TIMEOUT_S,
    ConnectionEndedError,
    ForeignRedirectError,
    Handshake,
    WebSocketClients,
    WebSocketConnection,
)

_SCHEMES: Final = ("ws", "wss", "http", "https")
_LATER: Final = frozenset({429, 502, 503, 504})
"""Statuses of a handshake that say that it is too busy now, not that nobody is there."""

_MARGIN_S: Final = 1.0
"""How long before the time-out of an opening it says itself what it waits for."""

_logger = logging.getLogger(__name__)


class WebSocketAdapter(SutAdapter):
    """Speaks to an assistant over one connection per session.

    Args:
        spec: address, what is sent and where the reply is.
        environ: where the variables of ``{env.NAME}`` are looked up, when a session opens.
    """

    def __init__(self, spec: WebSocketSut, *, environ: Mapping[str, str]) -> None:
        self._spec = spec
        self._environ = environ
        self._templates: list[JsonValue] = [spec.url, dict(spec.headers), spec.hello, spec.send]
        self._identity = SutIdentity(
            name=spec.name or spec.url.partition("?")[0],
            version=spec.version or digest(spec.model_dump_json(exclude={"name", "version", "max_sessions"}))[:16],
            transport="websocket",
        )
        self._clients = WebSocketClients()
        self.capabilities = capabilities_of(self._templates, max_sessions=spec.max_sessions)

    def describe(self) -> SutIdentity:
        """Return the name given, else the address; without a version given it is a digest of the configuration."""
        return self._identity

    async def open(self, start: SessionStart) -> SutSession:
        """Connect, say hello if the specification does, and wait until the assistant is ready.

        Raises:
            UserError: a variable is not set, or the address or a header made of it is none.
            SutConnectionError: no connection.
            SutError: it is too busy to take one, or does not become ready.
        """
        env = environment_values(self._templates, self._environ, where=f"sut {self._identity.name}")
        turns = TemplatedTurns(start, env)
        url = _address(fill_text(self._spec.url, turns.session, quote=_quoted))
        redactor = Redactor((*secrets_of(url), *env.values()), spoken=(*keys_of(url), *env.values()))
        where = _shown(url, redactor)
        handshake = self._handshake(url, turns)
        connection = await _connect(self._clients, handshake, where=where, redactor=redactor)
        session = WebSocketSession(self._spec, turns, connection, where=where, redactor=redactor)
        try:
            await session.greet()
        except BaseException:
            await connection.aclose()
            raise
        return session

    async def aclose(self) -> None:
        """Close the connections."""
        await self._clients.aclose()

    def _handshake(self, url: URL, turns: TemplatedTurns) -> Handshake:
        headers = {name: fill_text(text, turns.session) for name, text in self._spec.headers.items()}
        for name, value in headers.items():
            if not value.isprintable():
                raise UserError(f"the header {name} would hold a line break or control character; mend what fills it")
        if url.user or url.password:
            headers.setdefault("Authorization", f"Basic {basic_credentials(url)}")
        return Handshake(
            url=str(url.with_user(None)),
            headers=headers,
            subprotocols=self._spec.subprotocols,
            max_message_bytes=self._spec.max_reply_bytes,
        )


class WebSocketSession(SutSession):
    """One conversation over one connection; a turn that was cut off ends it for good."""

    def __init__(
        self,
        spec: WebSocketSut,
        turns: TemplatedTurns,
        connection: WebSocketConnection,
        *,
        where: str,
        redactor: Redactor,
    ) -> None:
        self._spec = spec
        self._turns = turns
        self._connection = connection
        self._where = where
        self._redactor = redactor
        self._gate = SessionGate(where)

    async def greet(self) -> None:
        """Say hello and wait for the message that says that the assistant is ready. Raises SutError."""
        try:
            if self._spec.hello is not None:
                await self._connection.say(_frame(self._spec.hello, self._turns.session))
            if self._spec.ready is not None:
                await self._become_ready(self._spec.ready)
        except ConnectionEndedError as error:
            raise self._error(f"ended before the first turn: {error}") from None
        self._connection.stop_listening()
        self._connection.n_unasked = 0

    async def send(self, utterance: str) -> SutReply:
        """Return the reply; ``ended`` also when the assistant closes the connection normally right behind it.

        Raises:
            SutError: it answered with an error, with what is no reply, or hung up; or an earlier turn was cut off.
        """
        self._gate.check_open()
        values = self._turns.next(utterance)
        n_unasked = self._connection.n_unasked
        parts = MessageReply(self._spec, where=self._where, redactor=self._redactor)
        try:
            with self._connection.listening():
                await self._connection.say(_frame(self._spec.send, values))
                reply = await self._hear(parts)
        except ConnectionEndedError as error:
            self._turns.break_off(f"{self._where}: the connection has ended")
            raise self._error(f"gave no whole reply: {error}") from None
        finally:
            if not parts.over:
                self._turns.break_off(f"{self._where}: an earlier turn was cut off, so the connection was closed")
                self._connection.drop()
        # A server that hangs up at once has its farewell in the same packet as the reply.
        await checkpoint()
        return self._turns.keep(utterance, self._noted(reply, n_unasked))

    async def close(self) -> None:
        """Close the connection, once."""
        self._gate.close()
        await self._connection.aclose()

    async def _hear(self, parts: MessageReply) -> SutReply:
        while True:
            reply = parts.take(await self._connection.hear())
            if reply is not None:
                return reply

    async def _become_ready(self, ready: Match) -> None:
        """Wait until shortly before whoever opens the session gives up, who could not say what was waited for."""
        greeting = MessageReply(self._spec, where=self._where, redactor=self._redactor)
        left_s = anyio.current_effective_deadline() - anyio.current_time()
        wait_s = left_s - min(_MARGIN_S, left_s / 10)
        last: str | bytes = "nothing"
        with anyio.move_on_after(wait_s):
            while not greeting.says(last := await self._connection.hear(), ready):
                continue
            return
        heard = last if isinstance(last, str) else last.decode(errors="replace")
        what = (
            f"sent no message in {wait_s:.3g} s that says that it is ready, which 'ready' waits for ({_wanted(ready)})"
        )
        raise self._error(f"{what}; last came: {heard}")

    def _noted(self, reply: SutReply, n_unasked: int) -> SutReply:
        """Say what would otherwise be lost silently: messages that came between the turns."""
        metadata = dict(reply.metadata)
        if n_unasked:
            _logger.warning(
                "%s: %d messages came between two turns and were passed over; if they belong to replies, say in"
                " 'until' which message is the last",
                self._where,
                n_unasked,
            )
            metadata["messages_between_turns"] = n_unasked
            self._connection.n_unasked -= n_unasked
        return reply.model_copy(update={"ended": reply.ended or self._connection.ended_normally, "metadata": metadata})

    def _error(self, text: str) -> SutError:
        return SutError(f"{self._where} {one_line(self._redactor.clean(text))}")


async def _connect(
    clients: WebSocketClients, handshake: Handshake, *, where: str, redactor: Redactor
) -> WebSocketConnection:
    """Connect, or say why not; no cause: the library's texts may hold the whole address, and that a key."""
    try:
        return await clients.connect(handshake)
    except aiohttp.WSServerHandshakeError as error:
        text = one_line(redactor.clean(_refusal(error)))
        kind = SutError if error.status in _LATER else SutConnectionError
        raise kind(f"{where} {text}") from None
    except ForeignRedirectError as error:
        what = f"redirects to {one_line(redactor.clean(str(error)))}, which is not followed: it is another host"
        raise SutConnectionError(f"{where} {what}; put the final address into url") from None
    except (aiohttp.ClientError, OSError) as error:
        raise SutConnectionError(f"cannot connect to {where}: {_reason(error)}") from None


def _refusal(error: aiohttp.WSServerHandshakeError) -> str:
    if error.status == HTTPStatus.SWITCHING_PROTOCOLS:
        return f"does not speak WebSocket as it should: {error.message}"
    return f"answered the WebSocket handshake with status {error.status}"


def _reason(error: aiohttp.ClientError | OSError) -> str:
    match error:
        case aiohttp.ConnectionTimeoutError():
            return f"no connection within {CONNECT_TIMEOUT_S:g} s"
        case aiohttp.ClientConnectorError():
            return _reason_of_os(error.os_error)
        case aiohttp.ServerDisconnectedError():
            return "it hung up during the handshake"
        case aiohttp.TooManyRedirects():
            return "it redirects in a circle"
    return _reason_of_os(error) if isinstance(error, OSError) else type(error).__name__


def _reason_of_os(error: OSError) -> str:
    # A certificate's error has numbers of its own, which mean something else to the system.
    named = os.strerror(error.errno) if error.errno and not isinstance(error, ssl.SSLError) else ""
    return named or " ".join(str(error).split())[:200] or type(error).__name__


def _address(text: str) -> URL:
    try:
        url = URL(text)
    except ValueError:
        url = URL()
    if url.scheme not in _SCHEMES or not url.host:
        raise InvalidInputError("not a WebSocket address", where="url", hint="write it like 'ws://127.0.0.1:8000/chat'")
    return url


def _shown(url: URL, redactor: Redactor) -> str:
    """Return what messages may show of an address; a path may hold a key."""
    public = URL(public_part(url))
    return f"{public.origin()}{redactor.clean(public.raw_path)}".removesuffix("/")


def _quoted(text: str) -> str:
    return quote(text, safe=":")


def _wanted(match: Match) -> str:
    equals = " or ".join(json.dumps(value, ensure_ascii=False) for value in match.equals)
    return f"{match.path!r} is {equals}" if equals else f"{match.path!r} is there"


def _frame(template: JsonValue, values: Mapping[str, JsonValue]) -> str:
    return as_text(filled(template, values))
