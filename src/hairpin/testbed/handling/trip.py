"""Destinations, conditions, withdrawals and questions about the trip.

Stops are in ``handling.stops``; the route itself is told by ``handling.telling``.
"""

from __future__ import annotations

from hairpin.testbed.acts import Act, Anaphor, AskTrip, CancelTrip, Lift, Navigate, NeverMind, Require, TripQuestion
from hairpin.testbed.clock_time import format_time
from hairpin.testbed.constraints import Constraint, established, lifted
from hairpin.testbed.handling.limits import ask_battery, ask_limit, wishes_told
from hairpin.testbed.handling.media import conditions_told
from hairpin.testbed.handling.planning import times_of
from hairpin.testbed.handling.resolving import Ambiguous, resolve
from hairpin.testbed.handling.step import Scene, Step, say
from hairpin.testbed.handling.stops import add_stops
from hairpin.testbed.handling.telling import stop_list
from hairpin.testbed.handling.timing import limit_phrases
from hairpin.testbed.labels import kilometres, option_label, spot_label, terms, whole_minutes
from hairpin.testbed.planner import plan_route
from hairpin.testbed.routes import NoRoute, Route
from hairpin.testbed.state import DialogueState, Pending
from hairpin.testbed.wording import Listing, Phrase
from hairpin.testbed.world import City


def navigate(scene: Scene, state: DialogueState, act: Navigate) -> Step:
    """Set the destination, with what was said with it."""
    state = _with_constraints(state, act.constraints)
    goal = resolve(act.to, state, scene.city)
    if isinstance(goal, Ambiguous):
        return ask_which(scene.city, state, goal, act.model_copy(update={"constraints": ()}))
    if isinstance(goal, Phrase):
        return Step(state, (goal, *_noted(act.constraints)))
    old, state = state.destination, state.but(destination=goal, focus=goal, pending=None)
    said: tuple[Phrase, ...] = ()
    if old is not None and old != goal:
        labels = {"destination": spot_label(scene.city, goal), "old": spot_label(scene.city, old)}
        said = (say("destination.changed", **labels),)
    state = state.but(stops=tuple(stop for stop in state.stops if stop != goal))
    stops = add_stops(scene, state, act.stops, stay_min=act.stay_min, ordered=act.ordered) if act.stops else Step(state)
    return Step(stops.state.but(focus=goal), (*said, *stops.said), replan=True)


def ask_which(city: City, state: DialogueState, ambiguous: Ambiguous, act: Act) -> Step:
    """Ask which of several places is meant, and keep the act until it is answered."""
    options = ambiguous.options
    pending = Pending(name=ambiguous.name, options=options, act=act)
    phrase = say("clarify.which", name=ambiguous.name.name, options=option_list(city, options))
    return Step(state.but(pending=pending), (phrase,))


def option_list(city: City, options: tuple[str, ...]) -> Listing:
    """Return options as an enumeration with "or"."""
    return Listing(items=tuple(option_label(city, option, options) for option in options), word="or")


def require(state: DialogueState, act: Require) -> Step:
    """Put conditions in force."""
    state = _with_constraints(state, act.constraints)
    if state.destination is None:
        return Step(state, _noted(act.constraints))
    return Step(state, replan=True)


def lift(state: DialogueState, act: Lift) -> Step:
    """Take conditions back."""
    before = set(state.constraints)
    said = tuple(
        say(f"constraint.{'lifted' if constraint in before else 'not_set'}.{constraint.value}")
        for constraint in act.constraints
    )
    state = state.but(established=lifted(state.established, act.constraints))
    return Step(state, said, replan=bool(state.destination and before.intersection(act.constraints)))


def cancel_trip(city: City, state: DialogueState, act: CancelTrip) -> Step:
    """Take the destination back; conditions stay in force."""
    del act
    if state.destination is None:
        return Step(state, (say("destination.missing"),))
    said = say("destination.cancelled", destination=spot_label(city, state.destination))
    wishes = state.wishes.without_stops(state.stops)
    state = state.but(destination=None, stops=(), route=None, focus=None, pending=None, wishes=wishes)
    return Step(state, (said,))


