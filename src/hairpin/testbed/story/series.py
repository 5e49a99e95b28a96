"""Series of questions about a story, some of which mean something only after the ones before; with gold answers.

The meaning of each is computed by ``resolving``; a question that would mean something else is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from hairpin.domain.base import Value
from hairpin.domain.rng import derive_rng_seed
from hairpin.testbed.story.answering import gold
from hairpin.testbed.story.resolving import Focus, Query, facts_for, moved, resolve
from hairpin.testbed.story.telling import PRONOUNS
from hairpin.testbed.story.world import KIN, Fact, Relation, Story

_STAYS_OF_TEN: Final = 6
"""How often a question is about somebody who was named before, where one can be asked."""


class SeriesQuestion(Value):
    """A question of a series: its text, the gold answer, and whether it means nothing without those before it."""

    text: str
    gold: str
    depends: bool


def question_series(story: Story, *, rng_seed: int, n_questions: int) -> tuple[SeriesQuestion, ...]:
    """Return a series; the second question always depends on the first. Each is answered by the story.

    Raises:
        ValueError: the story tells too little for a question that depends on another.
    """
    rng = Random(derive_rng_seed(rng_seed, "series"))  # not for secrets
    focus, series = Focus(), list[SeriesQuestion]()
    while len(series) < n_questions:
        depends = len(series) == 1 or (bool(series) and rng.randrange(10) < _STAYS_OF_TEN)
        found = _dependent(story, focus, rng) if depends else None
        if found is None and len(series) == 1:
            raise ValueError("the story tells too little of one person for a question that depends on another")
        text, query = found or _explicit(story, rng)
        fact = facts_for(story, query)[0]
        series.append(SeriesQuestion(text=text, gold=gold(query, fact), depends=found is not None))
        focus = moved(story, focus, text)
    return tuple(series)


def _explicit(story: Story, rng: Random) -> tuple[str, Query]:
    """Return a question that names everything."""
    fact = rng.choice(story.facts)
    return rng.choice([*_named(fact)])


def _named(fact: Fact) -> Iterator[tuple[str, Query]]:
    """Yield the questions that name everything and are answered by ``fact``."""
    for asks, form, query in _forms(fact):
        if asks == "subject" or fact.relation in KIN:
            yield form.format(who=fact.subject, whose=f"{fact.subject}'s"), query
        else:
            yield form.format(who=fact.subject), query


def _forms(fact: Fact) -> Iterator[tuple[str, str, Query]]:
    """Yield what ``fact`` can be asked by: what is wanted, the words with a gap for the person, the meaning."""
    whole = Query(relation=fact.relation, asks="value", subject=fact.subject)
    value, detail = fact.value, fact.detail
    match fact.relation:
        case Relation.AGE:
            yield "value", "How old is {who}?", whole
        case Relation.LIVES | Relation.WORKS:
            verb, at = ("live", "in") if fact.relation is Relation.LIVES else ("work", "at")
            yield "value", f"Where does {{who}} {verb}?", whole
            by_place = Query(relation=fact.relation, asks="subject", value=value)
            yield "subject", f"Who {verb}s {at} the {value}?", by_place
        case Relation.KEEPS:
            there = Query(relation=fact.relation, asks="value", subject=fact.subject, detail=detail)
            yield "value", f"What does {{who}} keep in the {detail}?", there
            where = Query(relation=fact.relation, asks="detail", subject=fact.subject, value=value)
            yield "detail", f"Where does {{who}} keep the {value}?", where
            yield "subject", f"Who keeps the {value}?", Query(relation=fact.relation, asks="subject", value=value)
        case Relation.DID:
            on_day = Query(relation=fact.relation, asks="value", subject=fact.subject, detail=detail)
            yield "value", f"What did {{who}} do on {detail}?", on_day
        case Relation.BROTHER | Relation.SISTER | Relation.FRIEND:
            yield "value", f"Who is {{whose}} {fact.relation}?", whole


def _dependent(story: Story, focus: Focus, rng: Random) -> tuple[str, Query] | None:
    """Return a question that means something only after those before, or ``None`` when there is none."""
    possible = [found for fact in story.facts for found in _shortened(story, fact, focus) if found[1] != focus.last]
    rng.shuffle(possible)
    for text, query in possible:
        if resolve(story, focus, text) == query and resolve(story, Focus(), text) != query:
            return text, query
    return None


def _shortened(story: Story, fact: Fact, focus: Focus) -> Iterator[tuple[str, Query]]:
    """Yield questions for ``fact`` with pronouns, and those that say only what is different from the last one."""
    gender = story.gender(fact.subject)
    if gender is None:
        return
    who, possessive = PRONOUNS[gender]
    for asks, form, query in _forms(fact):
        if asks != "subject":
            yield form.format(who=who, whose=possessive), query
            yield _with_pronouns(form.format(who=who, whose=possessive), fact), query
        else:
            yield _with_pronouns(form, fact), query
        if focus.last is not None and focus.last.relation is fact.relation and focus.last.asks == asks:
            yield from ((text, query) for text in _only_what_changes(story, fact, asks))


def _with_pronouns(text: str, fact: Fact) -> str:
    """Return ``text`` with "it" for the thing and "there" for the place."""
    text = text.replace(f"the {fact.value}?", "it?") if fact.relation is Relation.KEEPS else text
    for place in (fact.detail, fact.value):
        text = text.replace(f"in the {place}?", "there?").replace(f"at the {place}?", "there?")
    return text


def _only_what_changes(story: Story, fact: Fact, asks: str) -> Iterator[str]:
    if asks == "subject":
        place = fact.value if fact.relation is not Relation.KEEPS else None
        if place is not None:
            yield f"And {'in' if fact.relation is Relation.LIVES else 'at'} the {place}?"
        return
    yield f"And {fact.subject}?"
    for kin in story.facts:
        owner = story.gender(kin.subject)
        if kin.relation in KIN and kin.value == fact.subject and owner is not None:
            yield f"And {PRONOUNS[owner][1]} {kin.relation}?"
    if fact.relation is Relation.DID:
        yield f"And on {fact.detail}?"
    if fact.relation is Relation.KEEPS and asks == "value":
        yield f"And in the {fact.detail}?"
