"""Wishes about the time and the charge of the trip: taken, changed, given up, and asked about.

The trip itself is told by ``handling.telling``.
"""

from __future__ import annotations

from hairpin.testbed.acts import (
    ArriveCharged,
    AskTrip,
    ChargeIfNeeded,
    LiftCharge,
    LiftLimit,
    LiftOrder,
    SetLimit,
    SetStay,
    TripQuestion,
)
from hairpin.testbed.clock_time import upcoming
from hairpin.testbed.handling.charging import lasts, short_phrases
from hairpin.testbed.handling.planning import departure, fixed, plan_trip, times_of
from hairpin.testbed.handling.resolving import Ambiguous, resolve
from hairpin.testbed.handling.step import Scene, Step, say
from hairpin.testbed.handling.timing import arrival_phrase, limit_phrase, limit_phrases
from hairpin.testbed.labels import plain_number, spot_label, stop_what
from hairpin.testbed.planner import plan_route
from hairpin.testbed.routes import NoRoute, Route
from hairpin.testbed.state import DialogueState
from hairpin.testbed.timetable import full_percent
from hairpin.testbed.wishes import Budget
from hairpin.testbed.wording import Phrase
from hairpin.testbed.world import City

_GRACE_MIN = 6 * 60
"""A limit that passed no longer ago is one for today, and missed."""


def set_limit(state: DialogueState, act: SetLimit) -> Step:
    """Put a time limit in force, in the place of the old one."""
    now = state.situation.time_min
    if act.by is not None:
        grace = 0 if act.by.either else _GRACE_MIN
        limit = upcoming(act.by.minutes, now, either=act.by.either, grace_min=grace)
    else:
        limit = now + (act.within_min or 0)
    budget = Budget(limit_min=limit, within_min=act.within_min)
    state = _wishing(state, budget=budget)
    if state.destination is None:
        return Step(state, (say("budget.noted", limit=limit_phrase(budget)),))
    return Step(state, replan=True)


def lift_limit(state: DialogueState, act: LiftLimit) -> Step:
    """Take the time limit back."""
    del act
    if state.wishes.budget is None:
        return Step(state, (say("budget.not_set"),))
    return Step(_wishing(state, budget=None), (say("budget.lifted"),), replan=state.destination is not None)


def set_stay(city: City, state: DialogueState, act: SetStay) -> Step:
    """Stay so long at a stop of the trip."""
    if not state.stops:
        return Step(state, (say("stop.none"),))
    spot = state.stops[-1] if state.focus not in state.stops else str(state.focus)
    if act.at is not None:
        named = resolve(act.at, state, city)
        if isinstance(named, Ambiguous | Phrase) or named not in state.stops:
            return Step(state, (say("stop.missing", what=stop_what(act.at)),))
        spot = named
    state = state.but(wishes=state.wishes.staying(spot, act.minutes), focus=spot)
    said = say("stop.stay", stop=spot_label(city, spot), minutes=str(act.minutes))
    return Step(state, (said,), replan=state.destination is not None)


def lift_order(state: DialogueState, act: LiftOrder) -> Step:
    """Leave the order of the stops to the planner."""
    del act
    if not state.wishes.order:
        return Step(state, (say("order.not_set"),))
    return Step(_wishing(state, order=()), (say("order.lifted"),), replan=state.destination is not None)


def charge_if_needed(city: City, state: DialogueState, act: ChargeIfNeeded) -> Step:
    """Take note that a charging stop may be added; say so if none is needed."""
    state = _wishing(state, charge_if_needed=True, fast=act.fast)
    if state.destination is None:
        return Step(state, (say("charge.noted"),))
    found = plan_trip(city, state, fixed(state.stops), state.constraints, state.wishes)
    if isinstance(found, Route):
        times = times_of(city, state, found, state.wishes)
        if lasts(times, state.wishes):
            return Step(state, (say("charge.not_needed", percent=str(full_percent(times.percent))),))
    return Step(state, replan=True)


def arrive_charged(state: DialogueState, act: ArriveCharged) -> Step:
    """Put a least charge on arrival in force."""
    state = _wishing(state, min_percent=act.percent)
    if state.destination is None:
        return Step(state, (say("charge.noted_least", wanted=str(act.percent)),))
    return Step(state, replan=True)


def lift_charge(state: DialogueState, act: LiftCharge) -> Step:
    """Take the wishes for charging back."""
    del act
    if state.wishes.min_percent is None and not state.wishes.charge_if_needed:
        return Step(state, (say("charge.not_set"),))
    state = _wishing(state, min_percent=None, charge_if_needed=False, fast=False)
    return Step(state, (say("charge.lifted"),), replan=state.destination is not None)


def wishes_told(state: DialogueState) -> tuple[Phrase, ...]:
    """Return the wishes about time and charge in force, as they are told when the user asks for conditions."""
    said: list[Phrase] = []
    if state.wishes.budget is not None:
        said.append(say("budget.told", limit=limit_phrase(state.wishes.budget)))
    if state.wishes.min_percent is not None:
        said.append(say("charge.told", wanted=str(state.wishes.min_percent)))
    return tuple(said)


def ask_limit(city: City, state: DialogueState) -> Step:
    """Say whether the trip keeps to the time limit, or which one there is."""
    if state.wishes.budget is None and state.destination is None:
        return Step(state, (say("budget.none"),))
    if state.destination is None:
        return Step(state, wishes_told(state)[:1])
    if state.route is None:
        return Step(state, replan=True)
    arrival = arrival_phrase(times_of(city, state, state.route, state.wishes))
    if state.wishes.budget is None:
        return Step(state, (say("budget.none"), arrival))
    return Step(state, (arrival, *limit_phrases(city, state, state.route, state.constraints, state.wishes)))


def ask_battery(scene: Scene, state: DialogueState, act: AskTrip) -> Step:
    """Say whether the battery lasts for the trip, or for the way to the place asked about."""
    assert act.question is TripQuestion.BATTERY
    city = scene.city
    spot = resolve(act.about, state, city) if act.about is not None else state.destination
    if isinstance(spot, Phrase):
        return Step(state, (spot,))
    if spot is None or isinstance(spot, Ambiguous):
        battery, range_km = plain_number(state.vehicle.battery_percent), f"{state.vehicle.range_km:.0f}"
        return Step(state, (say("status.range", battery=battery, range=range_km),))
    route = state.route if state.route is not None and spot == state.destination else _way_there(city, state, spot)
    times = times_of(city, state, route, state.wishes)
    if times.dry:
        going = state.but(destination=spot)
        return Step(state, short_phrases(city, going, route, state.constraints, state.wishes))
    percent = str(full_percent(times.percent))
    return Step(state, (say("charge.enough", destination=spot_label(city, spot), percent=percent),))


def _way_there(city: City, state: DialogueState, spot: str) -> Route:
    stops = fixed(state.stops) if spot == state.destination else ()
    start = state.situation.location
    found = plan_route(city, start, spot, stops, state.constraints, departure=departure(state), wishes=state.wishes)
    return found.otherwise if isinstance(found, NoRoute) else found


def _wishing(state: DialogueState, **changes: object) -> DialogueState:
    return state.but(wishes=state.wishes.model_copy(update=changes))
