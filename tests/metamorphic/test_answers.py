from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.metamorphic.answers import as_cause, as_place, as_time, as_way, is_no, is_yes, phrase_of
from hairpin.metamorphic.refusal import Refused


@pytest.mark.parametrize(
    ("answer", "phrase"),
    [("The king.", "the king"), ('"Rosidae', "Rosidae"), ("  In\nBonn ", "in Bonn"), ("Ada", "Ada")],
)
def test_an_answer_becomes_a_part_of_a_sentence(answer: str, phrase: str) -> None:
    assert phrase_of(answer) == phrase


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "no answer"),
        ("unknown", "no answer"),
        ("Yes.", "yes or no"),
        ("no", "yes or no"),
        ("It is", "yes or no"),
        ("He went home", "sentence"),
        ("The letter was written by Ada", "sentence"),
        ("It rained. They left", "sentence"),
        ("one two three four five six seven eight nine ten eleven", "10 words"),
    ],
)
def test_what_is_no_part_of_a_sentence_is_refused(answer: str, reason: str) -> None:
    refused = phrase_of(answer)
    assert isinstance(refused, Refused)
    assert reason in refused.reason


@given(st.text())
def test_any_text_is_a_phrase_or_refused(text: str) -> None:
    made = phrase_of(text)
    assert made.reason if isinstance(made, Refused) else made.strip()


def test_yes_and_no() -> None:
    assert is_yes("Yes, by area.")
    assert is_yes("She was.")
    assert not is_yes("She was late")
    assert is_no("No")
    assert not is_yes("Yesterday")
    assert not is_no("none")


@pytest.mark.parametrize(
    ("phrase", "time"),
    [
        ("1815", "in 1815"),
        ("28 April 1937", "on 28 April 1937"),
        ("May 1937", "in May 1937"),
        ("the 13th century", "in the 13th century"),
        ("Ten o'clock", "at Ten o'clock"),
        ("before the war", "before the war"),
        ("two years ago", "two years ago"),
        ("the trial", None),
    ],
)
def test_times_get_the_preposition_that_fits_or_none(phrase: str, time: str | None) -> None:
    assert as_time(phrase) == time


def test_places_ways_and_causes() -> None:
    assert (as_place("Bonn"), as_place("near Bonn")) == ("in Bonn", "near Bonn")
    assert (as_way("walking"), as_way("quickly"), as_way("a train")) == ("by walking", "quickly", None)
    assert (as_cause("to see her"), as_cause("rain")) == ("to see her", None)
