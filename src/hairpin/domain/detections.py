"""Violations drawn for a person to look at, with what the person said of them.

Drawing them is ``analysis.metamorphic``'s.
"""

from __future__ import annotations

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.relations import MetamorphicRelation
from hairpin.domain.replay import Method


class Detection(Value):
    """One violated relation, with everything needed to say whether the assistant was really wrong.

    Attributes:
        id: names it in its run, for ever.
        conversation: the replay; ``turn`` of it, from 0, as everywhere.
        earlier: what was asked before in that replay.
        answer: what the assistant said; ``compared_with``: what relation compares that with.
        genuine: the label: the question is clear, and the answer is wrong or not what was asked for. ``None``: not
            labelled yet.
        why: the person's reason.
    """

    id: str
    method: Method
    relation: MetamorphicRelation
    kind: str = ""
    sut: str = ""
    conversation: str
    turn: int = Field(ge=0)
    reference_text: str | None = None
    earlier: tuple[str, ...] = ()
    question: str
    answer: str
    compared_with: str = ""
    gold: str | None = None
    similarity: float | None = None
    genuine: bool | None = None
    why: str = ""
