"""Acts about places: searching, asking for facts, choosing from a list.

It must not look anything up; it only says what is looked for.
"""

from __future__ import annotations

import re

from hairpin.testbed.acts import (
    Act,
    Anaphor,
    AskFact,
    AskTrip,
    Fact,
    Mention,
    Named,
    Ordinal,
    Reference,
    Search,
    SearchArea,
    TripQuestion,
    Wanted,
)
from hairpin.testbed.parsing.lexicon import FEATURE_WORDS
from hairpin.testbed.parsing.names import unknown_name, vocabulary
from hairpin.testbed.parsing.references import references
from hairpin.testbed.parsing.text import Span
from hairpin.testbed.world import Category, City, Feature

_SEARCH = re.compile(
    r"\b(?:find|search|look(?:ing)? (?:for|up)|locate|is there|are there|where(?:'s| is| are| can| could| do)|show"
    r"|list|recommend\w*|suggest\w*|any|know (?:of )?(?:a|an|any)"
    r"|need|want|would like|(?:i|we)'d like|fancy|feel like|look|which|what|get me|give me|have you got|do you have"
    r"|tell me (?:about )?(?:a|an|the nearest))\b"
)
_HUNGER = re.compile(r"\b(?:i'm|i am|we're|we are|getting|feeling) (?:\w+ ){0,2}(?:hungry|starving)\b")
_LOW = re.compile(
    r"\b(?:low on|out of|need to (?:buy|get)) (?:(?P<fuel>fuel|petrol|gas|diesel)|battery|charge|power|energy)\b"
)
_EXISTS = re.compile(r"^(?:is|are) there\b")
_WHERE_IT_IS = re.compile(r"\b(?:at|in|on|with|for|near)\b")
_REJECTED = re.compile(r"\bnot (?:to |in |the )*$")
_COMPARED = re.compile(
    r"^which (?:one|of (?:them|these|those))\b.*\b(?:(?P<near>closest|nearest)|best(?:[- ]rated)?)\b"
)
_THIRST = re.compile(r"\b(?:i'm|i am|we're|we are|getting|feeling) (?:\w+ ){0,2}thirsty\b")
_ROUTE = re.compile(r"\b(?:on|along) (?:the|our|my) (?:way|route)\b|\ben route\b")
_DESTINATION = re.compile(
    r"\b(?:near|at|close to|around|by) (?:the|my|our) (?:destination|goal)\b|\bwhere (?:we're|we are|i'm) going\b"
)
_NEAR = re.compile(r"\b(?:near|near to|in|around|close to|at|by|next to) (?:the )?$")
_NEAR_NAME = re.compile(
    r"\b(?:near|close to|next to) (?:the )?"
    r"(?P<name>(?!me|us|here|there|it|by|my|our|this|that|you|where|nearby|a\b"
    r"|an\b)[\w'-]+(?: [\w'-]+){0,2}?)(?= (?:with|that|and|which)\b|$)"
)
_NEAR_IT = re.compile(r"\b(?:near|around|close to|next to) (?:there|it|that (?:place|one))\b")
_TAKE = re.compile(
    r"\b(?:take|choose|pick|select|prefer|go with|want|i'd like|use|let's do|let's take|go for|navigate to|book)\b"
)
_FACTS: tuple[tuple[Fact, re.Pattern[str]], ...] = (
    (
        Fact.HOURS,
        re.compile(
            r"\b(?:opening hours|hours|when (?:does|do|is|are) .*\b(?:open|close|closes|opens)|how long (?:is"
            r"|are) .*\bopen|until when|what time does)\b"
        ),
    ),
    (Fact.OPEN, re.compile(r"^(?:is|are|will)\b.*\bopen\b|\b(?:still|currently) open\b")),
    (Fact.RATING, re.compile(r"\b(?:rating|rated|stars|reviews?|how good)\b(?!.*\bfind\b)")),
    (
        Fact.WHERE,
        re.compile(
            r"^(?:where(?:'s| is| exactly)|in (?:which|what) (?:district|part)|what(?:'s| is) (?:the|its) address)\b"
        ),
    ),
)
_FACT_QUESTION = re.compile(r"^(?:is|are|does|do|has|have|can|what|when|how|where|until|which|in|tell me)\b")
_FACT_FEATURES: tuple[tuple[Feature, re.Pattern[str]], ...] = (
    (Feature.PARKING, re.compile(r"\bparking|\bpark (?:there|the car|my car)|\bcar park")),
    *(
        (feature, re.compile("|".join(rf"\b{re.escape(word)}" for word in FEATURE_WORDS[feature])))
        for feature in Feature
        if feature is not Feature.PARKING
    ),
)

