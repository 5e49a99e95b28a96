"""The outputs of a family in their places: which question each reply answers, and under which context.

It compares nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from hairpin.domain.families import Family
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import ContextCheck, ContextFinding, ContextMethod, Output
from hairpin.domain.replay import Method
from hairpin.metamorphic.similarity import Similarity


class NotChecked(StrEnum):
    """Why a relation is not applicable, beside the reasons of context checks (``ContextReason``).

    ``NOT_REACHED``: the conversation ended before. ``BLANK_ANSWER``: nothing was answered. ``NO_REFERENCE``: there is
    nothing to compare with, no gold answer and none of the source. ``CONTEXT_UNCHECKED``: there is no context check.
    ``FEWER_THAN_TWO``: MR3, o^{R+} has less than two outputs. ``EMPTY_GROUP``: MR4, o^{R+} or o^{R−} has none.
    """

    NOT_REACHED = "not_reached"
    BLANK_ANSWER = "blank_answer"
    NO_REFERENCE = "no_reference"
    CONTEXT_UNCHECKED = "context_unchecked"
    FEWER_THAN_TWO = "fewer_than_two"
    EMPTY_GROUP = "empty_group"


@dataclass(frozen=True, slots=True)
class Answered:
    """What was answered to a question in one place.

    Attributes:
        output: which reply.
        kind: the perturbation or baseline relation of its conversation.
        index: j, which question of the test seed.
        text: the number of what was answered (``Similarity``); ``None``: nothing was.
        reason: why not; ``""`` with a text.
    """

    output: Output
    kind: str
    index: int
    text: int | None
    reason: str = ""


def source_answers(family: Family, similarity: Similarity) -> dict[int, Answered]:
    """Return o_j, by question: what the source answered. A source that was held freely asked it in exchange j."""
    replay = family.source.planned.replay
    if replay is not None:
        return {each.index: each for each in answered(family.source, similarity)}
    n_questions = len(family.derivation.test_seed.questions)
    return {j: _answered(family.source, j, j, "", similarity) for j in range(n_questions)}


def answered(record: ConversationRecord, similarity: Similarity) -> Iterator[Answered]:
    """Yield what was answered to each question of a replay that relations look at, in order."""
    replay = record.planned.replay
    if replay is None:
        return
    for position, question in enumerate(replay.questions):
        if question.checked and question.index is not None:
            yield _answered(record, position, question.index, replay.kind, similarity)


def follow_ups(family: Family, *methods: Method) -> Iterator[ConversationRecord]:
    """Yield the follow-ups of these methods, in plan order."""
    for record in family.follow_ups:
        if record.planned.replay is not None and record.planned.replay.method in methods:
            yield record


def latest_findings(checks: Sequence[ContextCheck], method: ContextMethod) -> dict[tuple[str, int], ContextFinding]:
    """Return by conversation and position what the last check by ``method`` found; repeats are of studies alone."""
    return {
        (check.conversation, check.position): check.finding
        for check in checks
        if check.method is method and check.repeat == 0
    }


def _answered(record: ConversationRecord, position: int, index: int, kind: str, similarity: Similarity) -> Answered:
    output = Output(conversation=record.planned.id, position=position)
    if position >= len(record.exchanges):
        return Answered(output, kind, index, None, NotChecked.NOT_REACHED)
    text = similarity.of_answer(record.exchanges[position])
    return Answered(output, kind, index, text, NotChecked.BLANK_ANSWER if text is None else "")
