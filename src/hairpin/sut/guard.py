"""Holding a user's own adapter to the contract: types, order of calls, and synchronous methods off the loop.

It adds nothing to what the adapter does; the adapter's exceptions pass as they are.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable

from hairpin.domain.sut import Capabilities, SessionStart, SutIdentity, SutReply
from hairpin.errors import AdapterFaultError
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.base import SessionGate, reply_from
from hairpin.sut.fault_text import typed_text_of
from hairpin.sut.threads import call_user_code

_logger = logging.getLogger(__name__)


class GuardedAdapter(SutAdapter):
    """Wraps an adapter written by a user; ``open``, ``send`` and ``close`` of it may be written as plain ``def``.

    Args:
        adapter: the user's adapter.
        identity: who it is.
        label: how messages call it.
    """

    def __init__(self, adapter: SutAdapter, *, identity: SutIdentity, label: str) -> None:
        self._adapter = adapter
        self._identity = identity
        self._label = label
        self.capabilities: Capabilities = adapter.capabilities

    def describe(self) -> SutIdentity:
        """Return the identity found when the adapter was loaded."""
        return self._identity

    async def open(self, start: SessionStart) -> SutSession:
        """Open a session; AdapterFaultError when what comes back is none.

        A session that a plain ``def open`` returns after its time-out or cancellation is closed in its thread.
        """
        session = await call_user_code(self._adapter.open, start, unheard=self._close_unheard)
        for method in ("send", "close"):
            if not callable(getattr(session, method, None)):
                kind = type(session).__name__
                raise AdapterFaultError(
                    f"{self._label}: open returned a {kind}, which has no {method} method; return a hairpin.SutSession"
                )
        return GuardedSession(session, label=self._label)  # type: ignore[arg-type]  # looked at just above

    async def aclose(self) -> None:
        """Close the adapter."""
        await call_user_code(self._adapter.aclose)

    def _close_unheard(self, session: object) -> None:
        try:
            if inspect.iscoroutine(session):
                session.close()  # an open that is async in disguise and has not begun
            elif callable(close := getattr(session, "close", None)):
                closing = close()
                if inspect.isawaitable(closing):
                    # The loop may be gone. The session was made without one, in this thread.
                    asyncio.run(_awaited(closing))
        except BaseException as error:  # noqa: BLE001  # nobody is left to raise it to
            _logger.warning("%s: closing a session opened too late raised %s", self._label, typed_text_of(error))


class GuardedSession(SutSession):
    """Wraps a session written by a user."""

    def __init__(self, session: SutSession, *, label: str) -> None:
        self._session = session
        self._gate = SessionGate(label)

    async def send(self, utterance: str) -> SutReply:
        """Return the reply; AdapterFaultError when it is of a wrong type or the session is closed."""
        self._gate.check_open()
        return await reply_from(call_user_code(self._session.send, utterance), adapter=self._gate.adapter)

    async def close(self) -> None:
        """Close the session, once."""
        self._gate.close()
        await call_user_code(self._session.close)


async def _awaited(awaitable: Awaitable[object]) -> None:
    await awaitable
