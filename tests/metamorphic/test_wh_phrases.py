from __future__ import annotations

import pytest

from hairpin.metamorphic.wh_phrases import Asked, asked_of, counted


@pytest.mark.parametrize(
    ("question", "preposition", "wh", "noun", "rest"),
    [
        ("Who wrote it", "", "who", "", "wrote it"),
        ("In what year was he born", "in", "what", "year", "was he born"),
        ("How many old states border Peru", "", "how", "many old states border Peru", ""),
        ("How many people lived there", "", "how", "many people", "lived there"),
        ("How many matches does a team play", "", "how", "many matches", "does a team play"),
        ("What caused what was there", "", "what", "", "caused what was there"),
        ("Which team won", "", "which", "team", "won"),
        ("What", "", "what", "", ""),
    ],
)
def test_what_is_asked_for(question: str, preposition: str, wh: str, noun: str, rest: str) -> None:
    asked, after = asked_of(question.split())
    assert asked == Asked(preposition=preposition, wh=wh, noun=noun)
    assert " ".join(after) == rest


def test_what_is_no_wh_question_asks_for_nothing() -> None:
    assert asked_of(["Name", "one"])[0] is None


def test_a_count_gets_what_it_counts() -> None:
    sons = Asked(preposition="", wh="how", noun="many sons")
    assert counted(sons, "three") == "three sons"
    assert counted(sons, "three of them") == "three of them"
    assert counted(Asked(preposition="", wh="what", noun="city"), "Bonn") == "Bonn"
