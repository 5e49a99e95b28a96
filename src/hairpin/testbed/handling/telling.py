"""Telling the trip: plans it under what is in force and says what the route really is.

The only place where a route is proposed. Times, hours and charge are put into phrases by ``handling.timing``.
"""

from __future__ import annotations

from hairpin.testbed.constraints import Constraint
from hairpin.testbed.handling.charging import with_charging
from hairpin.testbed.handling.planning import fixed, plan_trip
from hairpin.testbed.handling.step import Scene, Step, say
from hairpin.testbed.handling.timing import time_phrases
from hairpin.testbed.labels import kilometres, road_names, spot_label, terms, whole_minutes
from hairpin.testbed.routes import NoRoute, Route
from hairpin.testbed.state import DialogueState
from hairpin.testbed.wishes import Wishes
from hairpin.testbed.wording import Listing, Phrase
from hairpin.testbed.world import City


def tell_trip(scene: Scene, state: DialogueState) -> Step:
    """Plan the trip of ``state``, which has a destination, and tell it."""
    assert state.destination is not None

    def plan_for(wishes: Wishes) -> Route | NoRoute:
        return plan_trip(scene.city, state, fixed(state.stops), state.constraints, wishes)

    wishes = scene.faults.wishes_for_route(state, state.wishes, plan_for)

    def plan(constraints: tuple[Constraint, ...]) -> Route | NoRoute:
        return plan_trip(scene.city, state, fixed(state.stops), constraints, wishes)

    stays = not state.stops and state.destination == state.situation.location
    used = state.constraints if stays else scene.faults.constraints_for_route(state, state.constraints, plan)
    result = plan(() if stays else used)
    if isinstance(result, NoRoute):
        return Step(state.but(route=None), _no_route(scene.city, result))
    route, added = with_charging(scene.city, state, result, used, wishes)
    state = state.but(route=route, stops=route.stops)
    if not route.stops and route.start == route.destination:
        return Step(state, (say("route.here", destination=spot_label(scene.city, route.destination)),))
    times = time_phrases(scene.city, state, route, used, wishes)
    return Step(state, (*added, *route_phrases(scene.city, route, used), *times))


def route_phrases(city: City, route: Route, constraints: tuple[Constraint, ...]) -> tuple[Phrase, ...]:
    """Return what there is to say of the way of ``route``, planned under ``constraints``; the roads as they are."""
    scenic = Constraint.SCENIC in constraints
    said = [
        say(
            "route.head_scenic" if scenic else "route.head",
            destination=spot_label(city, route.destination),
            **_figures(route),
        )
    ]
    if scenic:
        said.append(say("route.sights", sights=Listing(items=tuple(f"the {park}" for park in route.parks))))
    if route.stops:
        said.append(say("route.stops", stops=stop_list(city, route.stops)))
    if avoided := tuple(c for c in constraints if c is not Constraint.SCENIC):
        said.append(say("route.holds", constraints=terms(avoided)))
    if route.motorways:
        said.append(say("route.motorways", roads=Listing(items=route.motorways)))
    if route.tolls:
        said.append(say("route.tolls", roads=Listing(items=route.tolls)))
    return tuple(said)


def stop_list(city: City, stops: tuple[str, ...]) -> Listing:
    """Return stops as an enumeration in driving order."""
    return Listing(items=tuple(spot_label(city, stop) for stop in stops), word="and then")


def _no_route(city: City, result: NoRoute) -> tuple[Phrase, ...]:
    return (
        say(
            "route.none",
            destination=spot_label(city, result.destination),
            constraints=terms(result.constraints),
            blockers=terms(result.blockers),
        ),
        say("route.without", **_figures(result.otherwise)),
    )


def _figures(route: Route) -> dict[str, str | Listing]:
    return {"roads": road_names(route), "minutes": whole_minutes(route.minutes), "km": kilometres(route.km)}
