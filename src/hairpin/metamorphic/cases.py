"""What is compared with what: the cases of MR1 to MR4, RBT, METAL and QAAsker in a family.

It computes no similarity and decides no violation; ``metamorphic.scoring`` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import NamedTuple

from hairpin.domain.families import Family
from hairpin.domain.relations import ContextFinding, ContextReason, GoldAnswers, MetamorphicRelation, MetamorphicSpec
from hairpin.domain.relations import Output as Out
from hairpin.domain.replay import Method
from hairpin.domain.test_seeds import SeedQuestion
from hairpin.metamorphic.outputs import Answered, NotChecked, answered, findings_of, follow_ups, source_answers
from hairpin.metamorphic.similarity import Similarity

MR1, MR2, MR3, MR4 = (
    MetamorphicRelation.MR1,
    MetamorphicRelation.MR2,
    MetamorphicRelation.MR3,
    MetamorphicRelation.MR4,
)


class Pair(NamedTuple):
    """Two texts, by their numbers, and the replies that they are."""

    left: int
    right: int
    outputs: tuple[Out, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One check to be made: the pair that is least alike decides, or the one that is most.

    Attributes:
        relation: which.
        index: j, the question.
        kind: of the conversation of the output, ``""`` for several.
        pairs: what is compared; none when not applicable.
        least: whether the least similar pair decides, as for MR3.
        outputs: the replies, when not applicable.
        reason: why it is not applicable.
        own_reply: whether the output is held against another reply of the assistant, for want of a gold answer.
    """

    relation: MetamorphicRelation
    index: int
    kind: str = ""
    pairs: Sequence[Pair] = ()
    least: bool = False
    outputs: tuple[Out, ...] = ()
    reason: str = ""
    own_reply: bool = False

    @property
    def likened_as(self) -> MetamorphicRelation:
        """For the sake of which relation texts are likened: MR1 without gold compares two replies, just as MR3 does."""
        return MR3 if self.relation is MR1 and self.own_reply else self.relation


@dataclass(slots=True)
class Group:
    """The outputs to one question: under an equivalent context (o^{R+}_j) and under another (o^{R−}_j).

    ``indistinct``: whether there are outputs about another fact with an equal answer, which are in neither.

    Source: MORTAR, eq. 37 to 39.
    """

    plus: list[Answered]
    minus: list[Answered]
    indistinct: bool = False


def family_cases(family: Family, spec: MetamorphicSpec, similarity: Similarity, *, by_pair: bool) -> Iterator[Case]:
    """Yield the cases of ``family``: RBT by question; those of each follow-up by position; MR3, then MR4, by question.

    Foreign rounds, and rounds that only lead up to another, are the subject of no relation.
    """
    questions = family.derivation.test_seed.questions
    source = source_answers(family, similarity)
    gold = [gold_numbers(question, spec.gold, similarity) for question in questions]
    for index, texts in enumerate(gold):
        if texts and index in source:
            yield _against(MetamorphicRelation.RBT, source[index], texts)
    wanted = [texts or _texts(source.get(index)) for index, texts in enumerate(gold)]
    findings = findings_of(family, spec)
    groups: dict[int, Group] = {}
    for record in follow_ups(family, Method.MORTAR, Method.METAL, Method.QAASKER):
        replay = record.planned.replay
        assert replay is not None, record.planned.id
        expected = similarity.of_text(replay.expected or "")
        for reply in answered(record, similarity):
            if replay.method is Method.METAL:
                yield _against(MetamorphicRelation.METAL, reply, _texts(source.get(reply.index)))
            elif replay.method is Method.QAASKER:
                yield _against(MetamorphicRelation.QAASKER, reply, () if expected is None else (expected,))
            else:
                finding = findings.get((reply.output.conversation, reply.output.position))
                _join(groups.setdefault(reply.index, Group([], [])), reply, finding)
                for case in _single(reply, finding, wanted[reply.index], spec.relations):
                    yield replace(case, own_reply=not gold[reply.index])
    yield from _grouped(groups, spec.relations, by_pair=by_pair)


