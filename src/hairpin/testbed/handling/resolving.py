"""From what the user calls a place to the place on the map.

It must not change the state; what cannot be resolved comes back as a question or a reply.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hairpin.testbed.acts import Anaphor, KindOf, Named, Ordinal, Reference, Wanted
from hairpin.testbed.finder import arrival_min, by_distance, matching, settled
from hairpin.testbed.handling.step import say
from hairpin.testbed.labels import wanted_label
from hairpin.testbed.parsing.trip_checks import GOAL
from hairpin.testbed.road_graph import road_graph
from hairpin.testbed.state import DialogueState
from hairpin.testbed.wording import Phrase
from hairpin.testbed.world import City, Poi


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A name that several places bear."""

    name: Named
    options: tuple[str, ...]


Resolved = str | Ambiguous | Phrase
"""The id of a place, or why there is none: a question to ask, or a reply."""


def resolve(reference: Reference | None, state: DialogueState, city: City) -> Resolved:
    """Return the place that ``reference`` means in this state."""
    if isinstance(reference, Named):
        return _named(reference, state)
    if isinstance(reference, Ordinal):
        return _ordinal(reference, state)
    if isinstance(reference, Anaphor):
        return state.focus or state.destination or say("place.which")
    if isinstance(reference, Wanted):
        return _wanted(settled(reference, state.situation.time_min), state, city)
    if reference == GOAL:
        return state.destination or say("destination.missing")
    return say("place.which")


def candidates(wanted: Wanted, state: DialogueState, city: City) -> tuple[str, ...]:
    """Return everything that is as ``wanted``, the best first; near the place said, else near the car."""
    start = wanted.near.ids[0] if wanted.near and wanted.near.ids else state.situation.location
    found = matching(city, wanted, time_min=state.situation.time_min, start=state.situation.location)
    return tuple(poi.id for poi in by_distance(city, found, start=start, best_rated=wanted.best_rated))


def is_open_on_arrival(spot: str, state: DialogueState, city: City) -> bool:
    """Whether ``spot`` is open when one drives there now."""
    poi = city.pois.get(spot)
    here, now = state.situation.location, state.situation.time_min
    return poi is None or poi.open_at(arrival_min(city, poi, time_min=now, start=here))


def pick(reference: Reference | None, options: tuple[str, ...], city: City, start: str) -> str | None:
    """Return the one of ``options`` that ``reference`` means, ``None`` if it means none or several."""
    left: Iterable[str] = ()
    if isinstance(reference, Ordinal):
        index = reference.number - 1
        left = options[index : index + 1 or None]
    elif isinstance(reference, Named):
        left = [o for o in options if o in reference.ids] or _located(options, reference, city)
    elif isinstance(reference, KindOf):
        left = [o for o in options if o in city.places]
    elif isinstance(reference, Wanted):
        left = _like(reference, options, city, start)
    found = tuple(left)
    return found[0] if len(found) == 1 else None


def _named(name: Named, state: DialogueState) -> Resolved:
    if not name.ids:
        return say("place.unknown", name=name.name.title())
    if len(name.ids) == 1:
        return name.ids[0]
    spoken_of = {*state.results, *state.stops, state.destination, state.focus}
    familiar = [spot for spot in name.ids if spot in spoken_of]
    return familiar[0] if len(familiar) == 1 else Ambiguous(name=name, options=name.ids)


def _ordinal(ordinal: Ordinal, state: DialogueState) -> Resolved:
    if not state.results:
        return say("place.no_list")
    if ordinal.number > len(state.results):
        return say("place.not_that_many", count=str(len(state.results)))
    return state.results[ordinal.number - 1]


def _wanted(wanted: Wanted, state: DialogueState, city: City) -> Resolved:
    if wanted.near is not None and len({city.district(spot).id for spot in wanted.near.ids}) > 1:
        return Ambiguous(name=wanted.near, options=wanted.near.ids)
    listed = pick(wanted, state.results, city, state.situation.location)
    if listed is None and wanted.definite:
        listed = pick(wanted, (*state.stops, *filter(None, [state.destination])), city, state.situation.location)
    if listed is not None:
        return listed
    if wanted.category is None:
        return say("place.which")
    told = state.results[0] if state.results and _is_told(wanted, state, city) else None
    found = (told,) if told else candidates(wanted, state, city)
    if found:
        return next((spot for spot in found if is_open_on_arrival(spot, state, city)), found[0])
    return say("search.none", what=wanted_label(wanted, many=False), where=say("where.here"))


def _is_told(wanted: Wanted, state: DialogueState, city: City) -> bool:
    """Whether the list told last is of what is ``wanted``, so that "the pharmacy" is the first one told."""
    if wanted.near is not None or wanted.best_rated:
        return False
    now = state.situation.time_min
    fitting = {poi.id for poi in matching(city, wanted, time_min=now, start=state.situation.location)}
    return fitting.issuperset(state.results)


def _located(options: tuple[str, ...], name: Named, city: City) -> list[str]:
    return [o for o in options if o not in city.places and city.district(o).id in name.ids]


def _like(wanted: Wanted, options: tuple[str, ...], city: City, start: str) -> list[str]:
    left = [
        o for o in options if wanted.category is None or (o in city.pois and city.pois[o].category is wanted.category)
    ]
    if wanted.near is not None:
        left = [o for o in left if city.district(o).id in wanted.near.ids]
    if wanted.features or wanted.cuisine:
        left = [o for o in left if o in city.pois and _suits(city.pois[o], wanted)]
    said = wanted.category or wanted.near or wanted.features or wanted.cuisine or wanted.nearest or wanted.best_rated
    if not left or not said:
        return []
    if wanted.best_rated:
        return [max(left, key=lambda o: (city.pois[o].rating if o in city.pois else 0.0, o))]
    if wanted.nearest:
        graph = road_graph(city, ())
        return [min(left, key=lambda o: (graph.distance(start, o), o))]
    return left


def _suits(poi: Poi, wanted: Wanted) -> bool:
    return poi.features.issuperset(wanted.features) and wanted.cuisine in (None, poi.cuisine)
