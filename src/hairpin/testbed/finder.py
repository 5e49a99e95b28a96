"""Searching the city: which points of interest match a wish, in which order.

It must not know the dialogue.
"""

from __future__ import annotations

from collections.abc import Iterable

from hairpin.testbed.acts import Clock, Wanted
from hairpin.testbed.clock_time import DAY_MIN, upcoming
from hairpin.testbed.road_graph import road_graph
from hairpin.testbed.world import City, Poi

_NEAREST_FEW = 5


def matching(city: City, wanted: Wanted, *, time_min: int, start: str) -> tuple[Poi, ...]:
    """Return every point of interest that is as ``wanted``, in the order of the map.

    Args:
        city: the map.
        wanted: what is looked for.
        time_min: the time now, in minutes since midnight.
        start: where one would come from.
    """
    fitting = (poi for poi in city.pois.values() if _fits(poi, wanted))
    return tuple(poi for poi in fitting if _open_when_wanted(city, poi, wanted, time_min, start))


def arrival_min(city: City, poi: Poi, *, time_min: int, start: str) -> int:
    """Return when one gets to ``poi``, in minutes since midnight, driving there now without any condition."""
    return round(time_min + road_graph(city, ()).distance(start, poi.id)) % DAY_MIN


def settled(wanted: Wanted, now: int) -> Wanted:
    """Return ``wanted`` with a time of day that can be no other: "at nine" is the next nine o'clock."""
    clock = wanted.open_at
    if clock is None or not clock.either:
        return wanted
    minutes = upcoming(clock.minutes, now, either=True) % DAY_MIN
    return wanted.model_copy(update={"open_at": Clock(minutes=minutes)})


def by_distance(
    city: City, pois: Iterable[Poi], *, start: str, end: str | None = None, best_rated: bool
) -> tuple[Poi, ...]:
    """Return ``pois`` from the nearest to the farthest, or from the best rated to the worst.

    Args:
        city: the map.
        pois: what to sort.
        start: driving starts here.
        end: if given, the drive goes on to here, so that the smallest detour comes first.
        best_rated: the rating counts first, among the nearest few.
    """
    graph = road_graph(city, ())

    def way(poi: Poi) -> tuple[float, str]:
        length = graph.distance(start, poi.id) + (graph.distance(poi.id, end) if end else 0.0)
        return round(length, 6), poi.id

    near = sorted(pois, key=way)
    if best_rated:
        near[:_NEAREST_FEW] = sorted(near[:_NEAREST_FEW], key=lambda poi: -poi.rating)
    return tuple(near)


def relaxations(wanted: Wanted) -> tuple[tuple[str, Wanted], ...]:
    """Return the wish without each one of its conditions, with the name of that condition."""
    relaxed: list[tuple[str, Wanted]] = []
    for feature in wanted.features:
        left = tuple(f for f in wanted.features if f is not feature)
        relaxed.append((feature.value, wanted.model_copy(update={"features": left})))
    if wanted.cuisine:
        relaxed.append(("cuisine", wanted.model_copy(update={"cuisine": None})))
    if wanted.open_now or wanted.open_at is not None or wanted.open_there:
        relaxed.append(("open", wanted.model_copy(update={"open_now": False, "open_at": None, "open_there": False})))
    return tuple(relaxed)


def _open_when_wanted(city: City, poi: Poi, wanted: Wanted, time_min: int, start: str) -> bool:
    if wanted.open_at is not None:
        clock = settled(wanted, time_min).open_at
        assert clock is not None
        return poi.open_at(clock.minutes)
    if wanted.open_there:
        return poi.open_at(arrival_min(city, poi, time_min=time_min, start=start))
    return not wanted.open_now or poi.open_at(time_min)


def _fits(poi: Poi, wanted: Wanted) -> bool:
    return (
        poi.category is wanted.category
        and (wanted.cuisine is None or poi.cuisine == wanted.cuisine)
        and poi.features.issuperset(wanted.features)
    )
