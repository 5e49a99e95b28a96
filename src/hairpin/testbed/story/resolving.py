"""What a question means after the questions before it: the truth that the assistant is measured by.

The context of a question is the story and the earlier questions, never the answers. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from hairpin.domain.base import Value
from hairpin.testbed.story.questions import Asked, PersonWords, Slot, read_question
from hairpin.testbed.story.world import KIN, Fact, Relation, Story

_SHE = ("she", "her")
_HE = ("he", "his")


class Query(Value):
    """A question without pronouns: the fact that has these parts, of which ``asks`` is wanted."""

    relation: Relation
    asks: Slot
    subject: str | None = None
    value: str | None = None
    detail: str | None = None


class Unclear(Value):
    """Why a question means nothing: ``word`` is a pronoun or a person that nobody is known by; else it is not read."""

    why: Literal["not_understood", "no_earlier_question", "nobody_meant", "kin_unknown"]
    word: str = ""


Resolution = Query | Unclear


class Focus(Value):
    """What pronouns mean after some questions, and what the last one asked."""

    she: str | None = None
    he: str | None = None
    there: str | None = None
    it: str | None = None
    last: Query | None = None


class _UnclearError(Exception):
    def __init__(self, unclear: Unclear) -> None:
        self.unclear = unclear


def resolve(story: Story, focus: Focus, question: str) -> Resolution:
    """Return what ``question`` means after the questions that led to ``focus``."""
    asked = read_question(question)
    if asked is None:
        return Unclear(why="not_understood")
    try:
        return _query(story, focus, asked)
    except _UnclearError as error:
        return error.unclear


def moved(story: Story, focus: Focus, question: str) -> Focus:
    """Return the focus after ``question``: who and what it names or, if that is one, asks for."""
    asked, query = read_question(question), resolve(story, focus, question)
    if asked is None or isinstance(query, Unclear):
        return focus
    if asked.person is not None and asked.person.kin is not None:
        owner = _named(story, focus, asked.person.base)
        focus = _seen(story, focus, owner)
    told = facts_for(story, query)
    known = told[0] if len(told) == 1 else None
    return _noted(story, focus, query, known).model_copy(update={"last": query})


def focus_after(story: Story, questions: Sequence[str]) -> Focus:
    """Return the focus after ``questions``."""
    focus = Focus()
    for question in questions:
        focus = moved(story, focus, question)
    return focus


def resolution_of(story: Story, questions: Sequence[str], index: int) -> Resolution:
    """Return what ``questions[index]`` means after those before it. Raises IndexError."""
    return resolve(story, focus_after(story, questions[:index]), questions[index])


def fact_of(story: Story, questions: Sequence[str], index: int) -> Fact | None:
    """Return the fact that ``questions[index]`` asks for after those before it.

    ``None``: it means nothing, the story does not tell it, or several facts answer it. Raises IndexError.
    """
    query = resolution_of(story, questions, index)
    told = facts_for(story, query) if isinstance(query, Query) else ()
    return told[0] if len(told) == 1 else None


def equivalent(story: Story, questions_a: Sequence[str], i: int, questions_b: Sequence[str], j: int) -> bool:
    """Whether ``questions_a[i]`` and ``questions_b[j]`` ask the same of the same fact, told or not, in their contexts.

    Questions that mean nothing are equivalent when they do so for the same reason. Raises IndexError.
    """
    return resolution_of(story, questions_a, i) == resolution_of(story, questions_b, j)


def facts_for(story: Story, query: Query) -> tuple[Fact, ...]:
    """Return the facts that answer ``query``."""
    return tuple(
        fact
        for fact in story.facts
        if fact.relation is query.relation
        and query.subject in (None, fact.subject)
        and query.value in (None, fact.value)
        and query.detail in (None, fact.detail)
    )


def _query(story: Story, focus: Focus, asked: Asked) -> Query:
    if asked.relation is None:
        return _like_the_last(story, focus, asked)
    subject = None if asked.person is None else _person(story, focus, asked.person)
    place = None if asked.place is None else _place(focus, asked.place)
    thing = None if asked.thing is None else _thing(story, focus, asked.thing, subject)
    keeps = asked.relation is Relation.KEEPS
    return Query(
        relation=asked.relation,
        asks=asked.asks,
        subject=subject,
        value=thing if keeps else place,
        detail=place if keeps else _day(asked.day),
    )


def _like_the_last(story: Story, focus: Focus, asked: Asked) -> Query:
    """Return what the question before asked, of somebody else, on another day or in another place."""
    last = focus.last
    if last is None:
        raise _UnclearError(Unclear(why="no_earlier_question"))
    if asked.person is not None and last.subject is not None:
        return last.model_copy(update={"subject": _person(story, focus, asked.person)})
    if asked.day is not None and last.relation is Relation.DID:
        return last.model_copy(update={"detail": _day(asked.day)})
    if asked.place is not None and last.asks != "detail":
        place = _place(focus, asked.place)
        if last.relation is Relation.KEEPS:
            return last.model_copy(update={"detail": place})
        if last.asks == "subject":
            return last.model_copy(update={"value": place})
    raise _UnclearError(Unclear(why="not_understood"))


def _person(story: Story, focus: Focus, words: PersonWords) -> str:
    base = _named(story, focus, words.base)
    if words.kin is None:
        return base
    found = facts_for(story, Query(relation=Relation(words.kin), asks="value", subject=base))
    if len(found) != 1:
        raise _UnclearError(Unclear(why="kin_unknown", word=f"{base}'s {words.kin}"))
    return found[0].value


def _named(story: Story, focus: Focus, word: str) -> str:
    if word not in (*_SHE, *_HE):
        known = {person.name.casefold(): person.name for person in story.people}
        return known.get(word, word.title())
    return _meant(focus.she if word in _SHE else focus.he, word)


def _place(focus: Focus, word: str) -> str:
    return _meant(focus.there, word) if word == "there" else word


def _thing(story: Story, focus: Focus, word: str, owner: str | None) -> str:
    """Return the noun of a thing; "kite" is the one kite that there is, of the owner's if that is known."""
    if word == "it":
        return _meant(focus.it, word)
    kept = [f for f in story.facts if f.relation is Relation.KEEPS and f.value.endswith(f" {word}")]
    own = {fact.value for fact in kept if fact.subject == owner} or {fact.value for fact in kept}
    return own.pop() if len(own) == 1 else word


