"""Acts about the trip: destinations, stops, conditions, withdrawals and questions.

It must not know the dialogue: "there" stays "there".
"""

from __future__ import annotations

import re

from hairpin.testbed.acts import (
    Act,
    AddStops,
    Anaphor,
    AskTrip,
    CancelTrip,
    DropStop,
    KindOf,
    Lift,
    Navigate,
    NeverMind,
    Reference,
    Require,
    TripQuestion,
    Wanted,
)
from hairpin.testbed.parsing.conditions import Conditions, conditions
from hairpin.testbed.parsing.lexicon import MOTORWAY_WORDS, TOLL_WORDS
from hairpin.testbed.parsing.names import unknown_name
from hairpin.testbed.parsing.references import references
from hairpin.testbed.parsing.text import Span
from hairpin.testbed.world import City

_NAVIGATE = re.compile(
    r"\b(?:navigat\w+|(?:guide|take|bring|drive|get|lead|direct|route|deliver) (?:me|us)|directions? (?:to|for)"
    r"|way to|go(?:ing)? (?:to|there|back|home)"
    r"|head(?:ing)? (?:to|for|over|there|back)|driv(?:e|ing) (?:to|there|over)|get (?:to|there)|travel(?:ling)? to"
    r"|(?:destination|goal) (?:is|to)"
    r"|(?:need|want|have|like) to (?:be at|go|get|reach|visit|arrive at)|set (?:a )?course|set off|let's go"
    r"|let us go|visit|reach"
    r"|(?:a|the|another|new|my|our|best|fastest|quickest|shortest|good) (?:\w+ ){0,2}(?:route|trip|journey"
    r"|navigation|tour|drive|ride) (?:to|for|with|that|which|via|over|from)"
    r"|plan (?:\w+ ){0,3}(?:route|trip|journey|tour|drive)|start (?:the )?(?:navigation|guidance|route)|^(?:route"
    r"|navigation|drive|ride) to|^to\b)"
)
_INSTEAD = re.compile(
    r"\b(?:(?:change|switch|update|replace|correct|set) (?:the |my |our )?(?:destination|goal|route|target) to"
    r"|new destination|instead|rather to|rather go"
    r"|changed my mind|not to|make it|i meant|i mean|change of plan\w*|different destination)\b"
)
_CHANGE = re.compile(
    r"\b(?:change|switch|update|replace|correct|set) (?:the |my |our )?(?:destination|goal|target) (?:to|as)\b"
)
_STOP = re.compile(
    r"\b(?:stop(?:s|ping|overs?|-overs?|ped)?(?: (?:off|over|briefly|quickly|first))*(?: (?:at|by|in|for|there"
    r"|with))?|via|by way of|(?:swing|drop|pass|come) by"
    r"|pass(?:ing)? by|break (?:at|in|for)|detour (?:to|via|through)|waypoint|call at|halt at|pick (?:\w+ )?up (?:at"
    r"|from|in)|going (?:past|via|over)|visiting|including)\b"
)
_ON_THE_WAY = re.compile(
    r"\b(?:on|along|during) (?:the|our|my|this) (?:way|route|trip|drive)(?! to)|en route(?! to)|\bbefore (?:that"
    r"|we get there|we go there|then)\b"
)
_STOP_END = re.compile(
    r"\b(?:before|on (?:my|our|the) way to|en route to|then (?:on )?to|and (?:go|drive|head|continue) (?:on )?to|to"
    r"|while|ending at|until)\b"
)
_SEARCHING = re.compile(
    r"\b(?:find|search|looking|locate|is there|are there|where|show|list|recommend|suggest|any|which|what)\b"
)
_NEED = re.compile(r"\b(?:need|want|have to|must|like|got to|add|include|plan|insert|make|put|squeeze|get)\b")
_DROP = re.compile(
    r"\b(?:never ?mind|forget|skip|cancel|remove|drop|leave out|delete|scrap|take out|no longer (?:need|want)"
    r"|(?:don't|do not|doesn't) (?:need|want|stop|bother)"
    r"|without (?:the |a |any )?stops?|no (?:more )?stops?|not stop(?:ping)?|abort|end (?:the )?(?:navigation|route"
    r"|guidance)|stop (?:the )?(?:navigation|route guidance|guidance|navigating)"
    r"|changed my mind about|on second thought)\b"
)
_TRIP_NOUN = re.compile(r"\b(?:route|navigation|navigating|guidance|trip|destination|journey|everything)\b")
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
            r"\b(?:when|(?:at )?what time)\b.*\b(?:arrive|arriv\w+|be there|get there|reach|there|be at|get to)\b"
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


def trip_question(clause: str, city: City) -> AskTrip | None:
    """Return the question about the trip that ``clause`` is, or ``None``."""
    for question, pattern in _QUESTIONS:
        if pattern.search(clause):
            about = [s.value for s in references(clause, city)]
            named = next((r for r in about if not isinstance(r, Anaphor | KindOf)), None)
            anaphor = next((r for r in about if isinstance(r, Anaphor)), None)
            return AskTrip(question=question, about=named or anaphor)
    return None


