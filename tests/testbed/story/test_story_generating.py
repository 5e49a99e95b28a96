"""Stories made from numbers."""

from __future__ import annotations

from collections import Counter

from hypothesis import given

from hairpin.testbed.story.generating import generate_story
from hairpin.testbed.story.world import Relation, Story
from tests.testbed.story.asking import numbers, stories


@given(numbers)
def test_the_same_number_is_the_same_story(number: int) -> None:
    first = generate_story(number)
    generate_story.cache_clear()
    assert generate_story(number) == first


def test_other_numbers_are_other_stories() -> None:
    assert len({generate_story(number) for number in range(50)}) == 50


@given(stories())
def test_whatever_can_be_asked_has_one_answer(story: Story) -> None:
    keys = Counter((f.subject, f.relation, f.detail) for f in story.facts)
    places = Counter((f.relation, f.value) for f in story.facts if f.relation in (Relation.LIVES, Relation.WORKS))
    things = Counter(f.value for f in story.facts if f.relation is Relation.KEEPS)
    assert max([*keys.values(), *places.values(), *things.values()]) == 1


@given(stories())
def test_who_has_a_sister_is_her_brother_or_sister(story: Story) -> None:
    back = {"woman": Relation.SISTER, "man": Relation.BROTHER}
    for fact in story.facts:
        if fact.relation in (Relation.BROTHER, Relation.SISTER):
            gender = story.gender(fact.subject)
            assert gender is not None
            assert any(
                other.subject == fact.value and other.relation is back[gender] and other.value == fact.subject
                for other in story.facts
            )
