"""An assistant that says again what it said: for imports, rejudging and prefixes.

It must not make anything up: what was not recorded is asked of the live session, or is an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from hairpin.domain.conversation import Exchange
from hairpin.domain.recording import Recording
from hairpin.domain.sut import SessionStart, SutIdentity, SutReply
from hairpin.domain.sut_spec import RecordedSut
from hairpin.errors import AdapterFaultError
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.base import SessionGate

TRANSPORT: Final = "recorded"


class RecordedAdapter(SutAdapter):
    """The assistant of conversations that were made elsewhere; each session says one of them again.

    Args:
        spec: its name, else that of the file, and its version.
        recordings: by the id of the conversation in which each is said again; empty: no session can be opened.
    """

    def __init__(self, spec: RecordedSut, recordings: Mapping[str, Recording]) -> None:
        self._identity = SutIdentity(name=spec.name or Path(spec.file).stem, version=spec.version, transport=TRANSPORT)
        self._recordings = recordings

    def describe(self) -> SutIdentity:
        """Return name and version; without a version of the user's own it is told by the file's digest."""
        return self._identity

    async def open(self, start: SessionStart) -> SutSession:
        """Open a session that says the recorded replies.

        Raises:
            AdapterFaultError: nothing was recorded for this conversation.
        """
        recording = self._recordings.get(start.conversation_id)
        if recording is None:
            raise AdapterFaultError(
                f"{self._identity.name}: no recorded conversation is planned as {start.conversation_id!r}; recorded"
                " assistants answer nothing else"
            )
        return RecordedSession(recording.exchanges)


class RecordedSession(SutSession):
    """Answers with stored replies in order, and hands over to ``live`` after the last.

    ``live`` must have been opened with the recorded exchanges as its history (the adapter's ``accepts_history``), or
    be a session that has been told them; it is closed with this one.

    Args:
        exchanges: what was said, in order.
        live: who answers afterwards; ``None``: nobody.
    """

    def __init__(self, exchanges: Sequence[Exchange], *, live: SutSession | None = None) -> None:
        self._exchanges = tuple(exchanges)
        self._live = live
        self._t = 0
        self._gate = SessionGate("recorded session")

    async def send(self, utterance: str) -> SutReply | str:
        """Return the next stored reply, else the live one.

        Raises:
            AdapterFaultError: the utterance is not the recorded one, nothing is recorded any more and there is no
                live session, or the session is closed.
        """
        self._gate.check_open()
        if self._t >= len(self._exchanges):
            return await self._ask_live(utterance)
        exchange = self._exchanges[self._t]
        if utterance != exchange.user:
            raise AdapterFaultError(
                f"recorded session: turn {self._t} was {exchange.user!r} but now is {utterance!r}; its reply answers"
                " something else"
            )
        self._t += 1
        return SutReply(
            text=exchange.assistant,
            ended=exchange.ended,
            state=exchange.state,
            metadata=exchange.metadata,
            retry_wait_ms=exchange.retry_wait_ms,
        )

    async def close(self) -> None:
        """Close this session and the live one, once."""
        self._gate.close()
        if self._live is not None:
            await self._live.close()

    async def _ask_live(self, utterance: str) -> SutReply | str:
        if self._live is None:
            raise AdapterFaultError(f"recorded session: no reply is recorded after turn {self._t - 1}")
        return await self._live.send(utterance)
