"""How alike answers are where there is nothing to find."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.families import Family
from hairpin.domain.relations import AnswerComparison, GoldAnswers, MetamorphicRelation, MetamorphicSpec
from hairpin.domain.replay import Method
from hairpin.metamorphic.answer_words import AnswerType
from hairpin.metamorphic.null_answers import answer_types, null_similarities
from hairpin.metamorphic.scoring import similarity_of, texts_needed
from hairpin.metamorphic.similarity import KeySimilarity
from tests.metamorphic.making_families import WORDS, families, family, follow_up, plane, source

BY_TEXT = KeySimilarity(lambda exchange: exchange.assistant)
SPEC = MetamorphicSpec()


def test_types_are_those_of_the_first_gold_answer_or_else_of_what_the_source_said() -> None:
    made = family([[" ", "34", "yes"], [], [], []], source(["yes", "the mill", ""], 4))
    assert answer_types([made]) == {("s", 0): AnswerType.NUMBER, ("s", 1): AnswerType.SHORT}


def test_each_relation_has_its_own_null() -> None:
    """Two replays of two questions, of which the second was answered otherwise in one of them, and once not at all."""
    replays = [
        follow_up("n1", [0, 1], ["a", "x"], method=Method.NULL, kind=""),
        follow_up("n2", [0, 1], ["a", " "], method=Method.NULL, kind=""),
    ]
    made = family([["a"], ["b"]], source(["a", "c"], 2), replays)
    found = Counter((each.relation, each.similarity) for each in null_similarities([made], BY_TEXT, SPEC))
    mr = MetamorphicRelation
    assert found == {
        (mr.MR1, 1.0): 2,  # a with a, twice
        (mr.MR1, 0.0): 1,  # x with b
        (mr.METAL, 1.0): 2,
        (mr.METAL, 0.0): 1,  # x with c
        (mr.MR3, 1.0): 3,  # three unperturbed answers to the first question
        (mr.MR3, 0.0): 1,  # c and x
        (mr.MR2, 0.0): 2,  # c with a, a with b
        (mr.MR4, 0.0): 1,  # a with c
    }


def test_only_answers_of_one_type_stand_for_another_context() -> None:
    made = family([["34"], ["35"], ["yes"]], source(["34", "36", "yes"], 3))
    found = null_similarities([made], BY_TEXT, SPEC)
    assert Counter((each.relation, each.answer_type) for each in found) == {
        (MetamorphicRelation.MR2, AnswerType.NUMBER): 2,
        (MetamorphicRelation.MR4, AnswerType.NUMBER): 1,
    }


def test_of_several_gold_answers_the_same_count_as_for_the_relation() -> None:
    replays = [follow_up("n", [0], ["b"], method=Method.NULL, kind="")]
    made = family([["a", "b"]], source(["a"], 1), replays)
    for gold, similarity in ((GoldAnswers.PAPER, 0.0), (GoldAnswers.BEST, 1.0)):
        found = null_similarities([made], BY_TEXT, MetamorphicSpec(gold=gold))
        assert [each.similarity for each in found if each.relation is MetamorphicRelation.MR1] == [similarity]


def test_without_gold_two_replies_are_likened_in_either_direction_as_for_the_relation() -> None:
    vectors = plane({"40.": (1, 0), "Mina is 40 years old.": (0, 1)})
    replays = [follow_up("n", [0], ["40."], method=Method.NULL, kind="")]
    for gold, similarity in (((), 1.0), (("Mina is 40 years old.",), 0.0)):
        made = family([gold], source(["Mina is 40 years old."], 1), replays)
        found = null_similarities([made], similarity_of(vectors, AnswerComparison.LEXICAL), SPEC)
        assert [each.similarity for each in found if each.relation is MetamorphicRelation.MR1] == [similarity]


def test_without_replays_and_with_one_question_there_is_no_null() -> None:
    assert null_similarities([family([["a"]], source(["a"], 1))], BY_TEXT, SPEC) == ()
    assert null_similarities([], BY_TEXT, SPEC) == ()


@given(families(), st.sampled_from(AnswerComparison))
def test_any_family_has_null_similarities_of_its_types_of_answers(drawn: Family, comparison: AnswerComparison) -> None:
    similarity = similarity_of(plane({text: WORDS[text] for text in texts_needed([drawn])}), comparison)
    types = answer_types([drawn])
    for each in null_similarities([drawn], similarity, SPEC):
        assert -1 <= each.similarity <= 1
        assert each.answer_type in types.values()
