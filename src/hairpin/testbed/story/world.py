"""What a story tells, as values: people, and facts about them.

It must not hold words of sentences or questions.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Literal

from hairpin.domain.base import Value

Gender = Literal["woman", "man"]


class Relation(StrEnum):
    """What a fact says. ``keeps`` and ``did`` have a detail: where, and on which day."""

    AGE = "age"
    LIVES = "lives"
    WORKS = "works"
    BROTHER = "brother"
    SISTER = "sister"
    FRIEND = "best friend"
    KEEPS = "keeps"
    DID = "did"


KIN = (Relation.BROTHER, Relation.SISTER, Relation.FRIEND)
"""Whose value is a person."""


class Person(Value):
    """Somebody in a story."""

    name: str
    gender: Gender


class Fact(Value):
    """Somebody (``subject``) lives in, works at, keeps, … ``value``; names and nouns without articles."""

    subject: str
    relation: Relation
    value: str
    detail: str | None = None


class Story(Value):
    """The people of a story in the order in which they come, and all that is told of them, in a fixed order."""

    people: tuple[Person, ...]
    facts: tuple[Fact, ...]

    def gender(self, name: str) -> Gender | None:
        """Return whether ``name`` is a woman or a man; ``None`` when nobody is called so."""
        return next((person.gender for person in self.people if person.name == name), None)


def make_story(people: Iterable[Person], facts: Iterable[Fact]) -> Story:
    """Return the story with what follows from ``facts``: whose brother she has, his sister is she."""
    known = tuple(people)
    genders = {person.name: person.gender for person in known}
    told = set(facts)
    for fact in tuple(told):
        if fact.relation in (Relation.BROTHER, Relation.SISTER) and fact.subject in genders:
            back = Relation.SISTER if genders[fact.subject] == "woman" else Relation.BROTHER
            told.add(Fact(subject=fact.value, relation=back, value=fact.subject))
    return Story(people=known, facts=tuple(sorted(told, key=_order)))


def _order(fact: Fact) -> tuple[str, ...]:
    return fact.subject, fact.relation, fact.value, fact.detail or ""
