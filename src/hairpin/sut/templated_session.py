"""What every session reached by templates keeps: the exchanges so far, what placeholders stand for, whether it broke.

It sends nothing and knows no transport.
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import uuid4

from pydantic import JsonValue

from hairpin.domain.conversation import Exchange
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_template import fill
from hairpin.errors import SutError
from hairpin.sut.reply_paths import storable
from hairpin.sut.turn_values import session_values, turn_values


class TemplatedTurns:
    """The turns of one session.

    Args:
        start: what the session opens with.
        env: the variables that templates name.
        session_id: the assistant's own id of the session; default: a fresh one.
        told_later: the assistant tells its id with a reply; until then there is none.
    """

    def __init__(
        self, start: SessionStart, env: Mapping[str, str], *, session_id: str | None = None, told_later: bool = False
    ) -> None:
        self._own_id = uuid4().hex
        self._values: dict[str, JsonValue] = {
            **session_values(start, session_id=session_id or self._own_id),
            "env": dict(env),
        }
        if told_later:
            self._values["session_id"] = None
        self._history = start.history
        self._broken: str | None = None
        self._n_sent = 0

    @property
    def session(self) -> Mapping[str, JsonValue]:
        """What is known when the session opens."""
        return self._values

    def next(self, utterance: str) -> dict[str, JsonValue]:
        """Return what is known in the next turn; its ``turn_id`` was never one before, failed turns included.

        Raises:
            SutError: an earlier turn broke the session.
        """
        if self._broken is not None:
            raise SutError(f"{self._broken}; open a new session")
        values = turn_values(self._values, self._history, utterance)
        values["turn_id"] = f"{self._values['session_id'] or self._own_id}/{self._n_sent}"
        self._n_sent += 1
        return values

    def keep(self, utterance: str, reply: SutReply) -> SutReply:
        """Add a finished exchange and return its reply."""
        t = len(self._history)
        exchange = Exchange(t=t, user=utterance, assistant=reply.text, ended=reply.ended, state=reply.state)
        self._history = (*self._history, exchange)
        return reply

    @property
    def is_named(self) -> bool:
        """Whether the session has an id."""
        return self._values["session_id"] is not None

    def name(self, session_id: str) -> None:
        """Take the id that the assistant told."""
        self._values["session_id"] = session_id

    def break_off(self, why: str) -> None:
        """Let no turn follow: a late answer to this one would be taken for that of the next."""
        self._broken = self._broken or why


def filled(template: JsonValue, values: Mapping[str, JsonValue]) -> JsonValue:
    """Return ``template`` filled, with texts that every encoding can carry."""
    return storable(fill(template, values))
