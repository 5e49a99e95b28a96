"""F4 and F10: the wrong one of several places."""

from __future__ import annotations

import pytest

from hairpin.domain.sut_spec import FaultSpec
from hairpin.testbed.wording import WORDINGS
from tests.testbed.talking import hold


@pytest.mark.parametrize("wording", WORDINGS)
def test_the_first_of_several_is_taken_without_a_question(wording: str) -> None:
    talk = hold("Take me to Café Luitpold", faults=["F4"], wording=wording)
    assert talk.states[0]["destination"] == "Café Luitpold"
    assert hold("Take me to Café Luitpold", wording=wording).states[0]["destination"] is None


@pytest.mark.parametrize(
    "utterance",
    [
        "Take me to Café Luitpold",
        "Take me to Riem with a stop at Stern-Apotheke",
        "Add a stop at Hotel Isar",
        "How far is Hotel Isar?",
        "Is Stern-Apotheke open?",
    ],
)
def test_whatever_a_name_is_asked_for_the_question_is_left_out(utterance: str) -> None:
    assert "There are several places called" in hold(utterance).replies[0]
    talk = hold(utterance, faults=["F4"])
    assert talk.struck == [(0, "F4")]
    assert "?" not in talk.replies[0].removesuffix("Where do you want to go?")


def test_constraints_said_with_an_ambiguous_name_are_kept() -> None:
    talk = hold("Take me to Café Luitpold without toll roads", "What did I ask you to avoid?", faults=["F4"])
    assert "no toll roads" in talk.replies[1]


def test_a_question_that_was_asked_stays_open_until_it_is_answered() -> None:
    late = FaultSpec(id="F4", after=1)
    talk = hold("Take me to Café Luitpold", "The fourth one", "The one in Pasing", faults=[late])
    assert talk.strikes == ()
    assert talk.states[2]["destination"] == "Café Luitpold"


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize(
    ("pointing", "right"),
    [("Take me to the second one", "Löwen-Apotheke"), ("Take me there", "Campus-Apotheke")],
)
def test_the_trip_leads_to_another_place_than_the_one_pointed_at(pointing: str, right: str, wording: str) -> None:
    utterances = ("Find a pharmacy near me", pointing)
    assert hold(*utterances, wording=wording).states[1]["destination"] == right
    wrong = hold(*utterances, faults=["F10"], wording=wording).states[1]["destination"]
    assert wrong not in (None, right)
    assert str(wrong) in hold(*utterances, faults=["F10"], wording=wording).replies[0]


def test_the_answer_to_a_question_is_understood() -> None:
    """Both options bear one name, so that nobody could tell from the reply which one was taken."""
    utterances = ("Find a pharmacy near me", "Take me to Café Luitpold", "The second one")
    assert hold(*utterances, faults=["F10"]).strikes == ()


def test_where_only_one_place_was_spoken_of_nothing_can_be_taken_for_it() -> None:
    assert hold("Take me to Riem", "How far is it?", "How long will it take?", faults=["F10"]).strikes == ()
