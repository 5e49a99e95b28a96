"""The fold of a family: against the paper's own example, against brute force, and on what is not there."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.families import Family
from hairpin.domain.relations import (
    MORTAR_RELATIONS,
    AnswerComparison,
    ContextFinding,
    ContextMethod,
    ContextReason,
    GoldAnswers,
    MetamorphicRelation,
    MetamorphicSpec,
    RelationCheck,
    count_violations,
)
from hairpin.domain.replay import Method
from hairpin.metamorphic.scoring import check_relations, check_relations_exactly, texts_needed
from hairpin.metamorphic.text_vectors import TextVectors, numpy_pair_cosines
from hairpin.ports import FloatArray, FloatMatrix, IndexArray
from tests.metamorphic.brute_force import BruteForce, found
from tests.metamorphic.making_families import (
    ALTERED,
    EQUIVALENT,
    WORDS,
    families,
    family,
    follow_up,
    plane,
    source,
)

MR1, MR2, MR3, MR4 = MORTAR_RELATIONS
RBT, METAL, QAASKER = MetamorphicRelation.RBT, MetamorphicRelation.METAL, MetamorphicRelation.QAASKER
VECTORS = plane(WORDS)
specs = st.builds(
    MetamorphicSpec,
    relations=st.lists(st.sampled_from(MORTAR_RELATIONS), unique=True).map(tuple),
    epsilon=st.sampled_from([0.6, 0.8, 1.0]),
    context=st.sampled_from(ContextMethod),
    comparison=st.sampled_from(AnswerComparison),
    gold=st.sampled_from(GoldAnswers),
)


def by_relation(checks: Sequence[RelationCheck], relation: MetamorphicRelation) -> list[RelationCheck]:
    return [check for check in checks if check.relation is relation]


def places(check: RelationCheck) -> set[tuple[str, int]]:
    return {(output.conversation, output.position) for output in check.outputs}


@given(st.lists(families(), max_size=3), specs)
def test_brute_force_finds_the_same(drawn: list[Family], spec: MetamorphicSpec) -> None:
    scored = check_relations(drawn, VECTORS, spec)
    slow = [BruteForce(each, VECTORS, spec).checks() for each in drawn]
    assert [[found(check) for check in checks] for checks in scored] == slow


@given(st.lists(families(), max_size=3), specs)
def test_each_check_is_violated_or_not_or_says_why_it_is_not_applicable(
    drawn: list[Family], spec: MetamorphicSpec
) -> None:
    for checks in check_relations(drawn, VECTORS, spec):
        for check in checks:
            assert (check.violated is None) == (check.similarity is None) == bool(check.reason)
            assert check.similarity is None or -1 <= check.similarity <= 1
        bugs = [check for check in checks if check.violated and check.relation is not RBT]
        answered = {check.index for check in by_relation(checks, RBT) if check.violated is not None}
        assert all((check.level is not None) == (check.index in answered) for check in bugs)


@given(st.lists(families(), max_size=3), specs)
def test_all_cosines_are_asked_for_at_once(drawn: list[Family], spec: MetamorphicSpec) -> None:
    calls = []

    def counting(vectors: FloatMatrix, left: IndexArray, right: IndexArray) -> FloatArray:
        calls.append(len(left))
        return numpy_pair_cosines(vectors, left, right)

    scored = check_relations(drawn, VECTORS, spec, pair_cosines=counting)
    assert scored == check_relations(drawn, VECTORS, spec)
    assert len(calls) == any(check.similarity is not None for checks in scored for check in checks)


@given(families(), specs)
def test_a_pair_at_a_time_finds_a_group_violated_iff_one_of_its_pairs_is(drawn: Family, spec: MetamorphicSpec) -> None:
    (groups,) = check_relations([drawn], VECTORS, spec)
    (pairs,) = check_relations([drawn], VECTORS, spec, groups_by_pair=True)
    for relation in (MR3, MR4):
        for group in by_relation(groups, relation):
            own = [check for check in by_relation(pairs, relation) if check.index == group.index]
            assert len(own) == group.n_pairs
            assert all(check.n_pairs == 1 for check in own)
            if group.violated is None:
                assert own == [group]
            else:
                assert group.violated is any(check.violated for check in own)


@given(st.lists(families(), min_size=1, max_size=3), specs, st.randoms(use_true_random=False))
def test_neither_the_order_of_families_nor_that_of_follow_ups_changes_a_check(
    drawn: list[Family], spec: MetamorphicSpec, rng: Random
) -> None:
    """But for which of several equal pairs of a group is named."""
    shuffled = rng.sample(drawn, len(drawn))
    assert sorted(check_relations(shuffled, VECTORS, spec), key=repr) == sorted(
        check_relations(drawn, VECTORS, spec), key=repr
    )
    for each in drawn:
        follow_ups = tuple(rng.sample(each.follow_ups, len(each.follow_ups)))
        (checks,) = check_relations([each], VECTORS, spec)
        (again,) = check_relations([each.model_copy(update={"follow_ups": follow_ups})], VECTORS, spec)
        assert sorted(map(without_pair, again), key=repr) == sorted(map(without_pair, checks), key=repr)


def without_pair(check: RelationCheck) -> RelationCheck:
    return check.model_copy(update={"outputs": ()}) if check.relation in (MR3, MR4) else check


@given(st.lists(families(), max_size=3))
def test_the_texts_named_are_enough_each_once_and_none_blank(drawn: list[Family]) -> None:
    texts = texts_needed(drawn)
    assert len(set(texts)) == len(texts)
    assert all(text.strip() for text in texts)
    vectors = plane({text: WORDS[text] for text in texts})
    for comparison in AnswerComparison:
        spec = MetamorphicSpec(comparison=comparison, gold=GoldAnswers.BEST)
        assert check_relations(drawn, vectors, spec) == check_relations(drawn, VECTORS, spec)


def fig3(replies_1: Sequence[str], replies_2: Sequence[str]) -> Family:
    """D = [(q1, a1), (q2, a2), (q3, a3)]; r1 (RS) asks q1, q3, q2, r2 (RSD) asks q2, q3, q1, q2."""
    equivalent = {("r1", 0), ("r1", 2), ("r2", 1), ("r2", 2), ("r2", 3)}
    positions = [("r1", i) for i in range(3)] + [("r2", i) for i in range(4)]
    return family(
        [["a1"], ["a2"], ["a3"]],
        source(["a1", "a2", "a3"], 3),
        [
            follow_up("r1", [0, 2, 1], replies_1, kind="RS"),
            follow_up("r2", [1, 2, 0, 1], replies_2, kind="RSD"),
        ],
        {place: EQUIVALENT if place in equivalent else ALTERED for place in positions},
    )


FIG3 = plane({"a1": (1, 0, 0, 0), "a2": (0, 1, 0, 0), "a3": (0, 0, 1, 0), "other": (0, 0, 0, 1)})


def test_the_example_of_figure_3_is_matched_as_in_the_text() -> None:
    """EC: q2 True in r1's third and r2's fourth round, False in r2's first; q3 False in r1's second; q1 True in r2."""
    (checks,) = check_relations([fig3(["a1", "other", "a2"], ["other", "a3", "a1", "a2"])], FIG3, MetamorphicSpec())
    assert count_violations(checks) == 0
    singles = {
        (check.index + 1, each.conversation, each.position + 1): check.relation
        for check in checks
        if check.relation in (MR1, MR2)
        for each in check.outputs
    }
    assert singles == {
        (1, "r1", 1): MR1,
        (3, "r1", 2): MR2,
        (2, "r1", 3): MR1,
        (2, "r2", 1): MR2,
        (3, "r2", 2): MR1,
        (1, "r2", 3): MR1,
        (2, "r2", 4): MR1,
    }
    inner = {check.index + 1: places(check) for check in by_relation(checks, MR3) if check.violated is not None}
    assert inner == {1: {("r1", 0), ("r2", 2)}, 2: {("r1", 2), ("r2", 3)}}
    across = {check.index + 1: check.n_pairs for check in by_relation(checks, MR4) if check.violated is not None}
    assert across == {2: 2, 3: 1}
    assert places(next(check for check in by_relation(checks, MR4) if check.index == 2)) == {("r1", 1), ("r2", 1)}
    assert [(check.index + 1, check.reason) for check in checks if check.reason] == [
        (3, "fewer_than_two"),
        (1, "empty_group"),
    ]


def test_the_bugs_of_figure_3_are_found_as_in_the_text() -> None:
    """a1 and r2's third output differ: MR1 and, in the group of q1, MR3; a3 and r1's second are alike: MR2 and MR4."""
    (checks,) = check_relations([fig3(["a1", "a3", "a2"], ["other", "a3", "other", "a2"])], FIG3, MetamorphicSpec())
    assert [(check.relation, check.index + 1, check.kind, check.level) for check in checks if check.violated] == [
        (MR2, 3, "RS", 3),
        (MR1, 1, "RSD", 3),
        (MR3, 1, "", 3),
        (MR4, 3, "", 3),
    ]


@pytest.mark.parametrize(
    ("answers", "level"),
    [(["a1", "a2", "other"], 1), (["a1", "other", "a3"], 2), (["a1", "a2", "a3"], 3), (["a1", "a2"], None)],
)
def test_the_level_of_a_violation_about_q3_follows_from_the_source(answers: list[str], level: int | None) -> None:
    """Source: MORTAR, section IV-E, its example; without an answer of the source nobody can tell."""
    example = fig3(["a1", "other", "a2"], ["other", "other", "a1", "a2"])
    example = example.model_copy(update={"source": source(answers, 3)})
    (checks,) = check_relations([example], FIG3, MetamorphicSpec())
    assert [check.level for check in by_relation(checks, MR1) if check.violated] == [level]


def test_without_gold_the_answer_of_the_source_stands_in_and_there_are_no_levels() -> None:
    example = family([[]], source(["Yes"], 1), [follow_up("f", [0], ["the mill"])], {("f", 0): EQUIVALENT})
    (checks,) = check_relations([example], VECTORS, MetamorphicSpec(relations=(MR1,)))
    assert [(check.relation, check.violated, check.level) for check in checks] == [(MR1, True, None)]


@pytest.mark.parametrize("relation", [MR1, MR2])
def test_of_several_gold_answers_the_first_counts_or_the_most_similar(relation: MetamorphicRelation) -> None:
    finding = EQUIVALENT if relation is MR1 else ALTERED
    example = family([["the mill", "Yes"]], source(["Yes"], 1), [follow_up("f", [0], ["Yes"])], {("f", 0): finding})
    for gold, alike in ((GoldAnswers.PAPER, False), (GoldAnswers.BEST, True)):
        (checks,) = check_relations([example], VECTORS, MetamorphicSpec(gold=gold, relations=(relation,)))
        assert [check.violated for check in checks] == [not alike, alike is not relation.alike]
        assert checks[1].n_pairs == (1 if gold is GoldAnswers.PAPER else 2)


def test_metal_compares_with_the_source_and_qaasker_with_what_is_expected() -> None:
    """Even with gold answers; rounds that lead up to the changed question are checked by nothing."""
    example = family(
        [["unknown"], ["unknown"]],
        source(["Yes", "3"], 2),
        [
            follow_up("m", [0, 1], ["unknown", "3"], method=Method.METAL, kind="typo", unchecked=[0]),
            follow_up("q", [0], ["3"], method=Method.QAASKER, kind="wh", expected="the mill"),
            follow_up("n", [0, 1], ["Yes", "3"], method=Method.NULL),
        ],
    )
    (checks,) = check_relations([example], VECTORS, MetamorphicSpec())
    assert [(c.relation, c.index, c.kind, c.violated) for c in checks if c.relation is not RBT] == [
        (METAL, 1, "typo", False),
        (QAASKER, 0, "wh", True),
    ]


@pytest.mark.parametrize("blank", ["", "   ", "\n", "\u200b"])
def test_a_blank_answer_is_counted_and_never_compared(blank: str) -> None:
    """Two blanks are not alike, one blank is not unlike; what else was answered is still checked."""
    example = family(
        [["Yes"], [blank]],
        source([blank, blank], 2),
        [follow_up("f", [0, 1, 0, 1], [blank, blank, "Yes", "Yes"])],
        {("f", i): EQUIVALENT for i in range(4)},
    )
    assert texts_needed([example]) == ("Yes",)
    (checks,) = check_relations([example], plane({"Yes": (1, 0)}), MetamorphicSpec())
    assert [(c.relation, c.index, c.similarity, c.violated, c.reason) for c in checks] == [
        (RBT, 0, None, None, "blank_answer"),
        (MR1, 0, None, None, "blank_answer"),
        (MR1, 1, None, None, "blank_answer"),
        (MR1, 0, 1.0, False, ""),
        (MR1, 1, None, None, "no_reference"),
        (MR3, 0, None, None, "fewer_than_two"),
        (MR3, 1, None, None, "fewer_than_two"),
        (MR4, 0, None, None, "empty_group"),
        (MR4, 1, None, None, "empty_group"),
    ]


@pytest.mark.parametrize("text", ["Yes.", "👍", "..."])
def test_identical_answers_are_exactly_alike(text: str) -> None:
    """Also where float32 would say 1.0000001."""
    example = family([[text]], source([f" {text}\n"], 1))
    rough = np.full((1, 768), np.float32(1) / np.sqrt(np.float32(768)), np.float32) * np.float32(1.0000002)
    (checks,) = check_relations([example], TextVectors.of([text], rough), MetamorphicSpec(epsilon=1.0))
    assert [(check.similarity, check.violated) for check in checks] == [(1.0, False)]


def test_what_was_not_reached_or_not_checked_says_so() -> None:
    example = family(
        [["Yes"]],
        source(["Yes"], 1),
        [follow_up("f", [0, None, 0, 0, 0], ["Yes", "Yes", "Yes"])],
        {
            ("f", 0): ContextFinding(equivalent=None, reason=ContextReason.NEEDS_REPLY),
            ("f", 3): EQUIVALENT,
            ("f", 4): ContextFinding(equivalent=None, reason=ContextReason.ROLE_FAILED),
        },
    )
    (checks,) = check_relations([example], VECTORS, MetamorphicSpec(relations=(MR1, MR2)))
    assert [(c.relation, c.outputs[0].position, c.reason) for c in checks if c.relation is not RBT] == [
        (MR1, 0, "needs_reply"),
        (MR1, 2, "context_unchecked"),
        (MR1, 3, "not_reached"),
        (MR1, 4, "role_failed"),
    ]


def test_another_fact_with_an_equal_answer_says_nothing_of_mr2_and_mr4() -> None:
    equal = ContextFinding(equivalent=False, reason=ContextReason.EQUAL_ANSWERS)
    example = family(
        [["Yes"]],
        source(["Yes"], 1),
        [follow_up("f", [0, 0, 0], ["Yes", "Yes", "Yes"])],
        {("f", 0): equal, ("f", 1): EQUIVALENT, ("f", 2): EQUIVALENT},
    )
    (checks,) = check_relations([example], VECTORS, MetamorphicSpec())
    assert [(c.relation, c.violated, c.reason) for c in checks if c.relation is not RBT] == [
        (MR2, None, "equal_answers"),
        (MR1, False, ""),
        (MR1, False, ""),
        (MR3, False, ""),
        (MR4, None, "equal_answers"),
    ]


def test_an_answer_of_the_source_itself_is_in_no_group() -> None:
    example = family([["Yes"]], source(["the mill"], 1), [follow_up("f", [0], ["Yes"])], {("f", 0): EQUIVALENT})
    (checks,) = check_relations([example], VECTORS, MetamorphicSpec(relations=(MR3,)))
    assert [check.reason for check in by_relation(checks, MR3)] == ["fewer_than_two"]


def test_by_words_more_is_told_and_a_short_answer_in_a_longer_one_only_for_rbt_mr1_and_mr3() -> None:
    far = plane({"the mill": (1, 0), "in the mill": (0, 1)})
    spec = MetamorphicSpec(comparison=AnswerComparison.LEXICAL)
    for finding, n_alike in ((EQUIVALENT, 2), (ALTERED, 0)):
        example = family(
            [["the mill"]], source(["in the mill"], 1), [follow_up("f", [0], ["in the mill"])], {("f", 0): finding}
        )
        (checks,) = check_relations([example], far, spec)
        single = [check for check in checks if check.relation in (MR1, MR2)]
        assert [check.similarity for check in single] == [1.0 if n_alike else 0.0]
        assert count_violations(checks) == 0


def test_in_a_closed_world_keys_take_the_place_of_vectors() -> None:
    example = family(
        [["mill"]],
        source(["In the mill."], 1),
        [follow_up("f", [0, 0, 0], ["It is the mill.", "", "The tower."])],
        {("f", i): EQUIVALENT for i in range(3)},
    )

    def key(exchange: object) -> str:
        text = getattr(exchange, "assistant", "")
        return next((word for word in ("mill", "tower") if word in text), "")

    (checks,) = check_relations_exactly([example], key, MetamorphicSpec(relations=(MR1, MR3)))
    assert [(c.relation, c.similarity, c.violated, c.reason) for c in checks] == [
        (RBT, 1.0, False, ""),
        (MR1, 1.0, False, ""),
        (MR1, None, None, "blank_answer"),
        (MR1, 0.0, True, ""),
        (MR3, 0.0, True, ""),
    ]


def test_a_text_without_a_vector_is_named() -> None:
    example = family([["Yes"]], source(["nowhere to be found"], 1))
    with pytest.raises(ValueError, match="nowhere to be found"):
        check_relations([example], VECTORS, MetamorphicSpec())


def test_nothing_to_check_gives_nothing() -> None:
    assert check_relations([], VECTORS, MetamorphicSpec()) == ()
    assert check_relations([family([[]], source([], 1))], plane({"x": (1, 0)}), MetamorphicSpec()) == ((),)


@pytest.mark.parametrize(("gold", "violated"), [((), False), (("Mina is 40 years old.",), True)])
def test_a_reply_shorter_than_the_own_answer_is_alike_but_one_shorter_than_the_gold_answer_is_not(
    gold: tuple[str, ...], violated: bool
) -> None:
    """Eq. 18: without a gold answer the source's own answer stands in for it."""
    made = family([gold], source(["Mina is 40 years old."], 1), [follow_up("f", [0], ["40."])], {("f", 0): EQUIVALENT})
    vectors = plane({"40.": (1, 0), "Mina is 40 years old.": (0, 1)})
    (checks,) = check_relations([made], vectors, MetamorphicSpec(comparison=AnswerComparison.LEXICAL))
    (check,) = by_relation(checks, MR1)
    assert (check.violated, check.similarity) == (violated, float(not violated))
