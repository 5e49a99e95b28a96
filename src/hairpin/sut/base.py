"""Base classes for adapters: one method makes an assistant testable.

The contract itself is in ``ports``; nothing here knows how an assistant is reached.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

from pydantic import ValidationError

from hairpin.domain.conversation import Exchange, well_formed
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.errors import AdapterFaultError
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.fault_text import typed_text_of
from hairpin.sut.threads import call_user_code

ReplyFunction = Callable[[str, SessionStart, tuple[Exchange, ...]], Awaitable[object]]
"""Utterance, start of the session and the exchanges so far; the result is checked by the session."""


class TextAdapter(SutAdapter):
    """An assistant that answers text with text: override ``reply``, nothing else is needed.

    Example::

        class Echo(TextAdapter):
            async def reply(self, utterance, start, history):
                return f"You said: {utterance}"
    """

    def reply(
        self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]
    ) -> Awaitable[str | SutReply] | str | SutReply:
        """Return the answer to ``utterance``; write it as ``async def``, or as ``def``, which runs in a daemon thread.

        Args:
            utterance: what the user says now.
            start: what the session was opened with: conversation id, context, random seed.
            history: the earlier exchanges of this conversation, the oldest first.

        Any exception is counted as the assistant's error. One adapter serves many conversations, several at once:
        keep what belongs to one under ``start.conversation_id``, or build it from ``history``.
        """
        raise AdapterFaultError(f"{type(self).__name__} does not override reply(utterance, start, history)")

    async def open(self, start: SessionStart) -> SutSession:
        """Open a session that keeps the history for ``reply``."""
        return ReplySession(start, self._reply, adapter=type(self).__name__)

    async def _reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> object:
        return await call_user_code(self.reply, utterance, start, history)


class ReplySession(SutSession):
    """A session around a reply function: keeps the history and holds the contract on both sides."""

    def __init__(self, start: SessionStart, reply: ReplyFunction, *, adapter: str) -> None:
        self._start = start
        self._reply = reply
        self._gate = SessionGate(adapter)
        self._history = start.history

    async def send(self, utterance: str) -> SutReply:
        """Return the reply; a turn that fails leaves the history as it was.

        Raises:
            AdapterFaultError: the reply is neither text nor a ``SutReply``, or the session is closed.
        """
        self._gate.check_open()
        reply = await reply_from(self._reply(utterance, self._start, self._history), adapter=self._gate.adapter)
        self._history = (*self._history, _exchange(len(self._history), utterance, reply))
        return reply

    async def close(self) -> None:
        """Close the session, once."""
        self._gate.close()


class SessionGate:
    """Whether a session may still be used; using or closing it after it was closed is the adapter's fault."""

    def __init__(self, adapter: str) -> None:
        self.adapter = adapter
        self._closed = False

    def check_open(self) -> None:
        """Raise AdapterFaultError when the session is closed."""
        if self._closed:
            raise AdapterFaultError(f"{self.adapter}: a closed session was used again; open a new one")

    def close(self) -> None:
        """Close; AdapterFaultError the second time."""
        if self._closed:
            raise AdapterFaultError(f"{self.adapter}: a session was closed twice; it is closed by Hairpin, once")
        self._closed = True


async def reply_from(answer: Awaitable[object], *, adapter: str) -> SutReply:
    """Return the answer of a user's code as a ``SutReply``.

    Raises:
        AdapterFaultError: as ``as_reply``, also when the code failed in making a ``SutReply`` of wrong values.
        Exception: what the code raised otherwise.
    """
    try:
        return as_reply(await answer, adapter=adapter)
    except ValidationError as error:
        if error.title != SutReply.__name__:
            raise
        raise AdapterFaultError(f"{adapter} made a SutReply that is not valid: {_first_fault(error)}") from error


def as_reply(value: object, *, adapter: str) -> SutReply:
    """Return what an assistant answered as a ``SutReply``.

    Raises:
        AdapterFaultError: it is neither a ``str`` nor a ``SutReply``, or a ``SutReply`` made past its validation that
            holds what it may not; names the type or the field, and ``adapter``.
    """
    if isinstance(value, SutReply):
        return _validated(value, adapter)
    if isinstance(value, str):
        return SutReply(text=well_formed(value))
    kind = "None" if value is None else f"a value of type {type(value).__name__}"
    raise AdapterFaultError(f"{adapter} returned {kind} instead of a str or a SutReply; an empty answer is ''")


def _validated(reply: SutReply, adapter: str) -> SutReply:
    """Return a copy that holds only what can be stored; ``model_construct`` and ``__setattr__`` let anything in."""
    try:
        fields = reply.model_dump(include=set(SutReply.model_fields), warnings=False)
        copy = SutReply.model_validate(fields, strict=True)
        json.dumps(fields)
    except ValidationError as error:
        what = _first_fault(error)
    except Exception as error:  # noqa: BLE001  # values of users' own types run users' code
        what = typed_text_of(error)[:200]
    else:
        return copy
    raise AdapterFaultError(f"{adapter} returned a SutReply that is not valid: {what}")


def _first_fault(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'][:3])}: {first['msg']}"[:200]


def _exchange(t: int, utterance: str, reply: SutReply) -> Exchange:
    return Exchange(
        t=t,
        user=utterance,
        assistant=reply.text,
        ended=reply.ended,
        state=reply.state,
        metadata=reply.metadata,
    )
