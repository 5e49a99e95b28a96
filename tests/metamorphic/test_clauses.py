from __future__ import annotations

import pytest

from hairpin.metamorphic.clauses import Clause, Part, is_time, polar_question, question_for

WROTE = Clause(aux="did", subject="Ada", verb="write", object="the letter", tail="in 1843")
LIVE = Clause(aux="do", subject="the dogs", verb="often live", particle="with", object="Ada")
CAPITAL = Clause(aux="is", subject="the capital", object="Rome", person=False)


@pytest.mark.parametrize(
    ("clause", "polar", "subject", "obj"),
    [
        (WROTE, "Did Ada write the letter in 1843?", "Who or what wrote the letter in 1843?", "in 1843?"),
        (LIVE, "Do the dogs often live with Ada?", "Who or what often lives with Ada?", "live with?"),
        (CAPITAL, "Is the capital Rome?", "What is Rome?", "What is the capital?"),
    ],
)
def test_a_clause_can_be_asked_for_its_truth_and_its_parts(clause: Clause, polar: str, subject: str, obj: str) -> None:
    assert polar_question(clause) == polar
    assert question_for(clause, Part.SUBJECT) == subject
    assert question_for(clause, Part.OBJECT).endswith(obj)


def test_a_tail_is_asked_for_with_when_or_where() -> None:
    assert question_for(WROTE, Part.TAIL) == "When did Ada write the letter?"
    at_home = WROTE.model_copy(update={"tail": "in Bonn", "person": True})
    assert question_for(at_home, Part.TAIL) == "Where did Ada write the letter?"
    assert question_for(at_home, Part.SUBJECT) == "Who wrote the letter in Bonn?"


def test_who_is_asked_for_is_one() -> None:
    both = Clause(aux="were", subject="Ada and Bob", verb="sitting", tail="on the porch")
    assert question_for(both, Part.SUBJECT) == "Who or what was sitting on the porch?"


@pytest.mark.parametrize(
    "tail", ["before his death", "in 1843", "in the 1840s", "on Monday", "during it", "at noon", "in the beginning"]
)
def test_times(tail: str) -> None:
    assert is_time(tail)


@pytest.mark.parametrize("tail", ["", "in Bonn", "on the porch", "near 12 Main Street"])
def test_places(tail: str) -> None:
    assert not is_time(tail)
