"""The open sessions of a server: bounded in number, closed when nobody uses them any more.

It must not know how clients reach it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import anyio

from hairpin.domain.base import Value
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.errors import InvalidInputError
from hairpin.ports import SutAdapter, SutSession
from hairpin.testbed.server.problems import RequestProblem, refused

_CLOSE_TIMEOUT_S: Final = 5.0


class SessionLimits(Value):
    """``max_sessions``: open at the same time; ``idle_s``: how long an unused one is kept, seconds."""

    max_sessions: int = 10_000
    idle_s: float = 1800.0


@dataclass(slots=True, eq=False)
class _Open:
    session: SutSession
    used_at: float
    turn: anyio.Lock = field(default_factory=lambda: anyio.Lock(fast_acquire=True))


class Sessions:
    """The sessions of one adapter, by id. Turns of one session are taken one after the other.

    Args:
        adapter: the assistant.
        new_id: makes the ids.
        limits: how many, and how long they are kept.
        now_s: a clock that never goes back, seconds.
    """

    def __init__(
        self,
        adapter: SutAdapter,
        *,
        new_id: Callable[[], str],
        limits: SessionLimits | None = None,
        now_s: Callable[[], float] = anyio.current_time,
    ) -> None:
        own = adapter.capabilities.max_sessions
        self._limits = limits or SessionLimits()
        self._max = self._limits.max_sessions if own is None else min(own, self._limits.max_sessions)
        self._adapter = adapter
        self._new_id = new_id
        self._now_s = now_s
        self._open: dict[str, _Open] = {}  # the one used longest ago comes first
        self._opening = 0

    def __len__(self) -> int:
        return len(self._open) + self._opening

    async def open(self, start: SessionStart, *, where: str) -> str:
        """Open a session and return its id.

        Raises:
            RequestProblem: too many are open, or the assistant does not take ``start``.
        """
        await self._close_unused()
        if len(self) >= self._max:
            hint = f"close some, or wait: unused ones are closed after {self._limits.idle_s:g} s"
            raise RequestProblem(503, f"{self._max} sessions are open, which is the limit", where="sessions", hint=hint)
        self._opening += 1
        try:
            session = await open_session(self._adapter, start, where=where)
        finally:
            self._opening -= 1
        session_id = self._new_id()
        self._open[session_id] = _Open(session, self._now_s())
        return session_id

    async def say(self, session_id: str, utterance: str) -> SutReply:
        """Return the reply. Raises RequestProblem when there is no such session."""
        entry = self._entry(session_id)
        async with entry.turn:
            if self._open.get(session_id) is not entry:
                raise _unknown(session_id)
            reply = await said(entry.session, utterance)
        self._touch(session_id, entry)
        return reply

    async def close(self, session_id: str) -> None:
        """Close a session, after the turn it is in. Raises RequestProblem when there is no such session."""
        entry = self._entry(session_id)
        del self._open[session_id]
        await _close(entry)

    async def aclose(self) -> None:
        """Close every session."""
        while self._open:
            _, entry = self._open.popitem()
            await _close(entry)

    def _entry(self, session_id: str) -> _Open:
        entry = self._open.get(session_id)
        if entry is None or self._unused(entry):
            raise _unknown(session_id)
        return entry

    def _touch(self, session_id: str, entry: _Open) -> None:
        entry.used_at = self._now_s()
        if self._open.pop(session_id, None) is not None:
            self._open[session_id] = entry

    def _unused(self, entry: _Open) -> bool:
        return self._now_s() - entry.used_at > self._limits.idle_s and not entry.turn.locked()

    async def _close_unused(self) -> None:
        unused: list[tuple[str, _Open]] = []
        for session_id, entry in self._open.items():
            if self._now_s() - entry.used_at <= self._limits.idle_s:
                break
            if not entry.turn.locked():
                unused.append((session_id, entry))
        for session_id, _ in unused:
            del self._open[session_id]
        for _, entry in unused:
            await _close(entry)


async def open_session(adapter: SutAdapter, start: SessionStart, *, where: str) -> SutSession:
    """Open a session. Raises RequestProblem when the assistant does not take ``start``."""
    try:
        return await adapter.open(start)
    except InvalidInputError as error:
        raise refused(error, where=where) from error


async def said(session: SutSession, utterance: str) -> SutReply:
    """Return the reply as a value."""
    reply = await session.send(utterance)
    return SutReply(text=reply) if isinstance(reply, str) else reply


async def _close(entry: _Open) -> None:
    with anyio.move_on_after(_CLOSE_TIMEOUT_S, shield=True):
        async with entry.turn:
            await entry.session.close()


def _unknown(session_id: str) -> RequestProblem:
    hint = "open one with POST /sessions; sessions that are not used for a while are closed"
    return RequestProblem(404, f"there is no session {session_id[:80]!r}", where="session", hint=hint)
