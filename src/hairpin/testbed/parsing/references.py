"""What a clause says of places: names, kinds with their features, ordinals, "there".

It must not decide what the user wants with them.
"""

from __future__ import annotations

import re

from hairpin.testbed.acts import Anaphor, KindOf, Named, Ordinal, Reference, Wanted
from hairpin.testbed.parsing.lexicon import NOUNS
from hairpin.testbed.parsing.names import Vocabulary, vocabulary
from hairpin.testbed.parsing.text import Span, fold, without_overlaps
from hairpin.testbed.parsing.times import BARE_HOUR, CLOCK, clock_in
from hairpin.testbed.world import Category, City, Feature

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
    r"\b(?:there|they|that (?:place|one)|this (?:place|one)|the place|the same (?:place|one)|it|its)\b(?! (?:is"
    r"|are) (?:a"
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
_DEFINITE = re.compile(r"\b(?:the|that|this) (?:\w+ )?$")
_OPEN = re.compile(
    r"\b(?:open (?:right )?now|still open|currently open|is open|are open|that's open|open at the moment)\b"
)
OPEN_THERE = re.compile(
    r"\b(?:open (?:when|by the time|once|until|as soon as) (?:we|i) (?:get|arrive|are|come|reach)(?: there)?"
    r"|open (?:on|at|upon) (?:our |my |the )?arrival|open then)\b"
)
_OPEN_AT = re.compile(rf"\bopen (?P<how>at|around|until|till|after) (?:about )?(?P<at>{CLOCK}|{BARE_HOUR})")
_AT = re.compile(r"\b(?:in|at|near|near to|by|around|close to|next to|on) (?:the )?$")
_KINDS = {
    "square": "square",
    "district": "district",
    "quarter": "district",
    "neighbourhood": "district",
    "town": "town",
}
_KIND = re.compile(r"\b(?:the )(?P<kind>" + "|".join(_KINDS) + r")\b")
_CALLED = frozenset({"", "called", "named", "of", "at"})
_PLACED = frozenset({"in", "at", "near", "at the", "in the", "on", "by", ",", ", the one in", "the one in"})


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
        if not any(start <= s.start and s.end <= end for start, end in taken)
    ]
    cuisines = words.cuisines.find(text)
    if cuisines and not any(isinstance(k.value, Wanted) and k.value.category is Category.RESTAURANT for k in kinds):
        kinds.append(Span(cuisines[0].start, cuisines[0].end, Wanted(category=Category.RESTAURANT)))
    if not kinds and any(s.value is Feature.FAST_CHARGING for s in features):
        found = next(s for s in features if s.value is Feature.FAST_CHARGING)
        kinds.append(Span(found.start, found.end, Wanted(category=Category.CHARGING_STATION)))
    pointing = _pointing(text, having_kinds=bool(kinds))
    named: list[Span[Reference]] = [Span(s.start, s.end, s.value) for s in names]
    spans = _narrowed(text, without_overlaps([*named, *kinds, *pointing]), city)
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
        definite = bool(_DEFINITE.search(text[: span.start])) and not (value.nearest or value.best_rated)
        where = near.value if near is not None and isinstance(near.value, Named) else None
        result[span.start] = Span(span.start, span.end, value.model_copy(update={"near": where, "definite": definite}))
    return tuple(result.values())


def _near(text: str, left: int, right: int, spans: tuple[Span[Reference], ...]) -> Span[Reference] | None:
    for span in spans:
        if left <= span.start < right and isinstance(span.value, Named) and _AT.search(text[: span.start]):
            return span
    return None


def _detailed(wanted: Wanted, before: str, after: str, words: Vocabulary) -> Wanted:
    cuisines = words.cuisines.find(before) or words.cuisines.find(after)
    features = {s.value for s in (*words.features.find(before), *words.features.find(after))}
    around = f"{before} | {after}"
    there, at = bool(OPEN_THERE.search(around)), _OPEN_AT.search(around)
    return wanted.model_copy(
        update={
            "cuisine": cuisines[0].value if cuisines and wanted.category is Category.RESTAURANT else None,
            "features": tuple(sorted(features)),
            "open_now": bool(_OPEN.search(around)) and not there and at is None,
            "open_there": there,
            "open_at": clock_in(at["at"]) if at else None,
            "best_rated": bool(_BEST.search(around)),
            "nearest": bool(_NEAREST.search(around)),
        }
    )


def _narrowed(text: str, spans: tuple[Span[Reference], ...], city: City) -> tuple[Span[Reference], ...]:
    """Let a kind before a name and a place after it say which of several is meant: "the café Luitpold in Pasing"."""
    result: list[Span[Reference]] = []
    for span in spans:
        last = result[-1] if result else None
        if last is not None and isinstance(span.value, Named):
            gap = text[last.end : span.start].strip()
            joined = None
            if gap in _CALLED:
                joined = _of_kind(span.value, last.value, city)
            elif gap in _PLACED and isinstance(last.value, Named) and len(last.value.ids) > 1:
                joined = _within(last.value, span.value, city)
            if joined is not None:
                result[-1] = Span(last.start, span.end, joined)
                continue
        result.append(span)
    return tuple(result)


def _of_kind(name: Named, kind: Reference, city: City) -> Named | None:
    if isinstance(kind, KindOf):
        ids = [spot for spot in name.ids if spot in city.places]
    elif isinstance(kind, Wanted) and kind.category is not None:
        ids = [spot for spot in name.ids if spot in city.pois and city.pois[spot].category is kind.category]
    else:
        return None
    return name.model_copy(update={"ids": tuple(ids)}) if ids else None


def _within(name: Named, place: Named, city: City) -> Named | None:
    ids = tuple(spot for spot in name.ids if spot in city.pois and city.district(spot).id in place.ids)
    return name.model_copy(update={"ids": ids}) if ids else None
