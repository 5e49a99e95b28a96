"""Planning the trip of a dialogue: the planner's arguments from the state.

It must not say anything.
"""

from __future__ import annotations

from hairpin.testbed.constraints import Constraint
from hairpin.testbed.orders import Choices
from hairpin.testbed.planner import plan_route
from hairpin.testbed.routes import NoRoute, Route
from hairpin.testbed.state import DialogueState
from hairpin.testbed.timetable import Departure, Timetable, timetable
from hairpin.testbed.wishes import Wishes
from hairpin.testbed.world import City


def departure(state: DialogueState) -> Departure:
    """Return when and with what charge the trip starts: now."""
    return Departure(time_min=state.situation.time_min, percent=state.vehicle.battery_percent)


def plan_trip(
    city: City, state: DialogueState, choices: Choices, constraints: tuple[Constraint, ...], wishes: Wishes
) -> Route | NoRoute:
    """Return the trip to the destination of ``state`` with stops chosen from ``choices``."""
    assert state.destination is not None
    start = state.situation.location
    return plan_route(city, start, state.destination, choices, constraints, departure=departure(state), wishes=wishes)


def times_of(city: City, state: DialogueState, route: Route, wishes: Wishes) -> Timetable:
    """Return the timetable of ``route`` when it is driven now."""
    return timetable(city, route, departure(state), wishes)


def fixed(stops: tuple[str, ...]) -> Choices:
    """Return stops that are chosen already."""
    return tuple((stop,) for stop in sorted(stops))
