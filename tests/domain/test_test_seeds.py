"""Test seeds: questions in order, what they are about, and how many were read."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from hairpin.domain.test_seeds import SeedProblem, SeedQuestion, SeedsImported, TestSeed, TestSeedsSource
from hairpin.domain.users import Context

ASKED = (SeedQuestion(text="Who?", answers=("Anna", "Ms Berg")), SeedQuestion(text="Where?"))


@pytest.mark.parametrize(
    ("text", "story"), [(None, None), ("", None), (" \n", None), ("Anna lives in Ulm.", "Anna lives in Ulm.")]
)
def test_a_blank_story_is_none(text: str | None, story: str | None) -> None:
    seed = TestSeed(id="s1", context=Context(reference_text=text), questions=ASKED)
    assert seed.reference_text == story


def test_the_questions_are_its_texts_in_order() -> None:
    assert TestSeed(id="s1", questions=ASKED).texts == ("Who?", "Where?")


def test_one_gold_answer_is_enough_to_have_gold() -> None:
    assert TestSeed(id="s1", questions=ASKED).has_gold
    assert not TestSeed(id="s1", questions=ASKED[1:]).has_gold


def test_a_test_seed_asks_something() -> None:
    with pytest.raises(ValidationError, match="questions"):
        TestSeed(id="s1", questions=())
    with pytest.raises(ValidationError, match="text"):
        SeedQuestion(text="")


def test_a_dialogue_is_not_cut_to_one_question() -> None:
    """Nothing could be derived from it."""
    assert TestSeedsSource(file="coqa.json", max_questions=2).max_questions == 2
    with pytest.raises(ValidationError, match="max_questions"):
        TestSeedsSource(file="coqa.json", max_questions=1)


@pytest.mark.parametrize(
    ("seeds", "questions", "skipped", "sentence"),
    [
        (1, 9, 1, "read from a.json (coqa): 1 test seed with 9 questions, 1 record skipped"),
        (2, 30, 0, "read from a.json (coqa): 2 test seeds with 30 questions, 0 records skipped"),
    ],
)
def test_what_was_read_is_said_in_a_sentence(seeds: int, questions: int, skipped: int, sentence: str) -> None:
    read = SeedsImported(file="a.json", format="coqa", n_seeds=seeds, n_questions=questions, n_skipped=skipped)
    assert read.sentence() == sentence


def test_a_broken_record_is_named_by_its_number_and_its_id_where_it_has_one() -> None:
    assert str(SeedProblem(record=3, id="dlg7", what="no question")) == "record 3 (dlg7): no question"
    assert str(SeedProblem(record=3, what="no JSON")) == "record 3: no JSON"
