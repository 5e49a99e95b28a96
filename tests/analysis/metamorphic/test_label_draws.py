from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hairpin.analysis.metamorphic.label_draws import draw_answers, draw_contexts
from hairpin.domain.families import Family
from hairpin.domain.relations import ContextCheck, ContextFinding, ContextReason
from hairpin.domain.replay import Method, Replay, ReplayedQuestion
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from tests.analysis.metamorphic.family_builders import a_family, a_record, a_seed


def found(*decisions: bool | None) -> Family:
    """A family whose one follow-up asks the questions the other way round, with these decisions of its contexts."""
    n = len(decisions)
    seed = TestSeed(id="d", questions=tuple(SeedQuestion(text=f"q{i}") for i in range(2 * n or 1)))
    asked = tuple(ReplayedQuestion(text=f"q{i}", index=i) for i in reversed(range(2 * n or 1)))
    replay = Replay(method=Method.MORTAR, test_seed="d", source="c1", kind="RS", questions=asked)
    checks = [
        ContextCheck(
            conversation="f1",
            position=position,
            index=2 * n - 1 - position,
            finding=ContextFinding(equivalent=decision, reason=ContextReason.VERDICT, detail="a secret"),
        )
        for position, decision in enumerate(decisions)
    ]
    return a_family(a_record("f1", [], replay=replay), seed=seed, context_checks=checks)


@given(st.lists(st.booleans(), max_size=30), st.integers(1, 40), st.integers(0, 5))
def test_as_many_of_each_as_there_can_be_are_drawn_and_nothing_is_told(
    decisions: list[bool], number: int, rng_seed: int
) -> None:
    family = found(*decisions)
    drawn = draw_contexts([family], number=number, rng_seed=rng_seed)
    said = {f"f1/{n + 1}": decision for n, decision in enumerate(decisions)}
    kinds = [said[item.id] for item in drawn]
    fewer = min(decisions.count(True), decisions.count(False))
    assert len(drawn) == min(number, len(decisions)) == len({item.id for item in drawn})
    assert min(kinds.count(True), kinds.count(False)) == min(fewer, number // 2)
    assert all(item.equivalent is None and "secret" not in item.model_dump_json() for item in drawn)
    assert drawn == draw_contexts([family], number=number, rng_seed=rng_seed)


def test_the_order_does_not_tell_which_are_equivalent() -> None:
    drawn = draw_contexts([found(*[True] * 20, *[False] * 20)], number=40, rng_seed=1)
    kinds = [int(item.id.partition("/")[2]) <= 20 for item in drawn]
    assert kinds not in (sorted(kinds), sorted(kinds, reverse=True))


def test_an_item_has_the_question_with_the_earlier_questions_of_both_sides() -> None:
    (item,) = draw_contexts([found(True)], number=5, rng_seed=1)
    assert (item.id, item.question, item.source, item.follow_up) == ("f1/1", "q1", ("q0",), ())


def test_equal_contexts_undecided_ones_and_the_same_again_are_left_out() -> None:
    family = found(True, None)
    same = ContextCheck(
        conversation="f1",
        position=0,
        index=3,
        repeat=1,
        finding=ContextFinding(equivalent=True, reason=ContextReason.VERDICT),
    )
    unknown = same.model_copy(update={"conversation": "elsewhere"})
    again = family.model_copy(update={"context_checks": (*family.context_checks, same, unknown)})
    assert [item.id for item in draw_contexts([again], number=9, rng_seed=1)] == ["f1/1"]
    replay = Replay(
        method=Method.MORTAR, test_seed="d1", source="c1", questions=(ReplayedQuestion(text="Where?", index=0),)
    )
    equal = a_family(
        a_record("f1", [], replay=replay),
        context_checks=[same.model_copy(update={"index": 0})],
    )
    assert draw_contexts([equal], number=9, rng_seed=1) == ()


def test_answers_are_those_of_the_source_run_beside_their_gold_answers() -> None:
    drawn = draw_answers([a_family()], number=9, rng_seed=1)
    assert [(item.id, item.question, item.answer, item.output, item.correct) for item in drawn] == [
        ("c1/1", "Where does Mina live?", "old mill", "old mill", None),
        ("c1/2", "How old is she?", "41", "41", None),
        ("c1/3", "Who is her brother?", "Omar", "Omar", None),
    ]
    assert len(draw_answers([a_family()], number=2, rng_seed=1)) == 2
    assert draw_answers([a_family(seed=a_seed(gold=False))], number=9, rng_seed=1) == ()


def test_a_blank_answer_is_nothing_to_label() -> None:
    family = a_family()
    source = a_record("c1", [" ", "41"], replay=family.source.planned.replay)
    drawn = draw_answers([family.model_copy(update={"source": source})], number=9, rng_seed=1)
    assert [item.id for item in drawn] == ["c1/2"]