def _day(word: str | None) -> str | None:
    return None if word is None else word.title()


def _meant(entity: str | None, word: str) -> str:
    if entity is None:
        raise _UnclearError(Unclear(why="nobody_meant", word=word))
    return entity


def _noted(story: Story, focus: Focus, query: Query, told: Fact | None) -> Focus:
    """Return the focus with what ``query`` names, and what answers it as far as that is told."""
    fact = Fact(
        subject=query.subject or (told.subject if told else ""),
        relation=query.relation,
        value=query.value or (told.value if told else ""),
        detail=query.detail or (told.detail if told else None),
    )
    focus = _seen(story, focus, fact.subject)
    if fact.relation in KIN:
        return _seen(story, focus, fact.value)
    changes: dict[str, str] = {}
    if fact.relation in (Relation.LIVES, Relation.WORKS) and fact.value:
        changes["there"] = fact.value
    if fact.relation is Relation.KEEPS:
        changes |= {"it": fact.value} if fact.value else {}
        changes |= {"there": fact.detail} if fact.detail else {}
    return focus.model_copy(update=changes)


def _seen(story: Story, focus: Focus, name: str) -> Focus:
    gender = story.gender(name)
    if gender is None:
        return focus
    return focus.model_copy(update={"she" if gender == "woman" else "he": name})
