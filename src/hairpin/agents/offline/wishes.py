"""Filling templates with what fits: new values for open slots, known ones for what was said, nothing that contradicts.

Which template is filled is the simulator's choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from hairpin.agents.offline.reading import Condition, UserReading, read_user
from hairpin.agents.offline.standing import Standing
from hairpin.agents.offline.text import shuffled
from hairpin.domain.strategies import Strategy
from hairpin.domain.templates import SLOT, UtteranceTemplate

ATTEMPTS = 4
"""How many ways of filling one template are tried."""


def strategy_wishes(strategy: Strategy, standing: Standing, *, rng_seed: int) -> Iterator[str]:
    """Yield what a user can sensibly say now to pursue ``strategy``, in random order."""
    path = f"strategy {strategy.id}"
    for template in shuffled(strategy.templates, rng_seed, path):
        for text in fillings(template, standing, rng_seed=rng_seed, vocabulary=strategy.vocabulary):
            if sensible(text, standing):
                yield text


def fillings(
    template: UtteranceTemplate,
    standing: Standing,
    *,
    rng_seed: int,
    vocabulary: Mapping[str, Sequence[str]] | None = None,
    given: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Yield sentences made from ``template`` that were not said before; none when it does not fit.

    Args:
        template: the sentence with slots.
        standing: where the conversation stands.
        rng_seed: decides which values are tried first.
        vocabulary: values for slots, before those of the lexicon.
        given: values that are fixed.
    """
    known = standing.ledger.known()
    if not known.issuperset(template.needs) or not known.isdisjoint(template.without):
        return
    for attempt in range(ATTEMPTS if template.slots else 1):
        values: dict[str, str] = dict(given or {})
        for slot in template.slots:
            if slot not in values:
                candidates = _candidates(slot, standing, vocabulary or {})
                free = [value for value in candidates if value not in values.values()]
                if not free:
                    return
                values[slot] = shuffled(free, rng_seed, template.text, slot, str(attempt))[0]
        text = template.fill(values)
        if not standing.has_said(text):
            yield text


def _candidates(slot: str, standing: Standing, vocabulary: Mapping[str, Sequence[str]]) -> Sequence[str]:
    match = SLOT.fullmatch(f"{{{slot}}}")
    name = match["name"] if match is not None else slot
    if match is not None and match["source"]:
        return standing.known_values(name)[:1]
    values: Iterable[str] = vocabulary.get(name, ())
    if not values and name in standing.language.slots:
        values = [value.value for value in standing.language.slots[name].values if value.spoken]
    return [value for value in values if not standing.has_mentioned(value)]


def sensible(text: str, standing: Standing) -> bool:
    """Whether a user who remembers what was said would say ``text``: it adds something and contradicts nothing."""
    reading = read_user(text, standing.language)
    return (
        all(_new(condition, standing) for condition in reading.conditions)
        and not any(_conflicts(condition, standing) for condition in reading.conditions)
        and {fact.constraint for fact in standing.ledger.established}.issuperset(reading.lifted)
        and not _asks_again(reading, standing)
    )


def _new(condition: Condition, standing: Standing) -> bool:
    return not any(
        fact.constraint == condition.constraint and fact.params == condition.params and fact.ask is None
        for fact in standing.ledger.established
    )


def _conflicts(condition: Condition, standing: Standing) -> bool:
    language = standing.language
    in_force = {fact.constraint for fact in standing.ledger.established}
    against = set(language.constraint(condition.constraint).conflicts)
    return bool(in_force & against) or any(
        condition.constraint in language.constraint(name).conflicts for name in in_force
    )


def _asks_again(reading: UserReading, standing: Standing) -> bool:
    """Whether the utterance only asks for what has been asked for already, with the same parameters."""
    asked = [(ask.kind, dict(ask.params)) for ask in standing.ledger.asks if ask.live]
    again = [bool(request.params) and (request.kind, dict(request.params)) in asked for request in reading.requests]
    return bool(again) and all(again)
