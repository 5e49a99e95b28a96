"""Violated relations on the turns that they compare."""

from __future__ import annotations

import pytest

from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import MetamorphicRelation, RelationCheck
from hairpin.domain.replay import Method
from hairpin.reports.conversation import build_conversation
from hairpin.reports.model import ConversationReport
from hairpin.reports.terminal import conversation_lines, transcript
from hairpin.reports.violated import counted, first_violations, n_violated, with_violations
from tests.analysis.metamorphic.family_builders import a_check, a_family, a_record, a_replay, a_seed, scored
from tests.reports.sample_run import a_run, failed

RBT, MR1, MR2, MR3, MR4, METAL, QAASKER = MetamorphicRelation
SHUFFLED = a_record("f1", ("41", "the barn"), replay=a_replay(Method.MORTAR, [1, 0], kind="RS"))
REDUCED = a_record("f2", ["elsewhere"], replay=a_replay(Method.MORTAR, [0], kind="RR"))


def a_scored(*checks: RelationCheck, gold: bool = True) -> ScoredFamily:
    return scored(a_family(SHUFFLED, REDUCED, seed=a_seed(gold=gold)), *checks)


def shown(record: ConversationRecord, found: ScoredFamily) -> ConversationReport:
    return with_violations(build_conversation(a_run(), record), found)


def marks(record: ConversationRecord, found: ScoredFamily) -> list[tuple[int, str, str, str]]:
    turns = shown(record, found).turns
    return [
        (turn.t, each.relation.value, each.compared_with, each.origin) for turn in turns for each in turn.violations
    ]


def test_a_violation_stands_at_its_turn_with_what_its_answer_was_compared_with() -> None:
    check = a_check(MR1, ("f1", 1), index=0, level=3).model_copy(update={"similarity": 0.314})
    text = transcript(shown(SHUFFLED, a_scored(check)), width=200)
    assert text[text.index("turn 1\n") :].splitlines()[:4] == [
        "turn 1",
        "  user       Where does Mina live?",
        "  assistant  the barn",
        "  !! VIOLATED MR1 (equivalent context, unlike the expected answer): "
        'compared with "old mill" (the expected answer), similarity 0.31',
    ]
    assert "VIOLATED" not in text[: text.index("turn 1\n")]
    assert "REPLAYED: no verdict; it has part in 1 violated relation\n" in text


def test_two_answers_of_a_group_are_marked_each_with_the_other_one() -> None:
    found = a_scored(a_check(MR3, ("f1", 1), ("f2", 0), index=0))
    assert marks(SHUFFLED, found) == [(1, "MR3", "elsewhere", "f2, turn 0")]
    assert marks(REDUCED, found) == [(0, "MR3", "the barn", "f1, turn 1")]
    assert marks(found.family.source, found) == []
    assert n_violated([found]) == {"c1": 0, "f1": 1, "f2": 1}


def test_two_answers_of_one_replay_are_one_violation_in_it() -> None:
    twice = a_record("f3", ["here", "there"], replay=a_replay(Method.MORTAR, [0, 0], kind="RD"))
    found = scored(a_family(twice), a_check(MR3, ("f3", 0), ("f3", 1), index=0))
    assert marks(twice, found) == [(0, "MR3", "there", "f3, turn 1"), (1, "MR3", "here", "f3, turn 0")]
    assert n_violated([found]) == {"c1": 0, "f3": 1}
    assert shown(twice, found).reason.endswith("it has part in 1 violated relation")


@pytest.mark.parametrize(("relation", "gold"), [(MR1, False), (METAL, True), (QAASKER, False)])
def test_where_its_own_answer_was_expected_the_source_is_marked_too(relation: MetamorphicRelation, gold: bool) -> None:
    found = a_scored(a_check(relation, ("f1", 1), index=0), gold=gold)
    assert marks(SHUFFLED, found) == [(1, relation.value, "old mill", "c1, turn 0")]
    assert marks(found.family.source, found) == [(0, relation.value, "the barn", "f1, turn 1")]
    assert n_violated([found]) == {"c1": 1, "f1": 1, "f2": 0}


def test_an_answer_that_follows_from_a_question_is_expected_and_not_the_source_s_own() -> None:
    replay = a_replay(Method.QAASKER, [0], kind="G").model_copy(update={"expected": "Mina"})
    asked = a_record("q1", ["Omar"], replay=replay)
    found = scored(a_family(asked, seed=a_seed(gold=False)), a_check(QAASKER, ("q1", 0), index=0))
    assert marks(asked, found) == [(0, "QAASKER", "Mina", "the expected answer")]
    assert n_violated([found]) == {"c1": 0, "q1": 1}


def test_a_wrong_answer_to_the_test_seed_itself_is_marked_on_the_source() -> None:
    found = a_scored(a_check(RBT, index=2))
    assert marks(found.family.source, found) == [(2, "RBT", "Omar", "the expected answer")]


def test_what_holds_or_was_never_checked_is_not_marked() -> None:
    held = a_scored(a_check(MR1, ("f1", 1), index=0, violated=False))
    assert marks(SHUFFLED, held) == []
    assert shown(SHUFFLED, held).reason == "no verdict; it has part in no violated relation"
    assert shown(SHUFFLED, a_scored()).reason == "no verdict; relations compare its answers"
    assert n_violated([a_scored()]) == {}


def test_a_conversation_with_a_verdict_keeps_its_reason_and_says_only_what_was_violated() -> None:
    report = build_conversation(a_run(), failed())
    assert counted(report, 0) == report
    assert counted(report, None) == report
    assert counted(report, 2).reason == f"{report.reason}; it has part in 2 violated relations"
    assert next(conversation_lines([counted(report, 2)], width=400)).count("it has part in 2 violated relations") == 1


def test_the_first_are_what_no_source_had_shown_each_of_another_question_and_rbt_last() -> None:
    found = a_scored(
        a_check(RBT, index=2),
        a_check(METAL, ("f2", 0), index=2, level=3),
        a_check(MR1, ("f1", 0), index=1, level=1),
        a_check(MR2, ("f1", 1), index=0, level=2),
        a_check(MR4, ("f1", 1), ("f2", 0), index=0, level=3),
        a_check(MR1, ("f2", 0), index=0, violated=False),
    )
    first = first_violations([found, a_scored()], 3)
    assert [(each.relation.value, each.level) for each in first] == [("MR4", 3), ("MR1", 1), ("METAL", 3)]
    assert (first[0].conversation, first[0].t, first[0].question) == ("f1", 1, "Where does Mina live?")
    assert (first[0].answer, first[0].compared_with, first[0].origin) == ("the barn", "elsewhere", "f2, turn 0")
    assert first_violations([found], 1) == first[:1]
    assert first_violations([], 3) == ()
