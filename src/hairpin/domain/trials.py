"""Trials: tries to make a conversation's outcome again, to find out what of it can be relied on.

A trial is an ordinary conversation of a run that is in none of its figures. What trials together say is for others.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from hairpin.domain.base import Value


class TrialKind(StrEnum):
    """What is held fixed.

    ``REJUDGE``: both sides; what was said is said again and judged anew. ``REPLAY``: the user's words; the assistant
    answers anew. ``RESIMULATE``: seed phrase, persona, context and M alone; user and assistant speak anew, with another
    random seed.
    """

    REJUDGE = "rejudge"
    REPLAY = "replay"
    RESIMULATE = "resimulate"


MAX_TRIALS = 1 << 8
"""So many trials of one kind one conversation can have."""


class Trial(Value):
    """Trial ``number``, from 0, of a kind, of the conversation ``source``.

    ``from_turn``: of a replay, the first turn that the assistant answers anew; before it the stored replies stand.
    """

    source: str
    kind: TrialKind
    number: int = Field(ge=0, lt=MAX_TRIALS)
    from_turn: int = Field(default=0, ge=0)


class ConfirmSpec(Value):
    """How often each failed conversation is judged again on what was said, replayed, and simulated anew."""

    rejudge: int = Field(default=3, ge=0, lt=MAX_TRIALS)
    replay: int = Field(default=3, ge=0, lt=MAX_TRIALS)
    resimulate: int = Field(default=2, ge=0, lt=MAX_TRIALS)

    def times(self, kind: TrialKind) -> int:
        """Return how often trials of ``kind`` are made."""
        return {TrialKind.REJUDGE: self.rejudge, TrialKind.REPLAY: self.replay}.get(kind, self.resimulate)
