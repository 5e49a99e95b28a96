"""What is said of the times of a trip: arrival, stays, opening hours on arrival, the time limit.

It must not change the state; wishes are taken in ``handling.limits``.
"""

from __future__ import annotations

from hairpin.testbed.clock_time import DAY_MIN, format_time
from hairpin.testbed.constraints import Constraint
from hairpin.testbed.finder import by_distance
from hairpin.testbed.handling.charging import charge_phrases
from hairpin.testbed.handling.planning import fixed, plan_trip, times_of
from hairpin.testbed.handling.step import say
from hairpin.testbed.labels import spot_label, terms
from hairpin.testbed.parsing.lexicon import NOUNS
from hairpin.testbed.routes import NoRoute, Route
from hairpin.testbed.state import DialogueState
from hairpin.testbed.timetable import Timetable, Visit
from hairpin.testbed.wishes import Budget, Wishes
from hairpin.testbed.wording import Phrase
from hairpin.testbed.world import City

_TIGHT_MIN = 30
"""Reached so shortly before it closes, the hours of a place are told."""

_ALTERNATIVES = 4
"""How many other places are looked at in the place of a closed one."""


def time_phrases(
    city: City, state: DialogueState, route: Route, constraints: tuple[Constraint, ...], wishes: Wishes
) -> tuple[Phrase, ...]:
    """Return all there is to say of times and charge on ``route``, planned under ``constraints`` and ``wishes``."""
    times = times_of(city, state, route, wishes)
    said: list[Phrase] = []
    if route.stops or state.wishes.budget is not None:
        said.append(arrival_phrase(times))
    if times.stays_min:
        said.append(say("route.stays", minutes=str(times.stays_min)))
    for visit in times.visits:
        said += _hours(city, state, route, constraints, wishes, visit)
    said += limit_phrases(city, state, route, constraints, wishes)
    return (*said, *charge_phrases(city, state, route, constraints, wishes))


def arrival_phrase(times: Timetable) -> Phrase:
    """Return when the destination is reached."""
    return say("route.arrival", time=format_time(times.arrives_min), minutes=str(times.minutes))


def limit_phrase(budget: Budget) -> Phrase:
    """Return a time limit as the user put it."""
    if budget.within_min is not None:
        return say("limit.within", minutes=str(budget.within_min))
    return say("limit.by", time=format_time(budget.limit_min))


def limit_phrases(
    city: City, state: DialogueState, route: Route, constraints: tuple[Constraint, ...], wishes: Wishes
) -> tuple[Phrase, ...]:
    """Say whether ``route`` keeps to the time limit, if there is one; if not, by how much, and what would help."""
    budget = wishes.budget
    if budget is None:
        return ()
    late = times_of(city, state, route, wishes).late_min(budget)
    if not late:
        return (say("budget.kept", limit=limit_phrase(budget)),)
    missed = say("budget.missed", limit=limit_phrase(budget), late=str(late))
    return missed, _help(city, state, route, constraints, wishes)


def _help(
    city: City, state: DialogueState, route: Route, constraints: tuple[Constraint, ...], wishes: Wishes
) -> Phrase:
    """Say what one thing given up would keep the time limit, else how early one can arrive at all."""

    def arrival(stops: tuple[str, ...], kept: tuple[Constraint, ...]) -> Timetable | None:
        found = plan_trip(city, state, fixed(stops), kept, wishes)
        return None if isinstance(found, NoRoute) else times_of(city, state, found, wishes)

    for constraint in constraints:
        times = arrival(route.stops, tuple(c for c in constraints if c is not constraint))
        if times is not None and not times.late_min(wishes.budget):
            return say("budget.without", what=terms((constraint,)), time=format_time(times.arrives_min))
    for stop in route.stops:
        times = arrival(tuple(s for s in route.stops if s != stop), constraints)
        if times is not None and not times.late_min(wishes.budget):
            return say("budget.without_stop", stop=spot_label(city, stop), time=format_time(times.arrives_min))
    earliest = arrival((), ())
    assert earliest is not None, "the map is connected"
    return say("budget.earliest", time=format_time(earliest.arrives_min))


def _hours(
    city: City,
    state: DialogueState,
    route: Route,
    constraints: tuple[Constraint, ...],
    wishes: Wishes,
    visit: Visit,
) -> list[Phrase]:
    poi = city.pois.get(visit.spot)
    if poi is None or poi.hours is None:
        return []
    opens, closes = map(format_time, poi.hours)
    when = {"place": spot_label(city, visit.spot), "opens": opens, "closes": closes}
    left = poi.hours[1] - visit.arrives_min % DAY_MIN
    if visit.open or not wishes.hours:
        told = not visit.open or left <= _TIGHT_MIN
        return [say("hours.told", time=format_time(visit.arrives_min), **when)] if told else []
    closed = say("hours.closed", time=format_time(visit.arrives_min), **when)
    other = _open_instead(city, state, route, constraints, wishes, visit)
    if other is None:
        return [closed, say("hours.no_other", what=NOUNS[poi.category][0])]
    return [closed, say("hours.other", place=spot_label(city, other))]


def _open_instead(
    city: City,
    state: DialogueState,
    route: Route,
    constraints: tuple[Constraint, ...],
    wishes: Wishes,
    closed: Visit,
) -> str | None:
    """Return the nearest place of the same kind that would be open if the trip led there instead."""
    poi = city.pois[closed.spot]
    known = (*route.stops, route.destination)
    others = [o for o in city.pois.values() if o.category is poi.category and o.id not in known]
    for other in by_distance(city, others, start=closed.spot, best_rated=False)[:_ALTERNATIVES]:
        stops = tuple(other.id if stop == closed.spot else stop for stop in route.stops)
        goal = other.id if route.destination == closed.spot else route.destination
        found = plan_trip(city, state.but(destination=goal), fixed(stops), constraints, wishes)
        if isinstance(found, Route):
            visits = times_of(city, state, found, wishes).visits
            if any(visit.spot == other.id and visit.open for visit in visits):
                return other.id
    return None
