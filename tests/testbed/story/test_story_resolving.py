"""What questions mean after others: the truth of the story assistant."""

from __future__ import annotations

import pytest
from hypothesis import given

from hairpin.testbed.story.generating import generate_story
from hairpin.testbed.story.reading import read_story
from hairpin.testbed.story.resolving import Query, Unclear, equivalent, fact_of, facts_for, resolution_of
from hairpin.testbed.story.world import Fact, Relation
from tests.testbed.story.asking import TEXT, shuffled

STORY = read_story(TEXT)


def fact(subject: str, relation: Relation, value: str, detail: str | None = None) -> Fact:
    return Fact(subject=subject, relation=relation, value=value, detail=detail)


KITE = fact("Mina", Relation.KEEPS, "red kite", "old mill")
MAP = fact("Jonas", Relation.KEEPS, "blue map", "old mill")


@pytest.mark.parametrize(
    ("questions", "expected"),
    [
        (["Where does Mina live?", "What does she keep there?"], KITE),
        (["Where does Mina live?", "What does she keep there?", "And her brother?"], MAP),
        (["Where does Mina live?", "And her brother?"], fact("Jonas", Relation.LIVES, "tower")),
        (["Who is Mina's brother?", "Where does he work?"], fact("Jonas", Relation.WORKS, "bakery")),
        (["Who is Nora's best friend?", "Where does she live?"], fact("Mina", Relation.LIVES, "old mill")),
        (["Where does Mina's brother live?", "How old is she?"], fact("Mina", Relation.AGE, "34")),
        (["Who keeps the red kite?", "Where does she live?"], fact("Mina", Relation.LIVES, "old mill")),
        (["What does Mina keep in the old mill?", "Who keeps it?"], KITE),
        (["Where does Jonas keep his map?"], MAP),
        (["What did Mina do on Monday?", "And on Tuesday?"], fact("Mina", Relation.DID, "lost a ring", "Tuesday")),
        (["Who lives in the tower?", "And in the castle?"], fact("Nora", Relation.LIVES, "castle")),
        (["Where does Nora live?", "Where does Jonas live?", "How old is she?"], None),
        (["Where does Mina live?", "What does she keep in the tower?"], None),
    ],
)
def test_pronouns_and_what_is_left_out_come_from_the_questions_before(
    questions: list[str], expected: Fact | None
) -> None:
    assert fact_of(STORY, questions, len(questions) - 1) == expected


@pytest.mark.parametrize(
    ("questions", "why"),
    [
        (["Where does she live?"], "nobody_meant"),
        (["Where does Mina live?", "Where does he live?"], "nobody_meant"),
        (["And Jonas?"], "no_earlier_question"),
        (["How old is Nora's brother?"], "kin_unknown"),
        (["Where does Mina live?", "And on Tuesday?"], "not_understood"),
        (["Sing a song"], "not_understood"),
    ],
)
def test_a_question_that_means_nothing_says_why(questions: list[str], why: str) -> None:
    meaning = resolution_of(STORY, questions, len(questions) - 1)
    assert isinstance(meaning, Unclear)
    assert meaning.why == why


def test_an_unclear_question_changes_nothing_for_those_after_it() -> None:
    questions = ["Where does Mina live?", "Sing a song", "And her brother?"]
    assert fact_of(STORY, questions, 2) == fact("Jonas", Relation.LIVES, "tower")


def test_equal_words_are_equivalent_only_where_they_mean_the_same() -> None:
    mina, nora = ["Where does Mina live?", "How old is she?"], ["Where does Nora live?", "How old is she?"]
    assert equivalent(STORY, mina, 1, [*nora, *mina], 3)
    assert not equivalent(STORY, mina, 1, nora, 1)


def test_other_words_are_equivalent_where_they_ask_the_same() -> None:
    assert equivalent(STORY, ["Where does Mina live?", "And her brother?"], 1, ["Where does Jonas live?"], 0)
    assert not equivalent(STORY, ["Where does Jonas live?"], 0, ["Who lives in the tower?"], 0)


@given(shuffled())
def test_the_truth_of_a_question_depends_on_nothing_after_it(asked: tuple[int, tuple[str, ...]]) -> None:
    number, questions = asked
    story = generate_story(number)
    for index in range(len(questions)):
        assert equivalent(story, questions, index, questions[: index + 1], index)
        meaning = resolution_of(story, questions, index)
        told = facts_for(story, meaning) if isinstance(meaning, Query) else ()
        assert fact_of(story, questions, index) == (told[0] if told else None)