def gold_numbers(question: SeedQuestion, mode: GoldAnswers, similarity: Similarity) -> tuple[int, ...]:
    """Return the gold answers that count, by number, blank ones left out."""
    texts = [text for answer in question.answers if (text := similarity.of_text(answer)) is not None]
    return tuple(dict.fromkeys(texts if mode is GoldAnswers.BEST else texts[:1]))


def _texts(reply: Answered | None) -> tuple[int, ...]:
    return () if reply is None or reply.text is None else (reply.text,)


def _against(relation: MetamorphicRelation, reply: Answered, wanted: Sequence[int]) -> Case:
    """Compare one reply with what is wanted; of several texts with the one that it is most like."""
    outputs = (reply.output,)
    if reply.text is None or not wanted:
        reason = reply.reason or NotChecked.NO_REFERENCE
        return Case(relation, reply.index, reply.kind, outputs=outputs, reason=reason)
    return Case(relation, reply.index, reply.kind, [Pair(reply.text, text, outputs) for text in wanted])


def _single(
    reply: Answered, finding: ContextFinding | None, wanted: Sequence[int], relations: Sequence[MetamorphicRelation]
) -> Iterator[Case]:
    """Match MR1 or MR2 by the context; where it is not known, the first of them that is checked is not applicable."""
    unknown, altered = _unknown(finding), _altered(finding)
    relation = next((each for each in (MR1, MR2) if each in relations), None) if unknown else MR2 if altered else MR1
    if relation is None or relation not in relations:
        return
    reason = unknown or (ContextReason.EQUAL_ANSWERS if _indistinct(finding) else "")
    if reason:
        yield Case(relation, reply.index, reply.kind, outputs=(reply.output,), reason=reason)
    else:
        yield _against(relation, reply, wanted)


def _join(group: Group, reply: Answered, finding: ContextFinding | None) -> None:
    if _indistinct(finding):
        group.indistinct = True
    elif reply.text is not None and not _unknown(finding):
        (group.minus if _altered(finding) else group.plus).append(reply)


def _unknown(finding: ContextFinding | None) -> str:
    """Return why it is not known whether the context is equivalent, ``""`` when it is."""
    if finding is None:
        return NotChecked.CONTEXT_UNCHECKED
    return finding.reason if finding.equivalent is None and not _indistinct(finding) else ""


def _indistinct(finding: ContextFinding | None) -> bool:
    return finding is not None and finding.reason is ContextReason.EQUAL_ANSWERS


def _altered(finding: ContextFinding | None) -> bool:
    return finding is not None and (_indistinct(finding) or finding.equivalent is False)


def _grouped(groups: dict[int, Group], relations: Sequence[MetamorphicRelation], *, by_pair: bool) -> Iterator[Case]:
    for index, group in sorted(groups.items()):
        if MR3 in relations:
            reason = "" if len(group.plus) > 1 else NotChecked.FEWER_THAN_TWO
            yield from _group_cases(MR3, index, combinations(group.plus, 2), reason, by_pair=by_pair)
    for index, group in sorted(groups.items()):
        if MR4 in relations:
            yield from _group_cases(MR4, index, product(group.plus, group.minus), _no_mr4(group), by_pair=by_pair)


def _no_mr4(group: Group) -> str:
    if group.plus and group.minus:
        return ""
    return ContextReason.EQUAL_ANSWERS if group.plus and group.indistinct else NotChecked.EMPTY_GROUP


def _group_cases(
    relation: MetamorphicRelation,
    index: int,
    replies: Iterator[tuple[Answered, ...]],
    reason: str,
    *,
    by_pair: bool,
) -> Iterator[Case]:
    if reason:
        yield Case(relation, index, reason=reason)
        return
    pairs = [
        Pair(one.text, other.text, (one.output, other.output))
        for one, other in replies
        if one.text is not None and other.text is not None
    ]
    for part in [[pair] for pair in pairs] if by_pair else [pairs]:
        yield Case(relation, index, pairs=part, least=relation is MR3)