def never_mind(state: DialogueState, act: NeverMind) -> Step:
    """Drop the question that is open, if any."""
    del act
    return Step(state.but(pending=None), (say("clarify.dropped"),))


def ask_trip(scene: Scene, state: DialogueState, act: AskTrip) -> Step:
    """Answer a question about the trip."""
    city = scene.city
    if act.question is TripQuestion.CONSTRAINTS:
        told = scene.faults.remembered(state, state.constraints)
        more = (*wishes_told(state), *conditions_told(state))
        none = () if state.player.conditions and not state.constraints else (say("constraint.none"),)
        return Step(state, ((say("constraint.told", constraints=terms(told)),) if told else none) + more)
    if act.question is TripQuestion.BATTERY:
        return ask_battery(scene, state, act)
    if act.question is TripQuestion.LIMIT:
        return ask_limit(city, state)
    if act.question is TripQuestion.LOCATION:
        return Step(state, (say("place.where", place=city.name(state.situation.location)),))
    timed = act.question in (TripQuestion.DURATION, TripQuestion.ARRIVAL)
    if act.question is TripQuestion.DISTANCE or (timed and act.about and not isinstance(act.about, Anaphor)):
        return _distance(scene, state, act)
    if state.destination is None:
        anaphoric = act.question is TripQuestion.DURATION and state.focus is not None
        return _distance(scene, state, act) if anaphoric else Step(state, (say("destination.missing"),))
    if act.question is TripQuestion.ROUTE or (state.route is None and act.question is not TripQuestion.DESTINATION):
        return Step(state, replan=True)
    said = _trip_fact(city, state, act.question)
    if act.question not in (TripQuestion.ARRIVAL, TripQuestion.DURATION) or state.route is None:
        return Step(state, (said,))
    return Step(state, (said, *limit_phrases(city, state, state.route, state.constraints, state.wishes)))


def _trip_fact(city: City, state: DialogueState, question: TripQuestion) -> Phrase:
    assert state.destination is not None
    destination = spot_label(city, state.destination)
    if question is TripQuestion.DESTINATION:
        return say("destination.told", destination=destination)
    if question is TripQuestion.STOPS:
        return say("route.stops", stops=stop_list(city, state.stops)) if state.stops else say("stop.none")
    assert state.route is not None
    times = times_of(city, state, state.route, state.wishes)
    minutes = str(max(1, times.minutes))
    if question is TripQuestion.ARRIVAL:
        time = format_time(state.situation.time_min + int(minutes))
        return say("trip.arrival", destination=destination, time=time, minutes=minutes)
    return say("trip.duration", destination=destination, minutes=minutes)


def _distance(scene: Scene, state: DialogueState, act: AskTrip) -> Step:
    about = act.about or Anaphor()
    spot = resolve(about, state, scene.city)
    if isinstance(spot, Ambiguous):
        return ask_which(scene.city, state, spot, act)
    if isinstance(spot, Phrase):
        return Step(state, (spot,))
    route = state.route if state.route is not None and state.route.destination == spot else None
    if route is None:
        route = _way_there(scene.city, state, spot)
    figures = {"km": kilometres(route.km), "minutes": whole_minutes(route.minutes)}
    return Step(state.but(focus=spot), (say("trip.distance", place=spot_label(scene.city, spot), **figures),))


def _way_there(city: City, state: DialogueState, spot: str) -> Route:
    found = plan_route(city, state.situation.location, spot, (), state.constraints)
    return found.otherwise if isinstance(found, NoRoute) else found


def _with_constraints(state: DialogueState, constraints: tuple[Constraint, ...]) -> DialogueState:
    return state.but(established=established(state.established, constraints, t=state.t))


def _noted(constraints: tuple[Constraint, ...]) -> tuple[Phrase, ...]:
    return (say("constraint.noted", constraints=terms(constraints)),) if constraints else ()
