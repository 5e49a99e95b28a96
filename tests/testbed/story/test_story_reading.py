"""Stories as text, told and read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.errors import InvalidInputError
from hairpin.testbed.story.reading import read_story
from hairpin.testbed.story.telling import tell
from hairpin.testbed.story.world import Fact, Relation, Story
from tests.testbed.story.asking import TEXT, stories


@given(stories(), st.integers(0, 100))
def test_a_story_that_is_told_is_read_as_it_was(story: Story, order: int) -> None:
    assert read_story(tell(story, order=order)) == story


def test_a_text_of_a_users_own_is_read() -> None:
    story = read_story(TEXT)
    assert [person.name for person in story.people] == ["Mina", "Jonas", "Nora"]
    assert Fact(subject="Mina", relation=Relation.DID, value="lost a ring", detail="Tuesday") in story.facts
    assert Fact(subject="Jonas", relation=Relation.SISTER, value="Mina") in story.facts


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Mina is a woman. She dances.", "'She dances' is no sentence of a story; write sentences like"),
        ("She lives in the mill.", "nobody is meant by 'She'"),
        ("Mina is a woman. He lives in the mill.", "nobody is meant by 'He'"),
        ("Jonas lives in the mill.", "Jonas is introduced 0 times; write 'Jonas is a woman.'"),
        ("Mina is a woman. Her brother is Jonas.", "Jonas is introduced 0 times"),
        ("Mina is a woman. Mina is a man.", "Mina is introduced 2 times"),
        ("Mina is a woman. She lives in the mill. She lives in the tower.", "lives both 'mill' and 'tower'"),
        (
            "Mina is a woman. On Monday she baked a cake. On Monday she lost a ring.",
            "did both 'baked a cake' and 'lost a ring'",
        ),
    ],
)
def test_what_is_no_story_is_refused_with_the_sentence(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError, match=f"reference text: .*{message}"):
        read_story(text)
