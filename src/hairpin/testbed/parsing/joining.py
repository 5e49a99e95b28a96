"""Requests of one utterance that belong together: conditions and times said after what they are for.

It must not read a clause; it also restores how the user wrote what a request quotes.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.testbed.acts import (
    Act,
    AddStops,
    ArriveCharged,
    ChangeReminder,
    ChargeIfNeeded,
    Named,
    Navigate,
    Reference,
    Remind,
    Request,
    Require,
    Search,
    SetLimit,
    Wanted,
)
from hairpin.testbed.media_acts import PlayMedia, RequireMedia, When
from hairpin.testbed.parsing.stop_orders import begins_order
from hairpin.testbed.parsing.text import as_written
from hairpin.testbed.world import Category

_FOOD = frozenset({Category.BAKERY, Category.CAFE, Category.RESTAURANT, Category.SUPERMARKET})


def merged(requests: Sequence[Request]) -> list[Request]:
    """Return the requests, those that belong together made one."""
    joined: list[Request] = []
    for request in requests:
        last = joined[-1] if joined else None
        if isinstance(request.act, PlayMedia) and any(isinstance(r.act, PlayMedia) for r in joined):
            request = request.model_copy(update={"act": request.act.model_copy(update={"when": When.LATER})})
        if last is not None and (_belongs(request.act, last.act) or _belongs(last.act, request.act)):
            joined.append(Request(text=last.text, act=request.act))
            continue
        one = _one(last, request) if last is not None else None
        if one is not None:
            joined[-1] = one
            continue
        joined.append(request)
    return _trip_first(joined)


def _trip_first(requests: list[Request]) -> list[Request]:
    """Return the requests with a trip before the stops that were said before where it goes."""
    for place, request in enumerate(requests):
        if isinstance(request.act, Navigate) and isinstance(request.act.to, Named | Wanted):
            first = next((n for n, r in enumerate(requests[:place]) if isinstance(r.act, AddStops)), place)
            return [*requests[:first], request, *requests[first:place], *requests[place + 1 :]]
    return requests


def _one(last: Request, request: Request) -> Request | None:
    """Return the one request that the two make, ``None`` if they are two."""
    act = (
        _spoken_together(last.act, request.act)
        or _conditioned(last.act, request.act)
        or _spelled_out(last.act, request.act)
    )
    if act is not None:
        return Request(text=f"{last.text} {request.text}", act=act)
    return _in_order(last, request)


def _conditioned(last: Act, act: Act) -> Act | None:
    """Return a trip with the conditions said after it or before it."""
    if isinstance(act, Require):
        return _with_constraints(last, act)
    if isinstance(last, Require) and isinstance(act, Navigate):
        return act.model_copy(update={"constraints": (*last.constraints, *act.constraints)})
    return None


def _spelled_out(last: Act, act: Act) -> Act | None:
    """Return the wish for somewhere to eat or drink that "I'm hungry" was said for, if one follows."""
    if not (isinstance(last, Search) and last.hinted):
        return None
    return act if any(isinstance(place, Wanted) and place.category in _FOOD for place in _places(act)) else None


def _places(act: Act) -> tuple[Reference | None, ...]:
    if isinstance(act, AddStops):
        return act.stops
    if isinstance(act, Navigate):
        return (act.to,)
    return (act.wanted,) if isinstance(act, Search) else ()


def _in_order(last: Request, request: Request) -> Request | None:
    """Return "first stop at a bakery", "then stop at a pharmacy" as one request."""
    if not (isinstance(last.act, AddStops) and isinstance(request.act, AddStops) and begins_order(last.text)):
        return None
    stops = (*last.act.stops, *request.act.stops)
    act = last.act.model_copy(update={"stops": stops, "ordered": True})
    return Request(text=f"{last.text} {request.text}", act=act)


def _belongs(act: Act, last: Act) -> bool:
    """Whether a limit or a charge is said with the trip beside it, as one request."""
    trip = isinstance(last, Navigate | AddStops | Require | SetLimit | ArriveCharged)
    return trip and isinstance(act, SetLimit | ArriveCharged | ChargeIfNeeded)


def _spoken_together(last: Act, act: Act) -> Act | None:
    """Return the one act that a reminder and its time, or a wish for music and its conditions, said apart make."""
    if isinstance(last, Remind) and isinstance(act, ChangeReminder) and act.bare and not (last.at or last.place):
        return last.model_copy(update={"at": act.at, "place": act.place})
    if isinstance(act, Remind) and isinstance(last, ChangeReminder) and last.bare and not (act.at or act.place):
        return act.model_copy(update={"at": last.at, "place": last.place})
    if isinstance(last, PlayMedia | RequireMedia) and isinstance(act, RequireMedia):
        return last.model_copy(update={"conditions": (*last.conditions, *act.conditions)})
    return None


def _with_constraints(act: Act, extra: Require) -> Act | None:
    if isinstance(act, Navigate | AddStops | Require):
        return act.model_copy(update={"constraints": tuple(dict.fromkeys((*act.constraints, *extra.constraints)))})
    return None


def in_own_words(request: Request, utterance: str) -> Request:
    """Return ``request`` with what it quotes of the user written as the user wrote it."""
    act = request.act
    if isinstance(act, Remind) and act.what:
        act = act.model_copy(update={"what": as_written(act.what, utterance)})
    elif isinstance(act, PlayMedia) and act.wanted.unknown is not None:
        name = as_written(act.wanted.unknown, utterance)
        act = act.model_copy(update={"wanted": act.wanted.model_copy(update={"unknown": name})})
    else:
        return request
    return request.model_copy(update={"act": act})
