"""The outputs of a family in their places: which question each reply answers, and under which context.

It compares nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from hairpin.domain.families import Family
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import (
    ContextCheck,
    ContextFinding,
    ContextMethod,
    ContextReason,
    MetamorphicSpec,
    Output,
)
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


def findings_of(family: Family, spec: MetamorphicSpec) -> dict[tuple[str, int], ContextFinding]:
    """Return by conversation and position what is known of contexts.

    With ``spec.same_state`` an equivalent context in which the assistant was in another state than in the source, or
    in one that it did not tell, is not applicable: the same words may rightly get another answer there. The state
    before the first question is never told, and is the same in all conversations. A context that is not equivalent
    stays so in any state.
    """
    found = latest_findings(family.context_checks, spec.context)
    if not spec.same_state:
        return found
    places = {(record.planned.id, n): record for record in family.follow_ups for n in range(len(record.exchanges))}
    index = {(check.conversation, check.position): check.index for check in family.context_checks}
    return {
        place: _stateless(finding)
        if finding.equivalent and not _same_state(family.source, index[place], places.get(place), place[1])
        else finding
        for place, finding in found.items()
    }


def _same_state(source: ConversationRecord, j: int, record: ConversationRecord | None, i: int) -> bool:
    """Whether the assistant told the same state before q_j of the source and before position ``i`` of a follow-up."""
    if record is None:
        return True  # never answered: another reason says so
    if i == 0 or j == 0:
        return i == j
    if j > len(source.exchanges):
        return False
    before, then = source.exchanges[j - 1].state, record.exchanges[i - 1].state
    return before is not None and before == then


def _stateless(finding: ContextFinding) -> ContextFinding:
    return finding.model_copy(update={"equivalent": None, "reason": ContextReason.STATE_DIFFERS})


def _answered(record: ConversationRecord, position: int, index: int, kind: str, similarity: Similarity) -> Answered:
    output = Output(conversation=record.planned.id, position=position)
    if position >= len(record.exchanges):
        return Answered(output, kind, index, None, NotChecked.NOT_REACHED)
    text = similarity.of_answer(record.exchanges[position])
    return Answered(output, kind, index, text, NotChecked.BLANK_ANSWER if text is None else "")
