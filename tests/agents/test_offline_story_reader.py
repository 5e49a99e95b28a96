"""A story read: who is called she and he, and names for pronouns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.agents.offline.story_reader import names_in, read
from hairpin.testbed.story.generating import generate_story
from hairpin.testbed.story.telling import tell


@pytest.mark.parametrize(
    ("story", "name", "gender"),
    [
        ("Mina is a woman. She sings.", "Mina", "f"),
        ("We met King Karl there. Karl was old.", "Karl", "m"),
        ("Here Robin lives. Robin said that he was tired.", "Robin", "m"),
        ("Then Kim came. Her sister is Toni. Now Toni sings.", "Toni", "f"),
        ("Here Robin sleeps. Then Robin eats.", "Robin", None),
        ("Mina is a woman.", "Nobody", None),
    ],
)
def test_people_are_what_the_story_calls_them(story: str, name: str, gender: str | None) -> None:
    assert read(story).gender(name) == gender


def test_one_of_several_names_is_enough_unless_two_differ() -> None:
    story = read("Emil Harder is a man. Emil Harder built it. Now Anna Harder is a woman. Here Anna Harder sleeps.")
    assert (story.gender("Emil"), story.gender("Anna")) == ("m", "f")


def test_pronouns_become_names() -> None:
    story = read("Mina is a woman. She met Jonas. Her kite is red. They left.")
    assert [sentence.text for sentence in story.sentences] == [
        "Mina is a woman.",
        "Mina met Jonas.",
        "Mina's kite is red.",
        "They left.",
    ]


@pytest.mark.parametrize("number", range(1, 16))
def test_everybody_in_a_generated_story_is_known(number: int) -> None:
    story = generate_story(number)
    known = read(tell(story, order=number))
    expected = {person.name: "f" if person.gender == "woman" else "m" for person in story.people}
    assert {name: known.gender(name) for name in expected} == expected


def test_rare_words_weigh_more() -> None:
    story = read("Mina sings. Mina eats. Mina sleeps beside a kite.")
    assert story.weight("kit") > story.weight("mina")
    assert story.weight("never told") >= story.weight("kit")


def test_names_are_runs_of_capitals() -> None:
    assert names_in("Then Emil Harder met Mina's cat.", {"Emil": None, "Harder": None, "Mina": None}) == (
        "Emil Harder",
        "Mina",
    )


@given(st.text(max_size=300))
def test_any_text_is_a_story(text: str) -> None:
    story = read(text)
    assert all(weight > 0 for weight in story.weights.values())
