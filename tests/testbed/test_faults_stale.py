"""F11: an old answer to a question that has another answer by now."""

from __future__ import annotations

import pytest

from tests.testbed.talking import hold


@pytest.mark.parametrize(
    ("question", "changes"),
    [
        ("What is the temperature?", ("Set the temperature to 25 degrees",)),
        ("Where are we going?", ("Take me to Riem",)),
        ("Which stops are planned?", ("Take me to Riem", "Add a stop at a pharmacy")),
        ("What did I ask you to avoid?", ("Please avoid toll roads",)),
        ("Are the windows closed?", ("Open the driver's window",)),
        ("Find a pharmacy near my destination", ("Take me to Riem",)),
    ],
)
def test_a_question_asked_again_after_the_facts_changed_gets_its_first_answer(
    question: str, changes: tuple[str, ...]
) -> None:
    utterances = (question, *changes, question)
    faulty, clean = hold(*utterances, faults=["F11"]), hold(*utterances)
    assert faulty.struck == [(len(changes) + 1, "F11")]
    assert faulty.replies[-1] == faulty.replies[0] == clean.replies[0] != clean.replies[-1]
    assert {**faulty.states[-1], "mind": ""} == {**clean.states[-1], "mind": ""}  # "there" may mean another place


def test_the_first_answer_is_right_and_so_is_a_repeated_one_while_nothing_changed() -> None:
    talk = hold("What is the battery level?", "Play some music", "What is the battery level?", faults=["F11"])
    assert talk.strikes == ()


def test_the_same_words_for_another_place_get_the_answer_for_the_old_one() -> None:
    utterances = ("Find a pharmacy near me", "Is it open?", "Find a bakery near me", "Is it open?")
    talk = hold(*utterances, faults=["F11"])
    assert talk.struck == [(3, "F11")]
    assert "Campus-Apotheke" in talk.replies[3]


def test_an_old_list_is_the_one_that_ordinals_count_in() -> None:
    utterances = ("Take me to Riem", "Find a café near my destination", "Take me to Pasing")
    talk = hold(*utterances, "Find a café near my destination", "Take me to the first one", faults=["F11"])
    assert talk.struck == [(3, "F11")]
    assert str(talk.states[4]["destination"]) in talk.replies[1]
