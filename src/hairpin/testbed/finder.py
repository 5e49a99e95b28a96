"""Searching the city: which points of interest match a wish, in which order.

It must not know the dialogue.
"""

from __future__ import annotations

from collections.abc import Iterable

from hairpin.testbed.acts import Wanted
from hairpin.testbed.road_graph import road_graph
from hairpin.testbed.world import City, Poi

_NEAREST_FEW = 5


def matching(city: City, wanted: Wanted, *, time_min: int) -> tuple[Poi, ...]:
    """Return every point of interest that is as ``wanted``, in the order of the map."""
    return tuple(poi for poi in city.pois.values() if _fits(poi, wanted, time_min))


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
    if wanted.open_now:
        relaxed.append(("open_now", wanted.model_copy(update={"open_now": False})))
    return tuple(relaxed)


def _fits(poi: Poi, wanted: Wanted, time_min: int) -> bool:
    return (
        poi.category is wanted.category
        and (wanted.cuisine is None or poi.cuisine == wanted.cuisine)
        and poi.features.issuperset(wanted.features)
        and (not wanted.open_now or poi.open_at(time_min))
    )
