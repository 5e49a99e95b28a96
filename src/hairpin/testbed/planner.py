"""Route planning: the fastest route that satisfies every constraint and, where it can be, every other wish.

It knows nothing of the dialogue and never relaxes a constraint on roads by itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations, pairwise, permutations

from hairpin.testbed.constraints import Constraint, violated
from hairpin.testbed.orders import Choices, Score, feasible, rank, score_of, seek
from hairpin.testbed.road_graph import RoadGraph, Way, road_graph
from hairpin.testbed.routes import NoRoute, Route
from hairpin.testbed.timetable import Departure, timetable
from hairpin.testbed.wishes import NO_WISHES, Wishes
from hairpin.testbed.world import Category, City

MAX_STOPS = 5
"""Every order of the stops is tried, so their number is bounded."""


def plan_route(
    city: City,
    start: str,
    destination: str,
    choices: Choices,
    constraints: Iterable[Constraint],
    *,
    departure: Departure | None = None,
    wishes: Wishes = NO_WISHES,
) -> Route | NoRoute:
    """Return the best route, or what makes it impossible.

    Args:
        city: the map.
        start: id of a place or point of interest.
        destination: likewise.
        choices: the stops, in any order; the best order and the best candidate for each are chosen.
        constraints: all of them are satisfied by a returned ``Route``.
        departure: when and with what charge it starts; without it neither hours, limit nor charge count.
        wishes: satisfied if any route does; else the battery comes first, then hours, the limit and the charge on
            arrival. The order of stops is always kept.

    Raises:
        ValueError: the map does not connect the two at all.
    """
    wanted = frozenset(constraints)
    route = _best(city, start, destination, choices, wanted, departure, wishes)
    if route is not None:
        return route
    for size in range(1, len(wanted) + 1):
        for blockers in combinations(sorted(wanted), size):
            otherwise = _best(city, start, destination, choices, wanted - set(blockers), departure, wishes)
            if otherwise is not None:
                return NoRoute(
                    destination=destination, constraints=tuple(sorted(wanted)), blockers=blockers, otherwise=otherwise
                )
    raise ValueError(f"the map does not connect {start!r} with {destination!r}")


@lru_cache(maxsize=4096)
def drive(city: City, start: str, destination: str) -> Route:
    """Return the fastest route without any condition."""
    graph = road_graph(city, ())
    return Route(start=start, destination=destination, roads=graph.way(start, destination))


@lru_cache(maxsize=8192)
def _best(
    city: City,
    start: str,
    destination: str,
    choices: Choices,
    constraints: frozenset[Constraint],
    departure: Departure | None,
    wishes: Wishes,
) -> Route | None:
    graph = road_graph(city, constraints)
    length, stops = min(
        _cheapest(graph, start, destination, [choices[index] for index in order])
        for order in allowed_orders(choices, wishes)
    )
    if length == math.inf:
        return None
    route = _route(graph, (start, *stops, destination), constraints)
    if departure is None or route is None:
        return route
    if feasible(_score(city, route, departure, wishes)) and not _charger_is_open(city, choices):
        return route
    return _adapted(city, route, choices, constraints, departure, wishes)


def allowed_orders(choices: Choices, wishes: Wishes) -> list[tuple[int, ...]]:
    """Return the orders of ``choices``, by index, that ``wishes`` permit."""
    pairs = [
        (i, j)
        for i, earlier in enumerate(choices)
        for j, later in enumerate(choices)
        if any(a in earlier and b in later for a, b in wishes.order)
    ]
    every = list(permutations(range(len(choices))))
    return [order for order in every if all(order.index(i) < order.index(j) for i, j in pairs)] or every


def _charger_is_open(city: City, choices: Choices) -> bool:
    """Whether it is left open where to charge: then the time it takes there counts too."""
    several = (choice[0] for choice in choices if len(choice) > 1)
    return any(spot in city.pois and city.pois[spot].category is Category.CHARGING_STATION for spot in several)


def _adapted(
    city: City,
    shortest: Route,
    choices: Choices,
    constraints: frozenset[Constraint],
    departure: Departure,
    wishes: Wishes,
) -> Route:
    """Return the route that comes closest to the wishes, the shortest of several."""
    found = [shortest]
    scenic = Constraint.SCENIC in constraints
    for hurried in (False, True) if scenic else (False,):
        graph = road_graph(city, constraints, hurried=hurried)
        ends = (shortest.start, shortest.destination)
        orders = allowed_orders(choices, wishes)
        for stops in seek(city, graph, ends, choices, orders, departure, wishes, keep=8 if scenic else 1):
            route = _route(graph, (ends[0], *stops, ends[1]), constraints)
            found += [route] if route is not None else []
    return min(found, key=lambda route: rank(_score(city, route, departure, wishes)))


def _score(city: City, route: Route, departure: Departure, wishes: Wishes) -> Score:
    return score_of(timetable(city, route, departure, wishes), wishes, route.minutes)


def _route(graph: RoadGraph, spots: tuple[str, ...], constraints: frozenset[Constraint]) -> Route | None:
    """Return the cheapest route over ``spots`` in this order, ``None`` if it cannot satisfy ``constraints``."""
    legs: Sequence[Way] | None = [graph.way(a, b) for a, b in pairwise(spots)]
    if legs and violated(constraints, (road for leg in legs for road in leg)):
        legs = _through_a_park(graph, spots, legs)
    if legs is None:
        return None
    return Route(
        start=spots[0],
        destination=spots[-1],
        stops=spots[1:-1],
        roads=tuple(road for leg in legs for road in leg),
        leg_sizes=tuple(len(leg) for leg in legs),
    )


def _cheapest(
    graph: RoadGraph, start: str, destination: str, order: Sequence[tuple[str, ...]]
) -> tuple[float, tuple[str, ...]]:
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
