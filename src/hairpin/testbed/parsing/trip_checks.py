"""Questions whether a trip works out: hours on arrival, the battery, the time limit.

It must not answer them.
"""

from __future__ import annotations

import re

from hairpin.testbed.acts import (
    Anaphor,
    AskFact,
    AskTrip,
    Fact,
    KindOf,
    Named,
    Ordinal,
    Reference,
    TripQuestion,
    Wanted,
)
from hairpin.testbed.parsing.references import references
from hairpin.testbed.parsing.text import Span, blank
from hairpin.testbed.parsing.times import BARE_HOUR, CLOCK, clock_in
from hairpin.testbed.world import City

GOAL = KindOf(kind="destination")
"""The reference to the destination, whatever it is called."""

_OPENING = re.compile(
    r"^(?:is|are|will|would|does|do|until|till|how (?:long|late)|when|what time|what are|tell me|can you tell me"
    r"|check)\b.*\b(?:opens?|closed?(?! to\b)|closes|closing time|(?:opening )?hours)\b"
)
_HOURS = re.compile(
    r"\b(?:until when|till when|how (?:long|late)|when|what time)\b.*\b(?:opens?|close[sd]?(?! to\b))\b"
    r"|\b(?:opening hours|hours|closing time|opening time)\b"
)
_VEHICLE = re.compile(r"\b(?:windows?|doors?|trunk|boot|sun ?roof|roof|tailgate)\b")
_THERE = re.compile(
    r"\b(?:when|by the time|once|until|as soon as) (?:we|i) (?:get|arrive|are|come|reach|will)\b.*$"
    r"|\b(?:on|at|upon) (?:our |my |the )?arrival\b|\bwhen we're there\b"
)
_AT = re.compile(rf"\b(?:at|around|until|till|after|by|past) (?:about )?(?P<at>{CLOCK}|{BARE_HOUR})")
_GOAL = re.compile(r"\b(?:the|our|my) (?:destination|goal)\b")
_BATTERY = re.compile(
    r"\b(?:battery|charge|power|range|energy)\b.*\b(?:enough|suffic\w*|lasts?|sufficient|hold|get us|get me|make it"
    r"|be left|left (?:when|at|on)|remain\w*|arriv\w*|take us|reach)\b"
    r"|\b(?:enough|sufficient) (?:battery|charge|power|range|juice|energy)\b"
    r"|\b(?:do|will|must|should|would) (?:we|i) (?:have to|need to|must)? ?(?:stop to |stop for )?(?:re)?charg\w+"
    r"|\b(?:need|have) to (?:stop to |stop for )?(?:re)?charge\b"
    r"|\bneed (?:a|any) (?:charging stop|charger|charge)\b|\bis a charging stop (?:needed|necessary|required)\b"
    r"|\b(?:make|reach|get|arrive)\b.*\b(?:without (?:re)?charging|on (?:this|one|the) (?:battery|charge)"
    r"|with (?:this|the|our|my) (?:battery|charge))\b"
)
_ASKS_BATTERY = re.compile(
    r"^(?:(?:make|reach|get|arrive)\b.*\bwithout (?:re)?charging"
    r"|will|is|does|do|can|could|have|has|are|how much|what|with how much|would|must|should|tell me|check)\b"
)
_LIMIT = re.compile(
    r"^(?:will|are|is|do|would|can|could|does|shall|have)\b.*\b(?:in time|on time|late|punctual|enough time"
    r"|time (?:limit|budget)|(?:make it|be there|arrive|get there|reach (?:it|\w+)) (?:by|before|in|within|until)"
    rf"(?! the way)|be (?:at|in) .* (?:by|before) {CLOCK})\b"
    r"|^(?:what|which|how much)\b.*\b(?:time (?:limit|budget)|deadline|time (?:do (?:i|we) have )?left"
    r"|time (?:is|do (?:i|we) have)(?: still)? left)\b|^what(?:'s| is) (?:the|my|our) limit\b"
)


def opening_question(clause: str, city: City) -> AskFact | None:
    """Return the question about opening hours that ``clause`` is, or ``None``."""
    if not _OPENING.search(clause) or _VEHICLE.search(clause):
        return None
    there, at = _THERE.search(clause), _AT.search(clause)
    text = blank(clause, [found.span() for found in (there, at) if found])
    about = _subject(references(text, city)) or (GOAL if _GOAL.search(clause) else None)
    if about is None:
        return None
    if _HOURS.search(text) and not there:
        return AskFact(fact=Fact.HOURS, about=about)
    return AskFact(fact=Fact.OPEN, about=about, at=clock_in(at["at"]) if at else None, there=bool(there))


def trip_check(clause: str, city: City) -> AskTrip | None:
    """Return the question about battery or time limit that ``clause`` is, or ``None``."""
    if _ASKS_BATTERY.match(clause) and _BATTERY.search(clause):
        named = (s.value for s in references(clause, city) if isinstance(s.value, Named | Ordinal))
        return AskTrip(question=TripQuestion.BATTERY, about=next(named, None))
    if _LIMIT.search(clause):
        return AskTrip(question=TripQuestion.LIMIT)
    return None


def _subject(places: tuple[Span[Reference], ...]) -> Reference | None:
    values = [span.value for span in places]
    for kind in (Named, Ordinal, Anaphor):
        for value in values:
            if isinstance(value, kind):
                return value
    definite = (v for v in values if isinstance(v, Wanted) and v.definite and v.category and v.near is None)
    return next(definite, None)
