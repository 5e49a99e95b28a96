"""The names and words of one city, indexed for finding them in a text.

It must not read a clause; ``references`` does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from hairpin.testbed.acts import Named
from hairpin.testbed.parsing.lexicon import CATEGORY_WORDS, CUISINE_WORDS, FEATURE_WORDS
from hairpin.testbed.parsing.text import PhraseIndex, spellings
from hairpin.testbed.world import Category, City, Feature, Place, PlaceKind, Poi

_COMMON = {"au", "riem"}
"""Names so short that a typing error could make them from anything."""


@dataclass(frozen=True)
class Vocabulary:
    """The phrase indexes over one city."""

    names: PhraseIndex[Named]
    categories: PhraseIndex[Category]
    cuisines: PhraseIndex[str]
    features: PhraseIndex[Feature]


@cache
def vocabulary(city: City) -> Vocabulary:
    """Return the indexes for ``city``."""
    by_form: dict[str, list[str]] = {}
    spoken: dict[str, str] = {}
    for spot in _spots(city):
        for name in (spot.name, *spot.aliases):
            for form in spellings(name):
                by_form.setdefault(form, []).append(spot.id)
                spoken.setdefault(form, name)
    names = {form: Named(name=spoken[form], ids=tuple(dict.fromkeys(ids))) for form, ids in by_form.items()}
    return Vocabulary(
        names=PhraseIndex(names),
        categories=PhraseIndex({word: c for c, words in CATEGORY_WORDS.items() for word in words}),
        cuisines=PhraseIndex({word: c for c, words in CUISINE_WORDS.items() for word in words}),
        features=PhraseIndex({word: f for f, words in FEATURE_WORDS.items() for word in words}),
    )


def unknown_name(text: str, city: City) -> Named:
    """Return the place that ``text``, a name not on the map as it stands, probably means, else an unknown one."""
    cleaned = re.sub(r"^(?:the|a|an|my|our)\s+", "", text.strip(" .,;:!?'"))
    words = vocabulary(city).names
    forms = [form for form in _forms(city) if form not in _COMMON]
    close = get_close_matches(cleaned, forms, n=1, cutoff=0.84)
    known = words.get(close[0]) if close else None
    return known or Named(name=cleaned, ids=())


@cache
def _forms(city: City) -> tuple[str, ...]:
    return tuple(sorted({form for spot in _spots(city) for form in spellings(spot.name)}))


def _spots(city: City) -> tuple[Place | Poi, ...]:
    """Return everything that can be called by name; junctions cannot."""
    places = (place for place in city.places.values() if place.kind is not PlaceKind.JUNCTION)
    return (*places, *city.pois.values())