def trip_acts(clause: str, city: City) -> tuple[Act, ...]:
    """Return what ``clause`` asks of the trip, nothing if it is not about the trip."""
    said = conditions(clause)
    places = references(said.rest, city)
    lifts: tuple[Act, ...] = (Lift(constraints=said.lifted),) if said.lifted else ()
    if not said.lifted and not said.required and _DROP.search(clause):
        dropped = _dropped(said.rest, places)
        if dropped is not None:
            return (dropped,)
    main = _main_act(said, places, city)
    if main is not None:
        return (*lifts, main)
    if said.required:
        return (*lifts, Require(constraints=said.required))
    return lifts


def _main_act(said: Conditions, places: tuple[Span[Reference], ...], city: City) -> Act | None:
    text = said.rest
    stops, goals = _sorted(text, places)
    if _NAVIGATE.search(text) or _CHANGE.search(text):
        goal = _goal(text, goals, city, needed=not stops and not said.required)
        if goal is None and not stops:
            return Navigate(to=None) if not (said.required or said.lifted) else None
        if goal is None:
            return AddStops(stops=stops, constraints=said.required)
        return Navigate(to=goal, constraints=said.required, stops=stops, instead=bool(_INSTEAD.search(text)))
    if goals and re.search(r"\bbefore\b", text) and stops:
        return Navigate(to=goals[-1].value, constraints=said.required, stops=stops)
    if stops:
        more = (g.value for g in goals if not isinstance(g.value, Anaphor))
        return AddStops(stops=(*stops, *more), constraints=said.required)
    if _STOP.search(text) and _NEED.search(text) and not goals:
        return None
    if goals and _ON_THE_WAY.search(text) and not _SEARCHING.search(text):
        return AddStops(stops=tuple(g.value for g in goals), constraints=said.required)
    return None


def _sorted(text: str, places: tuple[Span[Reference], ...]) -> tuple[tuple[Reference, ...], list[Span[Reference]]]:
    """Part the places of a clause into stops and goals."""
    regions = []
    for m in _STOP.finditer(text):
        end = _STOP_END.search(text, m.end())
        regions.append((m.end(), end.start() if end else len(text)))
    stops: list[Span[Reference]] = []
    goals: list[Span[Reference]] = []
    for span in places:
        is_stop = any(start <= span.start < end for start, end in regions)
        if not is_stop and regions and re.search(r"\b(?:as|for) (?:a |an |my |our )?(?:quick )?stop", text[span.end :]):
            is_stop = True
        (stops if is_stop else goals).append(span)
    return tuple(span.value for span in stops), goals


def _goal(text: str, goals: list[Span[Reference]], city: City, *, needed: bool) -> Reference | None:
    strong = [g for g in goals if not isinstance(g.value, Anaphor)]
    after_to = [
        g
        for g in strong
        if re.search(r"\b(?:to|for|is|reach|visit|before|at) (?:the |a |an |my |some )*$", _head(text, g))
    ]
    for candidates in (after_to, strong):
        if candidates:
            chosen = candidates[-1] if len(candidates) > 1 and "not to" in text else candidates[0]
            return chosen.value
    name = re.search(
        r"\b(?:to|for|destination is|reach|visit)\s+(?!be\b|get\b|go\b|the way\b)(?P<name>[\w' -]{2,40}?)(?=\s*(?:$"
        r"|,|\b(?:with|via|and|while|on|by|before|at \d)\b))",
        text,
    )
    if name and not re.fullmatch(r"(?:there|it|that|here|a|the|me|us|a trip|a route)\s*", name["name"].strip()):
        found = unknown_name(name["name"], city)
        if found.ids or needed:
            return found
    return goals[0].value if goals else None


def _head(text: str, span: Span[Reference]) -> str:
    """Return the text before a place without the adjectives that belong to it."""
    head = text[: span.start]
    if isinstance(span.value, Wanted):
        head = re.sub(
            r"(?:\b(?:nearest|closest|next|best|best-rated|good|nice|italian|bavarian|chinese|japanese|indian|greek"
            r"|vegan|mexican|french|vegetarian)\s+)+$",
            "",
            head,
        )
    return head


def _dropped(text: str, places: tuple[Span[Reference], ...]) -> Act | None:
    targets = [span.value for span in places if not isinstance(span.value, Anaphor)]
    if targets:
        return DropStop(what=targets[0])
    if re.search(r"\b(?:stops|all stops|stopovers|the stop|my stop|stop)\b(?! (?:the )?(?:music|radio))", text):
        return DropStop(what=None)
    if _TRIP_NOUN.search(text):
        return CancelTrip()
    if re.fullmatch(
        r"(?:oh |just |please )*(?:never ?mind|forget (?:it|that|about it|about that)|cancel(?: that| it)?"
        r"|skip (?:it|that)|scrap that|drop it)(?: then)?",
        text.strip(),
    ):
        return NeverMind()
    return None
