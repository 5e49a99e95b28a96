"""Stops of the trip: adding and dropping them.

A kind of place becomes the one that makes the trip shortest under the constraints in force.
"""

from __future__ import annotations

from dataclasses import dataclass

from hairpin.testbed.acts import DropStop, Named, Reference, Wanted
from hairpin.testbed.handling.planning import fixed, plan_trip, times_of
from hairpin.testbed.handling.resolving import Ambiguous, candidates, is_open_on_arrival, resolve
from hairpin.testbed.handling.step import Scene, Step, say
from hairpin.testbed.labels import spot_label, stop_what, wanted_label
from hairpin.testbed.parsing.lexicon import NOUNS
from hairpin.testbed.planner import MAX_STOPS
from hairpin.testbed.routes import NoRoute
from hairpin.testbed.state import DialogueState
from hairpin.testbed.wishes import Wishes
from hairpin.testbed.wording import Listing, Phrase
from hairpin.testbed.world import City


@dataclass(frozen=True, slots=True)
class _Wished:
    """A stop that was asked for: what would do, and whether it is on the trip already."""

    spots: tuple[str, ...]
    known: bool = False


def add_stops(
    scene: Scene,
    state: DialogueState,
    references: tuple[Reference, ...],
    *,
    stay_min: int | None = None,
    ordered: bool = False,
) -> Step:
    """Add stops. An ambiguous name must have been asked about before; here its first bearer is out of the question.

    Args:
        scene: the map and the faults.
        state: the trip.
        references: what was asked for.
        stay_min: how long to stay at each, if that was said.
        ordered: whether they come in this order; a single one before all others.
    """
    wished, said = _wished(scene.city, state, references, naming=ordered or stay_min is not None)
    wishes = _with_order(state, wished, ordered=ordered)
    if stay_min is not None:
        for spot in (spot for one in wished for spot in one.spots):
            wishes = wishes.staying(spot, stay_min)
    bound, closed = _bound(scene.city, state, tuple(one.spots for one in wished if not one.known), wishes)
    said += closed
    if not bound and not any(one.known for one in wished):
        return Step(state, tuple(said), replan=bool(state.destination) and not said)
    stops = (*state.stops, *bound)
    focus = bound[-1] if bound else wished[-1].spots[0]
    state = state.but(stops=stops, focus=focus, wishes=_only_for(stops, wishes))
    if bound or (not said and stay_min is None and state.destination is None):
        told = bound or tuple(one.spots[0] for one in wished)
        labels = Listing(items=tuple(spot_label(scene.city, stop) for stop in told))
        said.append(say("stop.added" if state.destination else "stop.noted", stop=labels))
    if stay_min is not None:
        said += [_stay_told(scene.city, spot, stay_min) for spot in _found(wished, stops)]
    return Step(state, tuple(said), replan=bool(state.destination))


def _wished(
    city: City, state: DialogueState, references: tuple[Reference, ...], *, naming: bool
) -> tuple[list[_Wished], list[Phrase]]:
    """Return the stops asked for. ``naming``: more is said of them, so that one on the trip already may be meant."""
    said: list[Phrase] = []
    wished: list[_Wished] = []
    for reference in references:
        known = next((stop for stop in state.stops if _is_meant(city, stop, reference)), None) if naming else None
        if known is not None:
            wished.append(_Wished((known,), known=True))
            continue
        choice = _choice(city, state, reference)
        if isinstance(choice, Phrase):
            said.append(choice)
        elif len(state.stops) + sum(not one.known for one in wished) >= MAX_STOPS:
            said.append(say("trip.too_many_stops", count=str(MAX_STOPS)))
            break
        elif _Wished(choice) not in wished:
            wished.append(_Wished(choice))
    return wished, said


