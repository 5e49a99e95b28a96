"""Questions about the trip.

It must not answer them.
"""

from __future__ import annotations

import re

from hairpin.testbed.acts import Anaphor, AskTrip, KindOf, TripQuestion
from hairpin.testbed.parsing.lexicon import MOTORWAY_WORDS, TOLL_WORDS
from hairpin.testbed.parsing.references import references
from hairpin.testbed.world import City

_TOLD = r"(?:ask|told|tell|say|said|mention|request|want|wanted|wish|specif|establish|set)"
_QUESTIONS: tuple[tuple[TripQuestion, re.Pattern[str]], ...] = (
    (
        TripQuestion.CONSTRAINTS,
        re.compile(
            rf"^(?:what|which|remind|tell me (?:what|which)|do you (?:still )?(?:remember|know)|repeat|list"
            rf"|are (?:you|we)|did (?:i|you)|have (?:i|you)|is)\b.*"
            rf"(?:\b(?:avoid\w*|conditions?|constraints?|preferences?|restrictions?|requirements?|exclud\w+)\b"
            rf"|\b{_TOLD}\w*\b.*\b(?:{TOLL_WORDS}|{MOTORWAY_WORDS}|route)\b)"
        ),
    ),
    (
        TripQuestion.STOPS,
        re.compile(
            r"^(?:(?:what|which|how many|where|list|tell me|show|do we have|are there|is there|do you)\b.*\bstop(?:s"
            r"|ping|overs?)?\b(?! (?:at|by) (?:a|an)\b)"
            r"|in (?:what|which) order\b|what's the order\b|what is the (?:best )?order\b)"
        ),
    ),
    (
        TripQuestion.ARRIVAL,
        re.compile(
            r"^(?!.*\bopen\b).*\b(?:when|(?:at )?what time)\b.*"
            r"\b(?:arrive|arriv\w+|be there|get there|reach|there|be at|get to)\b"
            r"|\b(?:eta|arrival time|time of arrival)\b"
        ),
    ),
    (
        TripQuestion.DURATION,
        re.compile(
            r"\bhow (?:long|many minutes|much (?:longer|time))\b|\b(?:travel|driving|journey|trip) (?:time"
            r"|duration)\b|\bduration\b"
        ),
    ),
    (
        TripQuestion.DISTANCE,
        re.compile(
            r"\bhow (?:far|many (?:km|kilometres|kilometers))\b(?!.*\b(?:can|could|drive|battery|charge|range"
            r"|get)\b)|\b(?:what is|what's) the distance\b"
        ),
    ),
    (
        TripQuestion.DESTINATION,
        re.compile(
            r"^(?:where (?:are we|am i|are you) (?:going|driving|heading|taking)|what(?:'s| is| was) (?:my|our"
            r"|the) (?:current |final )?(?:destination|goal)"
            r"|where (?:to|did i)|which destination|do you (?:still )?(?:remember|know) where (?:we|i)"
            r"|remind me where|tell me (?:my|our|the) destination)\b"
        ),
    ),
    (
        TripQuestion.ROUTE,
        re.compile(
            rf"^(?:(?:which|what) (?:\w+ )*?(?:route|way|roads?|streets?)\b|(?:tell|show|give|repeat|read|describe"
            rf"|summar\w+)\b.*\b(?:route|way|trip|plan)\b(?! to\b)(?! for\b)"
            rf"|what(?:'s| is) (?:the|our|my) (?:current |planned )?(?:route|plan|way)\b|how (?:do|are|will"
            rf"|would) (?:we|i|you) (?:get|going|go|drive|driving)\b"
            rf"|(?:is|are|does|do|will|has|have)\b.*\b(?:{TOLL_WORDS}|{MOTORWAY_WORDS}|scenic)\b)"
        ),
    ),
    (
        TripQuestion.LOCATION,
        re.compile(
            r"^(?:where (?:am i|are we)(?: now| right now| at the moment)?$|what(?:'s| is) (?:my"
            r"|our) (?:current )?(?:location|position)|(?:my|our) (?:current )?(?:location|position))"
        ),
    ),
)


_WAY_TO = re.compile(
    r"^how (?:do|can|could|would|should|will) (?:i|we) (?:best )?(?:get|go|drive|come) (?:from here )?to"
    r" (?!(?:the |my |our )?(?:destination|goal)\b)"
)
"""Asks for the way to somewhere else than the destination."""


def trip_question(clause: str, city: City) -> AskTrip | None:
    """Return the question about the trip that ``clause`` is, or ``None``."""
    if _WAY_TO.search(clause):
        return None
    for question, pattern in _QUESTIONS:
        if pattern.search(clause):
            about = [s.value for s in references(clause, city)]
            named = next((r for r in about if not isinstance(r, Anaphor | KindOf)), None)
            anaphor = next((r for r in about if isinstance(r, Anaphor)), None)
            return AskTrip(question=question, about=named or anaphor)
    return None
