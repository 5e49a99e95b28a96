"""One session's way to its assistant: cookies, redirects, and answers that are errors.

It knows no templates and no replies, and never sends anything twice.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from hairpin.errors import SutError
from hairpin.sut.http_answers import error_of, refuse_unread_stream
from hairpin.sut.http_client import HttpAnswer, HttpCall, HttpClients, Incoming, LostConnectionError, SizeLimit
from hairpin.sut.http_cookies import SessionCookies
from hairpin.sut.http_redirects import MAX_REDIRECTS, is_redirect, redirected, too_many
from hairpin.sut.redaction import Redactor


class HttpLink:
    """Sends the requests of one session.

    Args:
        clients: the connections, shared by all sessions.
        limit: how long an answer may be.
        redactor: knows what no message may show.
        error_path: where an answer with an error status has its words, if that is known.
    """

    def __init__(self, clients: HttpClients, *, limit: SizeLimit, redactor: Redactor, error_path: str | None) -> None:
        self._clients = clients
        self._limit = limit
        self._error_path = error_path
        self._cookies = SessionCookies()
        self.redactor = redactor

    async def ask(self, call: HttpCall) -> HttpAnswer:
        """Return the whole answer. Raises as ``exchange``; SutError also when it is a stream."""
        async with self.exchange(call) as incoming:
            refuse_unread_stream(incoming.content_type, where=call.where)
            return await incoming.read()

    @asynccontextmanager
    async def exchange(self, call: HttpCall) -> AsyncIterator[Incoming]:
        """Send ``call``, follow redirects within its host, and give the answer, which is no error.

        Raises:
            SutConnectionError: no connection.
            LostConnectionError: it was lost on the way.
            BusyError: the assistant may answer later.
            SutError: any other error, or more bytes than are allowed. No message shows a credential.
        """
        try:
            for _ in range(MAX_REDIRECTS + 1):
                async with self._clients.exchange(self._cookies.added_to(call), limit=self._limit) as incoming:
                    self._cookies.take(incoming.cookies, call.url)
                    if not is_redirect(incoming.status):
                        await self._refuse_error(incoming, call)
                        yield incoming
                        return
                    call = self._redirected(call, incoming)
            raise too_many(call)
        except LostConnectionError as error:
            # What is no HTTP is quoted, and may repeat what was sent.
            raise LostConnectionError(self.redactor.clean(str(error))) from None

    def _redirected(self, call: HttpCall, incoming: Incoming) -> HttpCall:
        try:
            return redirected(call, status=incoming.status, location=incoming.headers.get("location"))
        except SutError as error:
            raise SutError(self.redactor.clean(str(error))) from None

    async def _refuse_error(self, incoming: Incoming, call: HttpCall) -> None:
        if incoming.status < 300:
            return
        answer = await incoming.read()
        raise error_of(
            answer,
            incoming.headers,
            error_path=self._error_path,
            where=call.where,
            redactor=self.redactor,
            now=datetime.now(UTC),
        )
