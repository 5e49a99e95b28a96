"""Orders of stops the user demands: "first the bakery, then the pharmacy", "the pharmacy first".

It must not know which stops there are.
"""

from __future__ import annotations

import re

from hairpin.testbed.acts import Act, AddStops, Anaphor, Named, Navigate, Reference, Wanted
from hairpin.testbed.parsing.clauses import opens_with_first
from hairpin.testbed.parsing.references import references
from hairpin.testbed.parsing.text import Span, blank
from hairpin.testbed.parsing.trip import trip_acts
from hairpin.testbed.world import City

_FIRST_THEN = re.compile(
    r"\bfirst\b,?(?P<list>.*\b(?:then|afterwards|after that|after|second(?:ly)?|next|and only then)\b.*)$"
)
_X_FIRST = re.compile(
    r"^(?:please |and |but |let's |i want to |i need to |we |i |can we |could we )*(?:go|drive|stop|take (?:me|us)"
    r"|visit|do|head|start)?\b.*\bfirst(?: of all)?(?:,? please)?$"
)
_IN_ORDER = re.compile(
    r",? \b(?:in|keeping) (?:this|that|exactly (?:this|that)|the following|the given|the said) order\b"
)
_BEFORE = re.compile(r"\b(?:before|prior to)\b")
_VISIT = re.compile(r"\b(?:visit|go|drive|stop|do|come|get|see|want|need|be|put|the|first)\b")


def stop_order(clause: str, city: City) -> tuple[Act, ...]:
    """Return what a folded clause asks of the trip if it demands an order of stops, else nothing."""
    listed = _FIRST_THEN.search(clause)
    if listed:
        return _listed(clause[: listed.start()].strip(" ,;:-"), listed["list"], city)
    in_order = _IN_ORDER.search(clause)
    if in_order:
        rest = " ".join(blank(clause, [in_order.span()]).split())
        return tuple(_ordered(act) for act in trip_acts(rest, city))
    found = references(clause, city)
    if _X_FIRST.match(clause) and len(found) == 1 and _is_stop(found[0].value, city):
        return (AddStops(stops=(found[0].value,), ordered=True),)
    return _before(clause, found, city)


def begins_order(first: str) -> bool:
    """Whether a clause begins an order, as in "first stop at …", whose next part another clause is."""
    return opens_with_first(first) or bool(re.match(r"(?:please |could you |let's )*first\b", first))


def _listed(head: str, rest: str, city: City) -> tuple[Act, ...]:
    found = [span.value for span in references(rest, city) if not isinstance(span.value, Anaphor)]
    if len(found) < 2:
        return ()
    before = trip_acts(head, city) if head else ()
    goal = next((act for act in before if isinstance(act, Navigate) and act.to is not None), None)
    if goal is not None:
        return (goal.model_copy(update={"stops": (*goal.stops, *found), "ordered": True}),)
    if not _is_stop(found[-1], city):
        return (Navigate(to=found[-1], stops=tuple(found[:-1]), ordered=True),)
    return (AddStops(stops=tuple(found), ordered=True),)


def _before(clause: str, found: tuple[Span[Reference], ...], city: City) -> tuple[Act, ...]:
    """Read "the bakery before the pharmacy", both of them stops."""
    word = _BEFORE.search(clause)
    if word is None or len(found) != 2 or not _VISIT.search(clause[: word.start()]):
        return ()
    one, other = found
    definite = isinstance(other.value, Named) or (isinstance(other.value, Wanted) and other.value.definite)
    stops = _is_stop(one.value, city) and _is_stop(other.value, city)
    if one.end <= word.start() and other.start >= word.end() and definite and stops:
        return (AddStops(stops=(one.value, other.value), ordered=True),)
    return ()


def _is_stop(reference: Reference, city: City) -> bool:
    """Whether one stops there, rather than ending the trip there: a kind of place or a point of interest."""
    if isinstance(reference, Named):
        return bool(reference.ids) and all(spot in city.pois for spot in reference.ids)
    return isinstance(reference, Wanted) and reference.category is not None


def _ordered(act: Act) -> Act:
    return act.model_copy(update={"ordered": True}) if isinstance(act, AddStops | Navigate) else act
