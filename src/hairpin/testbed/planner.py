"""Route planning: the fastest route that satisfies every constraint, with stops in the best order.

It knows nothing of the dialogue and never relaxes a constraint by itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations, pairwise, permutations

from hairpin.testbed.constraints import Constraint, violated
from hairpin.testbed.road_graph import RoadGraph, Way, road_graph
from hairpin.testbed.routes import NoRoute, Route
from hairpin.testbed.world import City

MAX_STOPS = 5
"""Every order of the stops is tried, so their number is bounded."""

Choices = tuple[tuple[str, ...], ...]
"""One entry per stop: the points of interest that would do, one of which is visited."""


def plan_route(
    city: City, start: str, destination: str, choices: Choices, constraints: Iterable[Constraint]
) -> Route | NoRoute:
    """Return the best route, or what makes it impossible.

    Args:
        city: the map.
        start: id of a place or point of interest.
        destination: likewise.
        choices: the stops, in any order; the best order and the best candidate for each are chosen.
        constraints: all of them are satisfied by a returned ``Route``.

    Raises:
        ValueError: the map does not connect the two at all.
    """
    wanted = frozenset(constraints)
    route = _best(city, start, destination, choices, wanted)
    if route is not None:
        return route
    for size in range(1, len(wanted) + 1):
        for blockers in combinations(sorted(wanted), size):
            otherwise = _best(city, start, destination, choices, wanted - set(blockers))
            if otherwise is not None:
                return NoRoute(
                    destination=destination, constraints=tuple(sorted(wanted)), blockers=blockers, otherwise=otherwise
                )
    raise ValueError(f"the map does not connect {start!r} with {destination!r}")


def drive(city: City, start: str, destination: str) -> Route:
    """Return the fastest route without any condition."""
    graph = road_graph(city, ())
    return Route(start=start, destination=destination, roads=graph.way(start, destination))


@lru_cache(maxsize=2048)
def _best(
    city: City, start: str, destination: str, choices: Choices, constraints: frozenset[Constraint]
) -> Route | None:
    graph = road_graph(city, constraints)
    length, stops = min(_cheapest(graph, start, destination, order) for order in permutations(choices))
    if length == math.inf:
        return None
    spots = (start, *stops, destination)
    legs: Sequence[Way] | None = [graph.way(a, b) for a, b in pairwise(spots)]
    if legs and violated(constraints, (road for leg in legs for road in leg)):
        legs = _through_a_park(graph, spots, legs)
    if legs is None:
        return None
    return Route(start=start, destination=destination, stops=stops, roads=tuple(road for leg in legs for road in leg))


def _cheapest(graph: RoadGraph, start: str, destination: str, order: Choices) -> tuple[float, tuple[str, ...]]:
    """Choose one candidate per stop so that the way over the stops in ``order`` costs least; return cost and stops."""
    best: dict[str, tuple[float, tuple[str, ...]]] = {start: (0.0, ())}
    for candidates in order:
        best = {
            spot: min((cost + graph.distance(last, spot), (*way, spot)) for last, (cost, way) in best.items())
            for spot in candidates
        }
    return min((cost + graph.distance(last, destination), way) for last, (cost, way) in best.items())


def _through_a_park(graph: RoadGraph, spots: Sequence[str], legs: Sequence[Way]) -> Sequence[Way] | None:
    """Lead the one leg through a park where that costs least; ``None`` if no leg can."""
    options = []
    for index, (start, end) in enumerate(pairwise(spots)):
        way = graph.way_through_park(start, end)
        if way is not None:
            extra = sum(map(graph.cost, way)) - sum(map(graph.cost, legs[index]))
            options.append((extra, index, way))
    if not options:
        return None
    _, index, way = min(options, key=lambda option: option[:2])
    return [*legs[:index], way, *legs[index + 1 :]]
