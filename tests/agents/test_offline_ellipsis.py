"""Shortened questions made whole by the one before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.agents.offline.ellipsis import BESIDE, completed
from hairpin.agents.offline.noun_phrases import NounPhrase

PEOPLE = {"Mina", "Jonas"}


def is_person(phrase: NounPhrase) -> bool:
    return phrase.text in PEOPLE


@pytest.mark.parametrize(
    ("question", "previous", "expected"),
    [
        ("And Jonas?", "Where does Mina live?", "Where does Jonas live?"),
        ("And Jonas's?", "Who is Mina's brother?", "Who is Jonas's brother?"),
        ("What about the tower?", "Who keeps the mill?", "Who keeps the tower?"),
        ("And at the bakery?", "Who works at the theatre?", "Who works at the bakery?"),
        ("And on Friday?", "What did Mina do on Monday?", "What did Mina do on Friday?"),
        ("And Friday?", "What did Mina do?", "What did Mina do Friday?"),
        ("And the kite?", "Where does Mina live?", f"And the kite{BESIDE}Where does Mina live?"),
        ("Can Jonas?", "Can Mina sing?", "Can Jonas sing?"),
        ("Why?", "Did Mina sing?", "Why did Mina sing?"),
        ("And why?", "Did Mina sing?", f"And why{BESIDE}Did Mina sing?"),
        ("Who else?", "Did Mina sing?", f"Who else{BESIDE}Did Mina sing?"),
        ("Which year?", "Did Mina sing?", f"Which year{BESIDE}Did Mina sing?"),
        ("Why?", f"Which year{BESIDE}Did Mina sing?", f"Why{BESIDE}Did Mina sing?"),
    ],
)
def test_what_is_missing_comes_from_the_question_before(question: str, previous: str, expected: str) -> None:
    assert completed(question, previous, is_person) == expected


@pytest.mark.parametrize(
    "question",
    ["Where does Jonas live?", "What empires survived?", "Who sang?", "And when did Mina sing?", "Is Mina old?", "?"],
)
def test_whole_questions_stay(question: str) -> None:
    assert completed(question, "What did Mina do on Monday?", is_person) == question


@given(st.text(max_size=40), st.sampled_from(["Did Mina sing?", "Sing!", "a", "Who? When?"]))
def test_any_question_is_made_whole_or_stays(question: str, previous: str) -> None:
    assert completed(question, previous, is_person).strip() or not question.strip()
