"""The relations of a family, checked one pair after the other, as the paper writes them; slow and plain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from hairpin.domain.conversation import Exchange
from hairpin.domain.families import Family
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import (
    AnswerComparison,
    ContextFinding,
    ContextReason,
    GoldAnswers,
    MetamorphicSpec,
    RelationCheck,
)
from hairpin.domain.replay import Method
from hairpin.metamorphic.answer_words import Containment, has_answer, lexical_verdict
from hairpin.metamorphic.mr import mr1_holds, mr2_holds, mr3_holds, mr4_holds
from hairpin.metamorphic.text_vectors import TextVectors


class Found(NamedTuple):
    """What of a check can be computed in two ways. ``output``: of checks of one reply."""

    relation: str
    question: int
    output: tuple[str, int] | None
    similarity: float | None
    violated: bool | None
    level: int | None
    reason: str


def found(check: RelationCheck) -> Found:
    """Return what the scorer found."""
    one = check.outputs[0] if check.outputs and check.relation not in ("MR3", "MR4") else None
    return Found(
        check.relation,
        check.index,
        None if one is None else (one.conversation, one.position),
        None if check.similarity is None else round(check.similarity, 5),
        check.violated,
        check.level,
        check.reason,
    )


class BruteForce:
    """One family."""

    def __init__(self, family: Family, vectors: TextVectors, spec: MetamorphicSpec) -> None:
        self.family, self.vectors, self.spec = family, vectors, spec

    def checks(self) -> list[Found]:
        made = [*self.rbt(), *self.singles(), *self.groups("MR3"), *self.groups("MR4")]
        wrong = {each.question: each.violated for each in made if each.relation == "RBT"}
        return [self.levelled(each, wrong) for each in made]

    def levelled(self, each: Found, wrong: dict[int, bool | None]) -> Found:
        if not each.violated or each.relation == "RBT" or wrong.get(each.question) is None:
            return each
        passed = all(value is False for value in wrong.values())
        return each._replace(level=1 if wrong[each.question] else 3 if passed else 2)

    def similarity(self, one: str, other: str, relation: str) -> float:
        if self.spec.comparison is AnswerComparison.LEXICAL:
            wide = {"RBT": Containment.SECOND_IN_FIRST, "MR1": Containment.SECOND_IN_FIRST, "MR3": Containment.EITHER}
            verdict = lexical_verdict(one, other, wide.get(relation, Containment.NONE))
            if verdict is not None:
                return float(verdict)
        if one == other:
            return 1.0
        left, right = (self.vectors.vectors[self.vectors.row(text)].astype(float) for text in (one, other))
        return float(np.dot(left, right))

    def gold(self, index: int) -> list[str]:
        answers = [text for text in self.family.derivation.test_seed.questions[index].answers if has_answer(text)]
        return answers if self.spec.gold is GoldAnswers.BEST else answers[:1]

    def source(self, index: int) -> tuple[int, Exchange | None]:
        replay = self.family.source.planned.replay
        asked = range(self.n_questions) if replay is None else [question.index for question in replay.questions]
        position = list(asked).index(index)
        exchanges = self.family.source.exchanges
        return position, exchanges[position] if position < len(exchanges) else None

    @property
    def n_questions(self) -> int:
        return len(self.family.derivation.test_seed.questions)

    def rbt(self) -> Iterator[Found]:
        for j in range(self.n_questions):
            if self.gold(j):
                position, exchange = self.source(j)
                yield self.one("RBT", j, (self.family.source.planned.id, position), exchange, self.gold(j))

    def one(
        self, relation: str, j: int, place: tuple[str, int], exchange: Exchange | None, wanted: Sequence[str]
    ) -> Found:
        if exchange is None:
            return Found(relation, j, place, None, None, None, "not_reached")
        if not has_answer(exchange.assistant):
            return Found(relation, j, place, None, None, None, "blank_answer")
        if not wanted:
            return Found(relation, j, place, None, None, None, "no_reference")
        two_replies = relation == "MR1" and not self.gold(j)
        likened_as = "MR3" if two_replies else relation
        best = max(self.similarity(exchange.assistant, text, likened_as) for text in wanted)
        holds = (mr2_holds if relation == "MR2" else mr1_holds)(best, self.spec.epsilon)
        return Found(relation, j, place, round(best, 5), not holds, None, "")

    def replies(
        self, record: ConversationRecord
    ) -> Iterator[tuple[int, tuple[str, int], Exchange | None, ContextFinding | None]]:
        replay = record.planned.replay
        assert replay is not None
        for i, question in enumerate(replay.questions):
            if question.checked and question.index is not None:
                place = (record.planned.id, i)
                exchange = record.exchanges[i] if i < len(record.exchanges) else None
                yield question.index, place, exchange, self.finding(place)

    def finding(self, place: tuple[str, int]) -> ContextFinding | None:
        last = None
        for check in self.family.context_checks:
            same = (check.conversation, check.position) == place
            if same and check.method is self.spec.context and check.repeat == 0:
                last = check.finding
        return last

    def singles(self) -> Iterator[Found]:
        for record in self.family.follow_ups:
            replay = record.planned.replay
            assert replay is not None
            for j, place, exchange, finding in self.replies(record):
                before = self.source(j)[1]
                answered = [before.assistant] if before is not None and has_answer(before.assistant) else []
                expected = [replay.expected] if replay.expected is not None and has_answer(replay.expected) else []
                if replay.method is Method.METAL:
                    yield self.one("METAL", j, place, exchange, answered)
                elif replay.method is Method.QAASKER:
                    yield self.one("QAASKER", j, place, exchange, expected)
                elif replay.method is Method.MORTAR:
                    yield from self.mortar(j, place, exchange, finding, self.gold(j) or answered)

    def mortar(
        self,
        j: int,
        place: tuple[str, int],
        exchange: Exchange | None,
        finding: ContextFinding | None,
        wanted: Sequence[str],
    ) -> Iterator[Found]:
        context = self.context(finding)
        if context == "+" and "MR1" in self.spec.relations:
            yield self.one("MR1", j, place, exchange, wanted)
        elif context == "-" and "MR2" in self.spec.relations:
            yield self.one("MR2", j, place, exchange, wanted)
        elif context == "=" and "MR2" in self.spec.relations:
            yield Found("MR2", j, place, None, None, None, "equal_answers")
        elif context not in ("+", "-", "="):
            for relation in ("MR1", "MR2"):
                if relation in self.spec.relations:
                    yield Found(relation, j, place, None, None, None, context)
                    break

    def context(self, finding: ContextFinding | None) -> str:
        if finding is None:
            return "context_unchecked"
        if finding.reason is ContextReason.EQUAL_ANSWERS:
            return "="
        return finding.reason if finding.equivalent is None else "+" if finding.equivalent else "-"

    def groups(self, relation: str) -> Iterator[Found]:
        if relation not in self.spec.relations:
            return
        for j in range(self.n_questions):
            members: dict[str, list[str]] = {"+": [], "-": [], "=": []}
            asked = False
            for record in self.family.follow_ups:
                replay = record.planned.replay
                if replay is not None and replay.method is Method.MORTAR:
                    for index, _, exchange, finding in self.replies(record):
                        asked = asked or index == j
                        text = "" if exchange is None else exchange.assistant
                        context = self.context(finding)
                        if index == j and (context == "=" or (context in "+-" and has_answer(text))):
                            members[context].append(text)
            if asked:
                yield (self.mr3 if relation == "MR3" else self.mr4)(j, members)

    def mr3(self, j: int, members: dict[str, list[str]]) -> Found:
        plus = members["+"]
        if len(plus) < 2:
            return Found("MR3", j, None, None, None, None, "fewer_than_two")
        found = np.array([[self.similarity(one, other, "MR3") for other in plus] for one in plus])
        return Found("MR3", j, None, round(found.min(), 5), not mr3_holds(found, self.spec.epsilon), None, "")

    def mr4(self, j: int, members: dict[str, list[str]]) -> Found:
        plus, minus = members["+"], members["-"]
        if not plus or not minus:
            reason = "equal_answers" if plus and members["="] else "empty_group"
            return Found("MR4", j, None, None, None, None, reason)
        found = np.array([[self.similarity(one, other, "MR4") for other in minus] for one in plus])
        return Found("MR4", j, None, round(found.max(), 5), not mr4_holds(found, self.spec.epsilon), None, "")
