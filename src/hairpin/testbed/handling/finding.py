"""Searches and questions about places.

It must not change the trip.
"""

from __future__ import annotations

from hairpin.testbed.acts import Anaphor, AskFact, Clock, Fact, Named, Reference, Search, SearchArea, Wanted
from hairpin.testbed.clock_time import DAY_MIN, format_time, upcoming
from hairpin.testbed.finder import arrival_min, by_distance, matching, relaxations, settled
from hairpin.testbed.handling.planning import times_of
from hairpin.testbed.handling.resolving import Ambiguous, resolve
from hairpin.testbed.handling.step import Scene, Step, say
from hairpin.testbed.handling.trip import ask_which
from hairpin.testbed.labels import cuisine_name, kilometres, result_label, spot_label, wanted_label
from hairpin.testbed.parsing.lexicon import FEATURE_NAMES
from hairpin.testbed.planner import drive
from hairpin.testbed.state import DialogueState
from hairpin.testbed.wording import Listing, Phrase
from hairpin.testbed.world import City, Feature, Poi

_SHOWN = 3


def search(scene: Scene, state: DialogueState, act: Search) -> Step:
    """Find places and tell the first three."""
    city = scene.city
    wanted = settled(act.wanted, state.situation.time_min)
    act = act.model_copy(update={"wanted": wanted})
    centre = _centre(city, state, act.area)
    if isinstance(centre, Ambiguous):
        return ask_which(city, state, centre, act)
    if isinstance(centre, Phrase):
        return Step(state, (centre,))
    start, end, where = centre
    found = _sorted(city, state, act.wanted, start, end)
    if not found:
        return _nothing(city, state, act.wanted, start, end, where)
    shown = found[:_SHOWN]
    many = len(shown) > 1
    what = wanted_label(act.wanted, many=many)
    said = [say("search.found", what=what if many else f"one {what}", where=where, results=_listed(city, start, shown))]
    if len(found) > _SHOWN:
        said.append(say("search.more", count=str(len(found))))
    elif not many:
        said.append(say("search.only"))
    ids = tuple(poi.id for poi in shown)
    return Step(state.but(results=ids, focus=ids[0]), tuple(said))


def ask_fact(scene: Scene, state: DialogueState, act: AskFact) -> Step:
    """Answer a question about a place."""
    spot = resolve(act.about, state, scene.city)
    if isinstance(spot, Ambiguous):
        return ask_which(scene.city, state, spot, act)
    if isinstance(spot, Phrase):
        return Step(state, (spot,))
    state = state.but(focus=spot)
    poi = scene.city.pois.get(spot)
    if poi is None:
        return Step(state, (say("place.which"),))
    if act.fact is Fact.OPEN and (act.there or act.at is not None):
        return Step(state, (_open_then(scene.city, state, poi, act.at),))
    return Step(state, (_fact(scene.city, poi, act.fact, state.situation.time_min),))


def _open_then(city: City, state: DialogueState, poi: Poi, at: Clock | None) -> Phrase:
    """Say whether ``poi`` is open at a time, or when one gets there: on the trip if it is part of it."""
    place, now = spot_label(city, poi.id), state.situation.time_min
    if poi.hours is None:
        return say("fact.always_open", place=place)
    if at is not None:
        then = upcoming(at.minutes, now, either=at.either)
    else:
        visits = times_of(city, state, state.route, state.wishes).visits if state.route is not None else ()
        there = arrival_min(city, poi, time_min=now, start=state.situation.location)
        then = next((visit.arrives_min for visit in visits if visit.spot == poi.id), there)
    opens, closes = map(format_time, poi.hours)
    key = "fact.open_then" if poi.open_at(then % DAY_MIN) else "fact.closed_then"
    return say(key, place=place, time=format_time(then), opens=opens, closes=closes)


def _centre(
    city: City, state: DialogueState, area: SearchArea | Anaphor | Named
) -> tuple[str, str | None, Phrase] | Ambiguous | Phrase:
    """Return where to look from, where the drive goes on to, and how that is said."""
    here = state.situation.location
    if area is SearchArea.HERE or (area is SearchArea.ROUTE and state.destination is None):
        return here, None, say("where.here")
    if area is SearchArea.DESTINATION and state.destination is None:
        return say("destination.missing")
    if area is SearchArea.ROUTE:
        assert state.destination is not None
        return here, state.destination, say("where.route", place=city.name(state.destination))
    reference: Reference = area if isinstance(area, Named) else Anaphor()
    spot = state.destination if area is SearchArea.DESTINATION else resolve(reference, state, city)
    if isinstance(spot, Ambiguous) and len({city.district(option).id for option in spot.options}) == 1:
        spot = spot.options[0]
    if isinstance(spot, Ambiguous | Phrase):
        return spot
    assert spot is not None
    return spot, None, say("where.place", place=city.name(spot))


def _sorted(city: City, state: DialogueState, wanted: Wanted, start: str, end: str | None) -> tuple[Poi, ...]:
    here = state.situation.location
    found = matching(city, wanted, time_min=state.situation.time_min, start=here)
    return by_distance(city, (p for p in found if p.id != start), start=start, end=end, best_rated=wanted.best_rated)


def _listed(city: City, start: str, pois: tuple[Poi, ...]) -> Listing:
    return Listing(items=tuple(result_label(city, poi.id, drive(city, start, poi.id).km) for poi in pois))


def _nothing(city: City, state: DialogueState, wanted: Wanted, start: str, end: str | None, where: Phrase) -> Step:
    """Say that nothing fits, and what would without one of the conditions."""
    said = [say("search.none", what=wanted_label(wanted, many=False), where=where)]
    for name, easier in relaxations(wanted):
        found = _sorted(city, state, easier, start, end)[:_SHOWN]
        if found:
            blockers = _condition(name, wanted)
            said.append(say("search.relaxed", blockers=blockers, results=_listed(city, start, found)))
            ids = tuple(poi.id for poi in found)
            return Step(state.but(results=ids, focus=ids[0]), tuple(said))
    return Step(state, tuple(said))


def _condition(name: str, wanted: Wanted) -> str:
    if name == "cuisine":
        return f"{cuisine_name(str(wanted.cuisine))} food"
    return "being open then" if name == "open" and not wanted.open_now else _plain_condition(name)


def _plain_condition(name: str) -> str:
    return "being open now" if name == "open" else FEATURE_NAMES[Feature(name)]


def _fact(city: City, poi: Poi, fact: Fact | Feature, time_min: int) -> Phrase:
    place = spot_label(city, poi.id)
    if isinstance(fact, Feature):
        return say("fact.yes" if fact in poi.features else "fact.no", place=place, fact=FEATURE_NAMES[fact])
    if fact is Fact.RATING:
        return say("fact.rating", place=place, rating=kilometres(poi.rating))
    if fact is Fact.WHERE:
        return say("fact.where", place=place, district=city.district(poi.id).name)
    if poi.hours is None:
        return say("fact.always_open", place=place)
    opens, closes = map(format_time, poi.hours)
    if fact is Fact.HOURS:
        return say("fact.hours", place=place, opens=opens, closes=closes)
    if poi.open_at(time_min):
        return say("fact.open", place=place, closes=closes)
    return say("fact.closed", place=place, opens=opens)
