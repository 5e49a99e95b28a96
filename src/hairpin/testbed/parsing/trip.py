"""Acts about the trip: destinations, stops, conditions, withdrawals and questions.

It must not know the dialogue: "there" stays "there".
"""

from __future__ import annotations

import re
from dataclasses import replace

from hairpin.testbed.acts import (
    Act,
    AddStops,
    Anaphor,
    Lift,
    Navigate,
    Reference,
    Require,
    Wanted,
)
from hairpin.testbed.parsing.conditions import Conditions, conditions
from hairpin.testbed.parsing.names import unknown_name
from hairpin.testbed.parsing.references import OPEN_THERE, references
from hairpin.testbed.parsing.text import Span, blank
from hairpin.testbed.parsing.withdrawals import withdrawal
from hairpin.testbed.world import City

_NAVIGATE = re.compile(
    r"\b(?:navigat\w+|(?:guide|take|bring|drive|get|lead|direct|route|deliver) (?:me|us)|directions? (?:to|for)"
    r"|way to|go(?:ing)? (?:to|there|back|home)"
    r"|head(?:ing)? (?:to|for|over|there|back)|driv(?:e|ing) (?:to|there|over)|get (?:to|there)|travel(?:ling)? to"
    r"|(?:destination|goal) (?:is|to)"
    r"|(?:need|want|have|like) to (?:be at|go|get|reach|visit|arrive at)|set (?:a )?course|set off|let's go"
    r"|let us go|visit|reach"
    r"|(?:a|the|another|new|my|our|best|fastest|quickest|shortest|good)\s+(?:\w+\s+){0,2}(?:route|trip|journey"
    r"|navigation|tour|drive|ride) (?:to|for|with|that|which|via|over|from)|(?:road|detour) to"
    r"|plan (?:\w+ ){0,3}(?:route|trip|journey|tour|drive)|start (?:the )?(?:navigation|guidance|route)|^(?:route"
    r"|navigation|drive|ride) to|^to\b)"
)
_INSTEAD = re.compile(
    r"\b(?:(?:change|switch|update|replace|correct|set) (?:the |my |our )?(?:destination|goal|route|target) to"
    r"|new destination|instead|rather to|rather go"
    r"|changed my mind|not to|make it|i meant|i mean|change of plan\w*|different destination)\b"
)
_CHANGE = re.compile(
    r"\b(?:change|switch|update|replace|correct|set) (?:the |my |our )?(?:destination|goal|target) (?:to|as|with|by)\b"
)
_STOP = re.compile(
    r"\b(?:stop(?:s|ping|overs?|-overs?|ped)?(?: (?:off|over|briefly|quickly|first))*(?: (?:at|by|in|for"
    r"|with))?|via|by way of|(?:swing|drop|pass|come) by"
    r"|pass(?:ing)? by|break (?:at|in|for)|detour (?:to|via|through)|waypoint|call at|halt at|pick (?:\w+ )?up (?:at"
    r"|from|in)|going (?:past|via|over)|visiting|including)\b"
)
_STOP_AT_NAME = re.compile(
    r"\b(?:stop(?:ping|over)?(?: (?:off|over))? (?:at|by)|via|swing by|drop by) (?:the )?"
    r"(?P<name>(?!once|all|least|home|work|a\b|an\b|any|some|my|it\b|there)[\w'-]+(?: [\w'-]+){0,2}?)"
    r"(?= on (?:the|our|my) way|$)"
)
_BREAK = re.compile(r" (?:break|stop|stopover)\b")
_THEN_TO = re.compile(r"\b(?:then|afterwards|after that|from there)(?: on)?(?: to(?:wards)?)\b")
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


def trip_acts(clause: str, city: City) -> tuple[Act, ...]:
    """Return what ``clause`` asks of the trip, nothing if it is not about the trip."""
    said = conditions(clause)
    places = references(said.rest, city)
    lifts: tuple[Act, ...] = (Lift(constraints=said.lifted),) if said.lifted else ()
    if not said.lifted and not said.required:
        taken_back = withdrawal(said.rest, places)
        if taken_back:
            return taken_back
    opening = [match.span() for match in OPEN_THERE.finditer(said.rest)]  # "when I get there" is no way to go there
    main = _main_act(replace(said, rest=blank(said.rest, opening)), places, city)
    if main is not None:
        return (*lifts, main)
    if said.required:
        return (*lifts, Require(constraints=said.required))
    return lifts


def _main_act(said: Conditions, places: tuple[Span[Reference], ...], city: City) -> Act | None:
    text = said.rest
    stops, goals = _sorted(text, places)
    onward = _THEN_TO.search(text)
    if onward:
        stops = (*stops, *(goal.value for goal in goals if goal.end <= onward.start()))
        goals = [goal for goal in goals if goal.start >= onward.end()]
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
    unknown = _STOP_AT_NAME.search(text)
    if unknown and not goals:
        return AddStops(stops=(unknown_name(unknown["name"], city),), constraints=said.required)
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
        is_stop = any(start <= span.start < end for start, end in regions) or bool(_BREAK.match(text[span.end :]))
        is_stop = is_stop or text[span.start : span.end].endswith(" stop")
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
