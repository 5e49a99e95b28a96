"""Conversations whose questions are those of a test seed: source runs, follow-ups, and single-turn variants.

Which follow-ups there are is decided in ``metamorphic``.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from hairpin.domain.base import Value


class Method(StrEnum):
    """What a conversation is replayed for.

    ``RBT``: the test seed itself, as it is. ``NULL``: the same once more, for the noise of the assistant. ``MORTAR``: a
    dialogue-level perturbation. ``METAL`` and ``QAASKER``: one question changed, in its original context.
    """

    RBT = "rbt"
    NULL = "null"
    MORTAR = "mortar"
    METAL = "metal"
    QAASKER = "qaasker"


class Perturbation(StrEnum):
    """P^r on the sequence of questions (MORTAR, eq. 22 to 28); ``RI`` inserts an unrelated round (ours)."""

    RS = "RS"
    RR = "RR"
    RD = "RD"
    RSR = "RSR"
    RSD = "RSD"
    RRD = "RRD"
    RSRD = "RSRD"
    RI = "RI"


PAPER_PERTURBATIONS = tuple(each for each in Perturbation if each is not Perturbation.RI)


class ReplayedQuestion(Value):
    """One question of a replay.

    ``index``: which question of the test seed it is, from 0; ``None`` is a foreign round. ``checked``: whether
    relations look at its answer; foreign rounds and those that only lead up to a changed question are not checked.
    """

    text: str
    index: int | None = Field(default=None, ge=0)
    checked: bool = True

    @model_validator(mode="after")
    def _foreign_rounds_are_not_checked(self) -> Self:
        if self.index is None and self.checked:
            raise ValueError("a foreign round is checked by no relation")
        return self


class HistoryTurn(Value):
    """An exchange that a session is handed when it opens."""

    user: str
    assistant: str


class Replay(Value):
    """What a replayed conversation asks, and why.

    Attributes:
        method: what for.
        test_seed: the id of the test seed.
        source: the id of the conversation that this one is a follow-up of; ``None``: it is a source itself.
        kind: the perturbation, or the relation of METAL or QAAsker; ``""`` for others.
        execution: the how-manieth of its kind, from 0.
        history: exchanges that are handed over before the first question.
        questions: what is asked, in order.
        expected: the answer that a changed question should get, where that is not the answer of the source.
    """

    method: Method
    test_seed: str
    source: str | None = None
    kind: str = ""
    execution: int = Field(default=0, ge=0)
    history: tuple[HistoryTurn, ...] = ()
    questions: tuple[ReplayedQuestion, ...] = Field(min_length=1)
    expected: str | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """What is asked, as texts."""
        return tuple(question.text for question in self.questions)


class NotApplicable(Value):
    """A follow-up that there is not, and why; ``index``: for which question, ``None`` for the whole dialogue."""

    method: Method
    kind: str
    index: int | None = Field(default=None, ge=0)
    reason: str
