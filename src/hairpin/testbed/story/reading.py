"""From a text in the closed grammar to the story it tells.

It must not guess: a sentence of another form is refused, by name.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from hairpin.errors import InvalidInputError
from hairpin.testbed.story.world import KIN, Fact, Gender, Person, Relation, Story, make_story

_WHERE: Final = "reference text"
_HINT: Final = (
    "write sentences like 'Mina is a woman.', 'She is 34 years old.', 'She lives in the old mill.', 'She works at the "
    "bakery.', 'Her brother is Jonas.', 'She keeps a red kite in the tower.', 'On Monday she baked a cake.'"
)
_NAME: Final = r"[A-Z][a-z]+"
_PERSON: Final = rf"(?P<subject>{_NAME}|[Ss]he|[Hh]e)"
_NOUN: Final = r"[a-z]+(?: [a-z]+)*"
_INTRODUCTION: Final = re.compile(rf"(?P<name>{_NAME}) is a (?P<gender>woman|man)")
_SENTENCES: Final[tuple[tuple[Relation | None, re.Pattern[str]], ...]] = (
    (Relation.AGE, re.compile(rf"{_PERSON} is (?P<value>\d{{1,3}}) years old")),
    (Relation.LIVES, re.compile(rf"{_PERSON} lives in the (?P<value>{_NOUN})")),
    (Relation.WORKS, re.compile(rf"{_PERSON} works at the (?P<value>{_NOUN})")),
    (Relation.KEEPS, re.compile(rf"{_PERSON} keeps an? (?P<value>{_NOUN}) in the (?P<detail>{_NOUN})")),
    (Relation.DID, re.compile(rf"On (?P<detail>[A-Z][a-z]+day) {_PERSON} (?P<value>{_NOUN})")),
    (
        None,
        re.compile(
            rf"(?P<subject>{_NAME}(?='s)|[Hh]er|[Hh]is)(?:'s)? (?P<kin>brother|sister|best friend)"
            rf" is (?P<value>{_NAME})"
        ),
    ),
)
_GENDERS: Final[dict[str, Gender]] = {"she": "woman", "her": "woman", "he": "man", "his": "man"}
_ONE_VALUED: Final = (Relation.AGE, Relation.LIVES, Relation.WORKS, *KIN)


@lru_cache(maxsize=256)
def read_story(text: str) -> Story:
    """Return the story that ``text`` tells.

    Raises:
        InvalidInputError: a sentence that is not of the grammar, a pronoun without a person, a person who is not
            introduced, or two facts that cannot both be.
    """
    people: list[Person] = []
    facts: list[Fact] = []
    for line in _sentences(text):
        introduced = _INTRODUCTION.fullmatch(line)
        if introduced:
            gender: Gender = "woman" if introduced["gender"] == "woman" else "man"
            people.append(Person(name=introduced["name"], gender=gender))
        else:
            facts.append(_fact(line, people))
    _refuse_contradictions(people, facts)
    return make_story(people, facts)


def _sentences(text: str) -> list[str]:
    lines = [" ".join(part.split()) for part in re.split(r"(?<=[.!?])\s+|\n{2,}", text.strip())]
    return [line.removesuffix(".") for line in lines if line]


def _fact(line: str, people: list[Person]) -> Fact:
    for relation, pattern in _SENTENCES:
        found = pattern.fullmatch(line)
        if found is not None:
            parts = found.groupdict()
            return Fact(
                subject=_subject(parts["subject"], people, line),
                relation=relation or Relation(parts["kin"]),
                value=parts["value"],
                detail=parts.get("detail"),
            )
    raise InvalidInputError(f"{line[:80]!r} is no sentence of a story", where=_WHERE, hint=_HINT)


def _subject(word: str, people: list[Person], line: str) -> str:
    gender = _GENDERS.get(word.lower())
    if gender is None:
        return word
    if not people or people[-1].gender != gender:
        what = f"nobody is meant by {word!r} in {line[:80]!r}"
        raise InvalidInputError(what, where=_WHERE, hint="introduce somebody first: 'Mina is a woman.'")
    return people[-1].name


def _refuse_contradictions(people: list[Person], facts: list[Fact]) -> None:
    names = [person.name for person in people]
    named = [*names, *(name for f in facts for name in (f.subject, *([f.value] if f.relation in KIN else [])))]
    for name in named:
        if names.count(name) != 1:
            what = f"{name} is introduced {names.count(name)} times"
            raise InvalidInputError(what, where=_WHERE, hint=f"write '{name} is a woman.' or '… a man.' once")
    told: dict[tuple[str, ...], Fact] = {}
    for fact in facts:
        key = (fact.subject, fact.relation, *_what(fact))
        if told.setdefault(key, fact) != fact:
            what = f"{fact.subject} {fact.relation} both {told[key].value!r} and {fact.value!r}"
            raise InvalidInputError(what, where=_WHERE, hint="remove one of the two sentences")


def _what(fact: Fact) -> tuple[str, ...]:
    """Return what beside subject and relation makes a fact the only one of its kind."""
    if fact.relation in _ONE_VALUED:
        return ()
    return (fact.detail or "",) if fact.relation is Relation.DID else (fact.value,)
