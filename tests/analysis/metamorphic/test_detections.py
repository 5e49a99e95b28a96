"""Violations drawn for a person to label."""

from __future__ import annotations

from hairpin.analysis.metamorphic.detections import compared_text, detection_of, draw_detections
from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.domain.relations import MetamorphicRelation
from hairpin.domain.replay import HistoryTurn, Method
from hairpin.domain.test_seeds import SeedQuestion
from tests.analysis.metamorphic.family_builders import a_check, a_family, a_record, a_replay, a_seed, scored

MR1, MR3 = MetamorphicRelation.MR1, MetamorphicRelation.MR3
METAL, QAASKER, RBT = MetamorphicRelation.METAL, MetamorphicRelation.QAASKER, MetamorphicRelation.RBT


def a_scored_family() -> ScoredFamily:
    shuffled = a_record("c1.RS.1", ("42", "new mill", "Omar"), replay=a_replay(Method.MORTAR, (1, 0, 2), kind="RS"))
    reduced = a_record("c1.RR.1", ("old mill",), replay=a_replay(Method.MORTAR, (0,), kind="RR"))
    handed = a_replay(Method.METAL, (1,), kind="typo").model_copy(
        update={"history": (HistoryTurn(user="Where does Mina live?", assistant="old mill"),)}
    )
    asked = a_replay(Method.QAASKER, (1,), kind="wh_yes_no").model_copy(update={"expected": "yes"})
    return scored(
        a_family(
            shuffled,
            reduced,
            a_record("c1.metal.typo.q02", ("none",), replay=handed),
            a_record("c1.qaasker.wh_yes_no.q02", ("no",), replay=asked),
        ),
        a_check(MR1, ("c1.RS.1", 1)),
        a_check(MR3, ("c1.RS.1", 1), ("c1.RR.1", 0)),
        a_check(METAL, ("c1.metal.typo.q02", 0), index=1),
        a_check(QAASKER, ("c1.qaasker.wh_yes_no.q02", 0), index=1),
        a_check(RBT, ("c1", 2), index=2),
        a_check(MR1, ("c1.RS.1", 2), index=2, violated=False),
    )


def test_a_detection_has_all_that_a_person_needs() -> None:
    family = a_scored_family()
    found = detection_of(family, family.checks[0])
    assert found.id == "MR1/c1.RS.1/2/1"
    assert (found.turn, found.earlier, found.question) == (1, ("How old is she?",), "Where does Mina live?")
    assert (found.answer, found.compared_with, found.gold, found.genuine) == ("new mill", "old mill", "old mill", None)


def test_a_history_that_was_handed_over_is_part_of_what_was_asked_before() -> None:
    family = a_scored_family()
    found = detection_of(family, family.checks[2])
    assert (found.earlier, found.question, found.answer) == (("Where does Mina live?",), "How old is she?", "none")
    assert found.compared_with == "41"  # the assistant's own answer


def test_each_relation_is_compared_with_its_own_text() -> None:
    family = a_scored_family()
    assert [compared_text(family, check) for check in family.checks[:5]] == [
        "old mill",
        "old mill",
        "41",
        "yes",
        "Omar",
    ]


def test_several_gold_answers_are_all_named_where_each_was_compared_with_and_blank_ones_never() -> None:
    question = SeedQuestion(text="Where does Mina live?", answers=(" ", "old mill", "the mill", "old mill"))
    seed = a_seed().model_copy(update={"questions": (question, *a_seed().questions[1:])})
    family = scored(a_family(seed=seed))
    check = a_check(MR1, ("gone", 0))
    assert compared_text(family, check) == "old mill"
    assert compared_text(family, check.model_copy(update={"n_pairs": 2})) == "old mill / the mill"


def test_a_draw_is_per_method_without_replacement_and_always_the_same() -> None:
    family = a_scored_family()
    drawn = draw_detections([family], (Method.MORTAR, Method.METAL), per_method=2, rng_seed=7)
    assert [each.method for each in drawn] == [Method.MORTAR, Method.MORTAR, Method.METAL]
    assert len({each.id for each in drawn}) == 3
    assert drawn == draw_detections([family], (Method.MORTAR, Method.METAL), per_method=2, rng_seed=7)


def test_a_conversation_that_is_not_there_leaves_the_question_alone() -> None:
    family = a_scored_family()
    found = detection_of(family, a_check(MR1, ("gone", 0)))
    assert (found.question, found.answer, found.earlier) == ("Where does Mina live?", "", ())
