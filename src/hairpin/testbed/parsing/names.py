"""Everything that can be said of places in a clause: names, kinds, ordinals, "there".

It must not decide what the user wants with them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from hairpin.testbed.acts import Anaphor, KindOf, Named, Ordinal, Reference, Wanted
from hairpin.testbed.parsing.lexicon import CATEGORY_WORDS, CUISINE_WORDS, FEATURE_WORDS, NOUNS
from hairpin.testbed.parsing.text import PhraseIndex, Span, fold, spellings, without_overlaps
from hairpin.testbed.world import Category, City, Feature, Place, PlaceKind, Poi

_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "last": 0}
_NUMBERS = {"one": 1, "two": 2, "three": 3, "1": 1, "2": 2, "3": 3}
_CATEGORY_NOUNS = "|".join(re.escape(fold(singular)) for singular, _ in NOUNS.values())
_ORDINAL = re.compile(
    r"\b(?:the |your |that )?(?P<word>first|1st|second|2nd|third|3rd|last)"
    rf" (?:one|option|result|suggestion|place|entry|choice|{_CATEGORY_NOUNS})\b"
    r"|\bthe (?P<bare>first|1st|second|2nd|third|3rd|last)(?=$| (?:please|on|in|from|as|then|instead|of)\b)"
    r"|\b(?:number|option|no\.|nr\.?) ?(?P<number>one|two|three|1|2|3)\b"
)
_ANAPHOR = re.compile(
    r"\b(?:there|that (?:place|one)|this (?:place|one)|the place|the same (?:place|one)|it|its)\b(?! (?:is|are) (?:a"
    r"|an|any))"
)
_ONE = re.compile(
    r"\bthe (?:other )?ones?\b|\b(?:a|an|some|any) (?:nice |good )?(?:one|place|spot)s?\b"
    r"|\bone\b(?= (?:in|at|near|by)\b)|\bsomewhere\b"
)
_NEAREST = re.compile(r"\b(?:nearest|closest|next)\b")
_BEST = re.compile(
    r"\b(?:best(?! (?:order|route|way|sequence|possible|plan))|best[- ]rated|top[- ]rated|highest[- ]rated"
    r"|well[- ]rated|good ratings?)\b"
)
_OPEN = re.compile(
    r"\b(?:open (?:right )?now|still open|currently open|is open|are open|that's open|open at the moment)\b"
)
_AT = re.compile(r"\b(?:in|at|near|near to|by|around|close to|next to|on) (?:the )?$")
_KINDS = {
    "square": "square",
    "district": "district",
    "quarter": "district",
    "neighbourhood": "district",
    "town": "town",
}
_KIND = re.compile(r"\b(?:the )(?P<kind>" + "|".join(_KINDS) + r")\b")
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


def references(text: str, city: City) -> tuple[Span[Reference], ...]:
    """Return the places a folded clause refers to, from left to right, the features said of each included."""
    words = vocabulary(city)
    names = words.names.find(text)
    features = words.features.find(text)
    taken = [(s.start, s.end) for s in names] + [(s.start, s.end) for s in features]
    kinds: list[Span[Reference]] = []
    kinds += [
        Span(s.start, s.end, Wanted(category=s.value))
        for s in words.categories.find(text)
        if not any(s.start < end and start < s.end for start, end in taken)
    ]
    cuisines = words.cuisines.find(text)
    if cuisines and not any(isinstance(k.value, Wanted) and k.value.category is Category.RESTAURANT for k in kinds):
        kinds.append(Span(cuisines[0].start, cuisines[0].end, Wanted(category=Category.RESTAURANT)))
    if not kinds and any(s.value is Feature.FAST_CHARGING for s in features):
        found = next(s for s in features if s.value is Feature.FAST_CHARGING)
        kinds.append(Span(found.start, found.end, Wanted(category=Category.CHARGING_STATION)))
    pointing = _pointing(text, having_kinds=bool(kinds))
    named: list[Span[Reference]] = [Span(s.start, s.end, s.value) for s in names]
    spans = without_overlaps([*named, *kinds, *pointing])
    return _with_details(text, spans, words)


def _pointing(text: str, *, having_kinds: bool) -> list[Span[Reference]]:
    found: list[Span[Reference]] = []
    for m in _ORDINAL.finditer(text):
        word = m["word"] or m["bare"]
        number = _ORDINALS[word] if word else _NUMBERS[m["number"]]
        found.append(Span(m.start(), m.end(), Ordinal(number=number)))
    found += [Span(m.start(), m.end(), KindOf(kind=_KINDS[m["kind"]])) for m in _KIND.finditer(text)]
    superlative = _NEAREST.search(text) or _BEST.search(text)
    one = _ONE.search(text)
    if not having_kinds and (superlative or one):
        start = min(m.start() for m in (superlative, one) if m)
        end = max(m.end() for m in (superlative, one) if m)
        if end - start < 40:
            found.append(Span(start, end, Wanted(category=None)))
    found += [Span(m.start(), m.end(), Anaphor()) for m in _ANAPHOR.finditer(text)]
    return found


def _with_details(text: str, spans: tuple[Span[Reference], ...], words: Vocabulary) -> tuple[Span[Reference], ...]:
    """Give each kind of place the cuisine, features and the place said near it, up to the next kind of place."""
    wanted = [s for s in spans if isinstance(s.value, Wanted)]
    result: dict[int, Span[Reference]] = {s.start: s for s in spans}
    for rank, span in enumerate(wanted):
        left = wanted[rank - 1].end if rank else 0
        right = wanted[rank + 1].start if rank + 1 < len(wanted) else len(text)
        near = _near(text, span.end, right, spans)
        if near is not None:
            result.pop(near.start)
        assert isinstance(span.value, Wanted)
        value = _detailed(span.value, text[left : span.end], text[span.start : right], words)
        where = near.value if near is not None and isinstance(near.value, Named) else None
        result[span.start] = Span(span.start, span.end, value.model_copy(update={"near": where}))
    return tuple(result.values())


def _near(text: str, left: int, right: int, spans: tuple[Span[Reference], ...]) -> Span[Reference] | None:
    for span in spans:
        if left <= span.start < right and isinstance(span.value, Named) and _AT.search(text[: span.start]):
            return span
    return None


def _detailed(wanted: Wanted, before: str, after: str, words: Vocabulary) -> Wanted:
    cuisines = words.cuisines.find(before) or words.cuisines.find(after)
    features = {s.value for s in (*words.features.find(before), *words.features.find(after))}
    if wanted.category is not Category.CHARGING_STATION:
        features.discard(Feature.FAST_CHARGING)
    around = f"{before} | {after}"
    return wanted.model_copy(
        update={
            "cuisine": cuisines[0].value if cuisines and wanted.category is Category.RESTAURANT else None,
            "features": tuple(sorted(features)),
            "open_now": bool(_OPEN.search(around)),
            "best_rated": bool(_BEST.search(around)),
            "nearest": bool(_NEAREST.search(around)),
        }
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