_SMALL_WORDS = re.compile(
    r"the|a|an|in|at|on|of|to|near|one|i|i'd|i'll|we|mean|meant|want|would|like|prefer|take|choose|pick|select"
    r"|please|rather|let's|go|with|this|that|for|by|is|it's|nearest"
)
"""Words around a place that leave it the only thing said."""


def fact_question(clause: str, city: City) -> AskFact | AskTrip | None:
    """Return the question about a named or just mentioned place that ``clause`` is, or ``None``."""
    if not _FACT_QUESTION.search(clause):
        return None
    compared = _COMPARED.search(clause)
    if compared:
        one = Wanted(category=None, nearest=bool(compared["near"]), best_rated=not compared["near"])
        if one.nearest:
            return AskTrip(question=TripQuestion.DISTANCE, about=one)
        return AskFact(fact=Fact.RATING, about=one)
    places = references(clause, city)
    about = _subject(places)
    if about is None or _is_sought(clause, places):
        return None
    for fact, pattern in _FACTS:
        if pattern.search(clause):
            return AskFact(fact=fact, about=about)
    for feature, pattern in _FACT_FEATURES:
        if re.search(r"^(?:does|do|is|are|has|have|can)\b", clause) and pattern.search(clause):
            return AskFact(fact=feature, about=about)
    return None


def search_act(clause: str, city: City) -> Act | None:
    """Return the search that ``clause`` asks for, or ``None``."""
    places = references(clause, city)
    low = _LOW.search(clause)
    if low:
        empty = Category.FUEL_STATION if low["fuel"] else Category.CHARGING_STATION
        return Search(wanted=Wanted(category=empty))
    wanted = next(
        (s.value for s in places if isinstance(s.value, Wanted) and (s.value.category or _complete(s.value))), None
    )
    if wanted is None and (_HUNGER.search(clause) or _THIRST.search(clause)):
        hungry = _HUNGER.search(clause)
        wanted = Wanted(category=Category.RESTAURANT if hungry else Category.CAFE)
        return Search(wanted=wanted, hinted=True)
    if wanted is None and _SEARCH.search(clause) and re.search(r"\bparking\b", clause):
        wanted = Wanted(category=Category.PARKING_GARAGE)
    if wanted is None or wanted.category is None or not _SEARCH.search(clause):
        return None
    return Search(wanted=wanted, area=_area(clause, places, wanted, city))


def mention(clause: str, city: City) -> Act | None:
    """Return the place that is all ``clause`` says, or ``None``."""
    places = references(clause, city)
    meant = [span for span in places if not _REJECTED.search(clause[: span.start])]
    if not meant or _FACT_QUESTION.search(clause):
        return None
    rest = clause
    for span in places:
        rest = rest[: span.start] + " " * (span.end - span.start) + rest[span.end :]
    words = vocabulary(city)
    for index in (words.features, words.cuisines):
        for found in index.find(rest):
            rest = rest[: found.start] + " " * (found.end - found.start) + rest[found.end :]
    left = re.sub(r"[^\w ]", " ", rest).split()
    if len([word for word in left if not _SMALL_WORDS.fullmatch(word)]) > 1:
        return None
    return Mention(what=meant[0].value)


def chooses(clause: str) -> bool:
    """Whether ``clause`` picks something: "take the second one"."""
    return bool(_TAKE.search(clause))


def _subject(places: tuple[Span[Reference], ...]) -> Reference | None:
    for span in places:
        if isinstance(span.value, Named | Ordinal):
            return span.value
    for span in places:
        if isinstance(span.value, Anaphor):
            return span.value
    return None


def _is_sought(clause: str, places: tuple[Span[Reference], ...]) -> bool:
    """Whether a clause asks whether there is a kind of place, rather than what one has: "are there museums nearby"."""
    kind = next((span for span in places if isinstance(span.value, Wanted) and span.value.category), None)
    asked = _EXISTS.match(clause)
    return bool(asked and kind and not _WHERE_IT_IS.search(clause[asked.end() : kind.start]))


def _complete(wanted: Wanted) -> bool:
    return wanted.nearest or wanted.best_rated or wanted.near is not None


def _area(clause: str, places: tuple[Span[Reference], ...], wanted: Wanted, city: City) -> SearchArea | Anaphor | Named:
    if wanted.near is not None:
        return wanted.near
    for span in places:
        if isinstance(span.value, Named) and _NEAR.search(clause[: span.start]):
            return span.value
    if _DESTINATION.search(clause):
        return SearchArea.DESTINATION
    unknown = _NEAR_NAME.search(clause)
    if unknown:
        return unknown_name(unknown["name"], city)
    if _NEAR_IT.search(clause):
        return Anaphor()
    return SearchArea.ROUTE if _ROUTE.search(clause) else SearchArea.HERE
