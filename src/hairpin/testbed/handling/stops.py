"""Stops of the trip: adding and dropping them.

A kind of place becomes the one that makes the trip shortest under the constraints in force.
"""

from __future__ import annotations

from hairpin.testbed.acts import DropStop, Named, Reference, Wanted
from hairpin.testbed.handling.resolving import Ambiguous, candidates, resolve
from hairpin.testbed.handling.step import Scene, Step, say
from hairpin.testbed.handling.telling import fixed, plan_trip
from hairpin.testbed.labels import spot_label, wanted_label
from hairpin.testbed.planner import MAX_STOPS
from hairpin.testbed.routes import NoRoute
from hairpin.testbed.state import DialogueState
from hairpin.testbed.wording import Listing, Phrase
from hairpin.testbed.world import City


def add_stops(scene: Scene, state: DialogueState, references: tuple[Reference, ...]) -> Step:
    """Add stops. An ambiguous name must have been asked about before; here its first bearer is out of the question."""
    said: list[Phrase] = []
    choices: list[tuple[str, ...]] = []
    for reference in references:
        choice = _choice(scene.city, state, reference)
        if isinstance(choice, Phrase):
            said.append(choice)
        elif len(state.stops) + len(choices) >= MAX_STOPS:
            said.append(say("trip.too_many_stops", count=str(MAX_STOPS)))
            break
        elif choice not in choices:
            choices.append(choice)
    if not choices:
        return Step(state, tuple(said), replan=bool(state.destination) and not said)
    new = _bound(scene.city, state, tuple(choices))
    state = state.but(stops=(*state.stops, *new), focus=new[-1])
    labels = Listing(items=tuple(spot_label(scene.city, stop) for stop in new))
    said.append(say("stop.added" if state.destination else "stop.noted", stop=labels))
    return Step(state, tuple(said), replan=bool(state.destination))


def ambiguous_stop(scene: Scene, state: DialogueState, references: tuple[Reference, ...]) -> Ambiguous | None:
    """Return the first of ``references`` that several places could be."""
    for reference in references:
        resolved = resolve(reference, state, scene.city)
        if isinstance(resolved, Ambiguous):
            return resolved
    return None


def drop_stop(city: City, state: DialogueState, act: DropStop) -> Step:
    """Take a stop back, the destination if that is what is named, or the search for it."""
    dropped = state.stops if act.what is None else tuple(s for s in state.stops if _is_meant(city, s, act.what))
    if dropped:
        labels = Listing(items=tuple(spot_label(city, stop) for stop in dropped))
        left = tuple(stop for stop in state.stops if stop not in dropped)
        focus = None if state.focus in dropped else state.focus
        said = (say("stop.removed", stop=labels),)
        return Step(state.but(stops=left, focus=focus, pending=None), said, replan=bool(state.destination))
    if act.what is None:
        return Step(state, (say("stop.none"),))
    if state.destination is not None and _is_meant(city, state.destination, act.what):
        said = (say("destination.cancelled", destination=spot_label(city, state.destination)),)
        return Step(state.but(destination=None, stops=(), route=None, focus=None, pending=None), said)
    if state.pending is not None or any(_is_meant(city, spot, act.what) for spot in state.results):
        return Step(state.but(pending=None, results=(), focus=state.destination), (say("clarify.dropped"),))
    return Step(state, (say("stop.missing", what=_what(act.what)),))


def _choice(city: City, state: DialogueState, reference: Reference) -> tuple[str, ...] | Phrase:
    """Return the places that would do as a stop, or why there is none."""
    if isinstance(reference, Wanted) and reference.category is not None and not _is_listed(city, state, reference):
        existing = [stop for stop in state.stops if _is_meant(city, stop, reference)]
        if existing:
            return say("stop.already", stop=spot_label(city, existing[0]))
        found = tuple(spot for spot in candidates(reference, state, city) if spot != state.destination)
        if not found:
            return say("search.none", what=wanted_label(reference, many=False), where=say("where.here"))
        definite = reference.near is not None or reference.best_rated or reference.nearest
        return found[:1] if definite else found
    spot = resolve(reference, state, city)
    if isinstance(spot, Ambiguous):
        return say("place.which")
    if isinstance(spot, Phrase):
        return spot
    if spot == state.destination:
        return say("destination.told", destination=spot_label(city, spot))
    return say("stop.already", stop=spot_label(city, spot)) if spot in state.stops else (spot,)


def _is_listed(city: City, state: DialogueState, wanted: Wanted) -> bool:
    """Whether the list told last is of this kind and not yet part of the trip, so that its first is meant."""
    if not state.results or state.results[0] in (*state.stops, state.destination):
        return False
    return all(_is_meant(city, spot, wanted) for spot in state.results)


def _bound(city: City, state: DialogueState, choices: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """Choose one place per choice, the shortest trip deciding; without a destination the nearest."""
    if state.destination is None:
        return tuple(choice[0] for choice in choices)
    found = plan_trip(city, state, (*fixed(state.stops), *choices), state.constraints)
    stops = found.otherwise.stops if isinstance(found, NoRoute) else found.stops
    return tuple(next(stop for stop in stops if stop in choice) for choice in choices)


def _is_meant(city: City, spot: str, reference: Reference) -> bool:
    if isinstance(reference, Named):
        return spot in reference.ids
    if isinstance(reference, Wanted) and spot in city.pois:
        poi = city.pois[spot]
        cuisine = reference.cuisine is None or poi.cuisine == reference.cuisine
        return poi.category is reference.category and cuisine and poi.features.issuperset(reference.features)
    return False


def _what(reference: Reference) -> str:
    if isinstance(reference, Named):
        return reference.name
    if isinstance(reference, Wanted) and reference.category is not None:
        return f"a {wanted_label(reference, many=False)}"
    return "that place"
