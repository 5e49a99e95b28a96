"""Holding a user's own adapter to the contract: types, order of calls, and synchronous methods off the loop.

It adds nothing to what the adapter does; the adapter's exceptions pass as they are.
"""

from __future__ import annotations

from hairpin.domain.sut import Capabilities, SessionStart, SutIdentity, SutReply
from hairpin.errors import AdapterFaultError
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.base import SessionGate, as_reply
from hairpin.sut.threads import call_user_code


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
        """Open a session; AdapterFaultError when what comes back is none."""
        session = await call_user_code(self._adapter.open, start)
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


class GuardedSession(SutSession):
    """Wraps a session written by a user."""

    def __init__(self, session: SutSession, *, label: str) -> None:
        self._session = session
        self._gate = SessionGate(label)

    async def send(self, utterance: str) -> SutReply:
        """Return the reply; AdapterFaultError when it is of a wrong type or the session is closed."""
        self._gate.check_open()
        return as_reply(await call_user_code(self._session.send, utterance), adapter=self._gate.adapter)

    async def close(self) -> None:
        """Close the session, once."""
        self._gate.close()
        await call_user_code(self._session.close)
