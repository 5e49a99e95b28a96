"""Questions, word for word."""

from __future__ import annotations

import pytest

from hairpin.testbed.story.questions import Asked, PersonWords, normal, read_question
from hairpin.testbed.story.world import Relation

HER_BROTHER = PersonWords(base="her", kin="brother")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Where does Mina live?", Asked(relation=Relation.LIVES, person=PersonWords(base="mina"))),
        ("And where she?", None),
        ("where does her brother work", Asked(relation=Relation.WORKS, person=HER_BROTHER)),
        (
            "How old is Mina’s best friend?",
            Asked(relation=Relation.AGE, person=PersonWords(base="mina", kin="best friend")),
        ),
        ("Who is her brother?", Asked(relation=Relation.BROTHER, person=PersonWords(base="her"))),
        (
            "What does she keep there?",
            Asked(relation=Relation.KEEPS, person=PersonWords(base="she"), place="there"),
        ),
        (
            "Where does Mina keep her red kite?",
            Asked(relation=Relation.KEEPS, asks="detail", person=PersonWords(base="mina"), thing="red kite"),
        ),
        ("Who keeps it?", Asked(relation=Relation.KEEPS, asks="subject", thing="it")),
        (
            "What did he do on Monday, please?",
            Asked(relation=Relation.DID, person=PersonWords(base="he"), day="monday"),
        ),
        ("Who lives in the old mill?", Asked(relation=Relation.LIVES, asks="subject", place="old mill")),
        ("And her brother?", Asked(relation=None, person=HER_BROTHER)),
        ("What about Jonas?", Asked(relation=None, person=PersonWords(base="jonas"))),
        ("And on Tuesday?", Asked(relation=None, day="tuesday")),
        ("And at the bakery?", Asked(relation=None, place="bakery")),
        ("Take me to Pasing", None),
        ("", None),
    ],
)
def test_reads_what_a_question_says(text: str, asked: Asked | None) -> None:
    assert read_question(text) == asked


def test_courtesies_case_and_marks_make_no_other_question() -> None:
    assert normal("Please tell me  where does MINA live ?") == normal("Where does Mina live?")
