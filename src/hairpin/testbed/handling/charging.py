"""Charging stops: added where the user wants one if needed, offered where the battery does not last.

It must not change the wishes.
"""

from __future__ import annotations

from hairpin.testbed.constraints import Constraint
from hairpin.testbed.handling.planning import fixed, plan_trip, times_of
from hairpin.testbed.handling.step import say
from hairpin.testbed.labels import kilometres, plain_number, spot_label
from hairpin.testbed.planner import MAX_STOPS
from hairpin.testbed.routes import NoRoute, Route
from hairpin.testbed.state import DialogueState
from hairpin.testbed.timetable import Timetable, Visit, full_percent
from hairpin.testbed.wishes import Wishes
from hairpin.testbed.wording import Phrase
from hairpin.testbed.world import Category, City, Feature


def lasts(times: Timetable, wishes: Wishes) -> bool:
    """Whether the battery lasts, with the charge on arrival that was asked for."""
    return not times.dry and not times.lacking_percent(wishes.min_percent)


def with_charging(
    city: City, state: DialogueState, route: Route, constraints: tuple[Constraint, ...], wishes: Wishes
) -> tuple[Route, tuple[Phrase, ...]]:
    """Return ``route``, with a charging stop more if it needs one and the user wants it, and what is said of that."""
    if not (wishes.charge_if_needed or wishes.min_percent is not None):
        return route, ()
    if lasts(times_of(city, state, route, wishes), wishes):
        return route, ()
    charged = charging_trip(city, state, route, constraints, wishes)
    if charged is None:
        return route, ()
    (new,) = set(charged.stops) - set(route.stops)
    return charged, (say("stop.added", stop=spot_label(city, new)),)


def charging_trip(
    city: City, state: DialogueState, route: Route, constraints: tuple[Constraint, ...], wishes: Wishes
) -> Route | None:
    """Return the trip with the one charging stop more that makes the battery last, ``None`` if none does."""
    stations = tuple(
        poi.id
        for poi in city.pois.values()
        if poi.category is Category.CHARGING_STATION
        and poi.id not in (*route.stops, route.destination)
        and (not wishes.fast or Feature.FAST_CHARGING in poi.features)
    )
    if not stations or len(route.stops) >= MAX_STOPS:
        return None
    found = plan_trip(city, state, (*fixed(route.stops), stations), constraints, wishes)
    if isinstance(found, NoRoute) or not lasts(times_of(city, state, found, wishes), wishes):
        return None
    return found


def charge_phrases(
    city: City,
    state: DialogueState,
    route: Route,
    constraints: tuple[Constraint, ...],
    wishes: Wishes,
) -> tuple[Phrase, ...]:
    """Return what there is to say of charging on ``route`` and of the charge on arrival."""
    times = times_of(city, state, route, wishes)
    said = [_planned(city, visit) for visit in times.stops if visit.charged_percent > 0]
    if times.dry:
        said += short_phrases(city, state, route, constraints, wishes)
    elif wishes.min_percent is not None:
        kept = not times.lacking_percent(wishes.min_percent)
        figures = {"percent": str(full_percent(times.percent)), "wanted": str(wishes.min_percent)}
        said.append(say("charge.kept" if kept else "charge.missed", **figures))
        if not kept:
            said += _remedy(city, state, route, constraints, wishes)
    return tuple(said)


def short_phrases(
    city: City,
    state: DialogueState,
    route: Route,
    constraints: tuple[Constraint, ...],
    wishes: Wishes,
) -> tuple[Phrase, ...]:
    """Say that the battery does not last for ``route``, and where it could be charged."""
    battery, range_km = plain_number(state.vehicle.battery_percent), f"{state.vehicle.range_km:.0f}"
    short = say("charge.short", km=kilometres(route.km), battery=battery, range=range_km)
    return short, *_remedy(city, state, route, constraints, wishes)


def _remedy(
    city: City,
    state: DialogueState,
    route: Route,
    constraints: tuple[Constraint, ...],
    wishes: Wishes,
) -> tuple[Phrase, ...]:
    charged = charging_trip(city, state, route, constraints, wishes)
    if charged is None:
        return (say("charge.no_station"),)
    (new,) = set(charged.stops) - set(route.stops)
    visit = next(v for v in times_of(city, state, charged, wishes).stops if v.spot == new)
    return (say("charge.offer", stop=spot_label(city, new), minutes=str(visit.stay_min)),)


def _planned(city: City, visit: Visit) -> Phrase:
    percent = str(full_percent(visit.percent + visit.charged_percent))
    return say("charge.planned", stop=spot_label(city, visit.spot), minutes=str(visit.stay_min), percent=percent)
