"""What can be read off two answers without a model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.metamorphic.answer_words import AnswerType, Containment, answer_type, has_answer, lexical_verdict

answers = st.one_of(
    st.text(min_size=1, max_size=30),
    st.sampled_from(["Yes", "yes, he did", "No.", "No, she didn't", "3", "three", "4 cats", "the kitchen", "unknown"]),
)


@pytest.mark.parametrize("text", ["", "   ", "\n", "\t \n", "\u200b", "\u00a0", None])
def test_nothing_to_see_is_no_answer(text: str | None) -> None:
    assert not has_answer(text)


@pytest.mark.parametrize("text", ["Yes.", "👍", "0", "…", "no"])
def test_anything_to_see_is_an_answer(text: str) -> None:
    assert has_answer(text)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Yes.", "Yes.", True),
        ("👍", "👍", True),
        ("...", "...", True),
        ("...", "!!!", None),
        ("In the Kitchen", "in the  kitchen.", True),
        ("yes", "No", False),
        ("Yes, he did.", "No, he did not.", False),
        ("Yeah", "yes, in Rome", True),
        ("Yes, in Rome", "Yes, in Oslo", None),
        ("no", "No, she lives alone", True),
        ("No one knows", "yes", None),
        ("No idea", "no", None),
        ("3", "three", True),
        ("3", "4", False),
        ("three cats", "4 cats", False),
        ("She is 40.5 years old", "40", False),
        ("2 cats and 3 dogs", "2 cats and 4 dogs", False),
        ("In 1990 he was 34", "34", None),
        ("34", "She is 34", None),
        ("Yes, 2", "Yes, 3", False),
        ("red", "blue", None),
    ],
)
def test_answers_that_all_relations_can_tell(one: str, other: str, same: bool | None) -> None:
    assert lexical_verdict(one, other) is same
    assert lexical_verdict(other, one) is same


@pytest.mark.parametrize(
    ("output", "gold", "same"),
    [
        ("She lives in the old mill", "the old mill", True),
        ("She lives in an old mill", "the old mill", True),
        ("She is 34 years old", "34", True),
        ("Not in the mill", "the mill", None),
        ("It isn't red", "red", None),
        ("He is there", "he", None),
        ("There is no reason", "no", None),
        ("the mill", "She lives in the old mill by the river", None),
        ("the millstone", "mill", None),
        ("Nobody lives in the mill", "the mill", None),
        ("She is forty years old", "40", True),
        ("It was red and heavy and old and cold", "red and heavy and old and", None),
    ],
)
def test_a_short_gold_answer_in_a_longer_output(output: str, gold: str, same: bool | None) -> None:
    assert lexical_verdict(output, gold, Containment.SECOND_IN_FIRST) is same
    assert lexical_verdict(output, gold, Containment.NONE) is None


def test_of_two_outputs_either_may_be_the_longer() -> None:
    assert lexical_verdict("the mill", "She lives in the mill", Containment.EITHER) is True
    assert lexical_verdict("She lives in the mill", "the mill", Containment.EITHER) is True
    assert lexical_verdict("the mill", "She lives in the mill", Containment.SECOND_IN_FIRST) is None
    assert lexical_verdict("40.", "Mina is 40 years old.", Containment.EITHER) is True


@pytest.mark.parametrize(
    ("one", "other"),
    [("no", "Not in the mill"), ("no", "There is no mill"), ("40", "She is not 40"), ("not", "Not so")],
)
def test_of_two_outputs_neither_swallows_a_negation(one: str, other: str) -> None:
    assert lexical_verdict(one, other, Containment.EITHER) is None
    assert lexical_verdict(other, one, Containment.EITHER) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Yes", AnswerType.YES_NO),
        ("No, he stayed at home that day", AnswerType.YES_NO),
        ("34", AnswerType.NUMBER),
        ("thirty four", AnswerType.NUMBER),
        ("the old red mill", AnswerType.SHORT),
        ("No one", AnswerType.SHORT),
        ("👍", AnswerType.SHORT),
        ("in the old red mill", AnswerType.LONG),
        ("unknown", AnswerType.UNKNOWN),
        ("Unknown.", AnswerType.UNKNOWN),
        ("I don't know who that is", AnswerType.UNKNOWN),
        ("The story does not say.", AnswerType.UNKNOWN),
    ],
)
def test_kinds_of_answers(text: str, kind: AnswerType) -> None:
    assert answer_type(text) is kind


@given(answers, answers, st.sampled_from([Containment.NONE, Containment.EITHER]))
def test_the_order_of_two_answers_does_not_matter(one: str, other: str, containment: Containment) -> None:
    assert lexical_verdict(one, other, containment) is lexical_verdict(other, one, containment)


@given(answers, st.sampled_from(list(Containment)))
def test_an_answer_is_the_same_as_itself(text: str, containment: Containment) -> None:
    assert lexical_verdict(text, text, containment) is True


@given(answers, answers)
def test_containment_only_ever_adds_what_is_the_same(one: str, other: str) -> None:
    plain = lexical_verdict(one, other)
    wide = lexical_verdict(one, other, Containment.EITHER)
    assert wide is plain or (plain is None and wide is True)
