"""Stories from numbers: the same number, the same story, for ever.

It must not write sentences; ``telling`` does.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Final

from hairpin.domain.rng import derive_rng_seed
from hairpin.testbed.story.world import Fact, Person, Relation, Story, make_story

_WOMEN: Final = ("Mina", "Clara", "Nora", "Ines", "Lucy", "Greta", "Paula", "Sofia")
_MEN: Final = ("Jonas", "Omar", "Felix", "Karl", "Ravi", "Anton", "Peter", "Luis")
_HOMES: Final = ("old mill", "lighthouse", "red barn", "castle", "farmhouse", "boathouse", "tower", "white villa")
_WORKPLACES: Final = ("bakery", "library", "school", "post office", "museum", "harbour", "theatre", "sawmill")
_ADJECTIVES: Final = ("red", "silver", "wooden", "blue", "brass", "green", "tiny", "heavy", "striped", "golden")
_NOUNS: Final = ("kite", "flute", "map", "boat", "teapot", "compass", "bicycle", "globe", "drum", "lantern")
_ACTIONS: Final = (
    "painted a fence",
    "baked a cake",
    "repaired a clock",
    "planted a tree",
    "wrote a letter",
    "caught a fish",
    "sold a horse",
    "found a key",
    "built a shed",
    "lost a ring",
)
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_TOLD_OF_TEN: Final = 8


@lru_cache(maxsize=256)
def generate_story(number: int) -> Story:
    """Return story ``number``: five people, of whom four are brothers and sisters two by two.

    No two live or work in the same place, keep the same thing or did the same, so that each question has one answer.
    """
    rng = Random(derive_rng_seed(number, "story"))  # not for secrets
    people = _people(rng)
    facts = [*_ages(rng, people), *_places(rng, people), *_kin(rng, people)]
    homes = {fact.subject: fact.value for fact in facts if fact.relation is Relation.LIVES}
    return make_story(people, [*facts, *_kept(rng, homes), *_deeds(rng, people)])


def _people(rng: Random) -> list[Person]:
    n_women = rng.choice((2, 3))
    women = [Person(name=name, gender="woman") for name in rng.sample(_WOMEN, n_women)]
    men = [Person(name=name, gender="man") for name in rng.sample(_MEN, 5 - n_women)]
    people = [*women, *men]
    rng.shuffle(people)
    return people


def _ages(rng: Random, people: list[Person]) -> list[Fact]:
    ages = rng.sample(range(18, 80), len(people))
    return [
        Fact(subject=person.name, relation=Relation.AGE, value=str(age))
        for person, age in zip(people, ages, strict=True)
    ]


def _places(rng: Random, people: list[Person]) -> list[Fact]:
    homes, workplaces = rng.sample(_HOMES, len(people)), rng.sample(_WORKPLACES, len(people))
    lives = [
        Fact(subject=person.name, relation=Relation.LIVES, value=home)
        for person, home in zip(people, homes, strict=True)
    ]
    works = [
        Fact(subject=person.name, relation=Relation.WORKS, value=workplace)
        for person, workplace in zip(people, workplaces, strict=True)
    ]
    return [*lives, *_some(rng, works)]


def _kin(rng: Random, people: list[Person]) -> list[Fact]:
    siblings = [_sibling(people[first], people[second]) for first, second in ((0, 1), (2, 3))]
    friends = [
        Fact(
            subject=person.name,
            relation=Relation.FRIEND,
            value=rng.choice([other.name for other in people if other != person]),
        )
        for person in people
    ]
    return [*siblings, *_some(rng, friends)]


def _sibling(person: Person, other: Person) -> Fact:
    relation = Relation.SISTER if other.gender == "woman" else Relation.BROTHER
    return Fact(subject=person.name, relation=relation, value=other.name)


def _kept(rng: Random, homes: dict[str, str]) -> list[Fact]:
    adjectives, nouns = rng.sample(_ADJECTIVES, 10), rng.sample(_NOUNS, 10)
    things = [f"{adjective} {noun}" for adjective, noun in zip(adjectives, nouns, strict=True)]
    at_home = [
        Fact(subject=name, relation=Relation.KEEPS, value=things.pop(), detail=home) for name, home in homes.items()
    ]
    elsewhere = [
        Fact(
            subject=name,
            relation=Relation.KEEPS,
            value=things.pop(),
            detail=rng.choice([place for place in homes.values() if place != home]),
        )
        for name, home in homes.items()
    ]
    return [*_some(rng, at_home), *_some(rng, elsewhere)]


def _deeds(rng: Random, people: list[Person]) -> list[Fact]:
    actions = rng.sample(_ACTIONS, 2 * len(people))
    deeds = [
        Fact(subject=person.name, relation=Relation.DID, value=actions.pop(), detail=day)
        for person in people
        for day in rng.sample(_DAYS[:4], 2)
    ]
    return _some(rng, deeds)


def _some(rng: Random, facts: list[Fact]) -> list[Fact]:
    """Return most of ``facts``: what a story does not tell can be asked too."""
    return [fact for fact in facts if rng.randrange(10) < _TOLD_OF_TEN]