def _with_order(state: DialogueState, wished: list[_Wished], *, ordered: bool) -> Wishes:
    """Return the wishes with the order, for every place that may become one of the stops."""
    if not ordered:
        return state.wishes
    groups = [one.spots for one in wished]
    if len(groups) == 1:
        others = tuple(stop for stop in state.stops if stop not in groups[0])
        groups = [*groups, others] if others else groups
    pairs = tuple((a, b) for i, one in enumerate(groups) for later in groups[i + 1 :] for a in one for b in later)
    inside = {spot for group in groups for spot in group}
    kept = tuple(pair for pair in state.wishes.order if not inside.issuperset(pair))
    return state.wishes.model_copy(update={"order": (*kept, *pairs)}).acyclic(pairs)


def _only_for(stops: tuple[str, ...], wishes: Wishes) -> Wishes:
    gone = {spot for spot, _ in wishes.stays} | {spot for pair in wishes.order for spot in pair}
    return wishes.without_stops(tuple(sorted(gone - set(stops))))


def _found(wished: list[_Wished], stops: tuple[str, ...]) -> tuple[str, ...]:
    spots = (next((spot for spot in one.spots if spot in stops), None) for one in wished)
    return tuple(spot for spot in spots if spot is not None)


def _stay_told(city: City, spot: str, minutes: int) -> Phrase:
    return say("stop.stay", stop=spot_label(city, spot), minutes=str(minutes))


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
        state = state.but(wishes=state.wishes.without_stops(dropped))
        focus = None if state.focus in dropped else state.focus
        said = (say("stop.removed", stop=labels),)
        return Step(state.but(stops=left, focus=focus, pending=None), said, replan=bool(state.destination))
    if act.what is None:
        return Step(state, (say("stop.none"),))
    if state.destination is not None and _is_meant(city, state.destination, act.what):
        said = (say("destination.cancelled", destination=spot_label(city, state.destination)),)
        wishes = state.wishes.without_stops(state.stops)
        return Step(state.but(destination=None, stops=(), route=None, focus=None, pending=None, wishes=wishes), said)
    if state.pending is not None or any(_is_meant(city, spot, act.what) for spot in state.results):
        return Step(state.but(pending=None, results=(), focus=state.destination), (say("clarify.dropped"),))
    return Step(state, (say("stop.missing", what=stop_what(act.what)),))


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
        if definite:
            return next(((spot,) for spot in found if is_open_on_arrival(spot, state, city)), found[:1])
        return found
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


def _bound(
    city: City, state: DialogueState, choices: tuple[tuple[str, ...], ...], wishes: Wishes
) -> tuple[tuple[str, ...], list[Phrase]]:
    """Choose one place per choice and say of which kinds none would be open.

    The shortest trip on which all are open decides; without a destination the nearest that is open.
    """
    closed: list[Phrase] = []
    if state.destination is None:
        near = ((next((s for s in c if is_open_on_arrival(s, state, city)), None), c) for c in choices)
        return tuple(spot or choice[0] for spot, choice in near), closed
    while choices:
        found = plan_trip(city, state, (*fixed(state.stops), *choices), state.constraints, wishes)
        route = found.otherwise if isinstance(found, NoRoute) else found
        shut = {visit.spot for visit in times_of(city, state, route, wishes).closed}
        kinds = [choice for choice in choices if len(choice) > 1 and shut.intersection(choice, route.stops)]
        if not kinds:
            return tuple(next(stop for stop in route.stops if stop in choice) for choice in choices), closed
        closed.append(say("stop.none_open", what=NOUNS[city.pois[kinds[0][0]].category][0]))
        choices = tuple(choice for choice in choices if choice is not kinds[0])
    return (), closed


def _is_meant(city: City, spot: str, reference: Reference) -> bool:
    if isinstance(reference, Named):
        return spot in reference.ids
    if isinstance(reference, Wanted) and spot in city.pois:
        poi = city.pois[spot]
        cuisine = reference.cuisine is None or poi.cuisine == reference.cuisine
        return poi.category is reference.category and cuisine and poi.features.issuperset(reference.features)
    return False
