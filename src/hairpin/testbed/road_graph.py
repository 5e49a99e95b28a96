"""The road network under given constraints: shortest ways and their costs.

It must not choose stops; ``planner`` does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import pairwise
from typing import cast

import networkx as nx

from hairpin.testbed.constraints import Constraint, allows
from hairpin.testbed.timetable import Leg
from hairpin.testbed.world import City, Road

Way = tuple[Road, ...]

_Search = tuple[dict[str, float], dict[str, list[str]]]

_PARK_FACTOR = 0.6
"""How short a minute in a park counts when a scenic route is wanted."""

_ACCESS_KMH = 30


class RoadGraph:
    """The part of the map that ``constraints`` allow. Points of interest hang on their place by an access road.

    ``hurried``: every minute counts in full, in a park too.
    """

    def __init__(self, city: City, constraints: frozenset[Constraint], *, hurried: bool = False) -> None:
        self._scenic = Constraint.SCENIC in constraints and not hurried
        self._graph: nx.MultiGraph[str] = nx.MultiGraph()
        self._graph.add_nodes_from(city.places)
        self._roads = tuple(road for road in city.roads if allows(constraints, road))
        for road in (*self._roads, *access_roads(city)):
            self._graph.add_edge(*road.ends, road=road, cost=self.cost(road))
        self._from: dict[str, _Search] = {}
        self._legs: dict[tuple[str, str], Leg] = {}

    def cost(self, road: Road) -> float:
        """Return the minutes ``road`` counts: fewer than it takes if a scenic route is wanted and it is one."""
        return road.minutes * (_PARK_FACTOR if self._scenic and road.park else 1.0)

    def distance(self, start: str, end: str) -> float:
        """Return the cost of the cheapest way, infinite if there is none."""
        return self._search(start)[0].get(end, math.inf)

    def way(self, start: str, end: str) -> Way:
        """Return the roads of the cheapest way. Raises KeyError if there is none."""
        nodes = self._search(start)[1][end]
        return tuple(self._cheapest(a, b) for a, b in pairwise(nodes))

    def leg(self, start: str, end: str) -> Leg:
        """Return time and length of the cheapest way. Raises KeyError if there is none."""
        key = (start, end)
        if key not in self._legs:
            roads = self.way(start, end)
            self._legs[key] = Leg(sum(road.minutes for road in roads), sum(road.length_km for road in roads))
        return self._legs[key]

    def way_through_park(self, start: str, end: str) -> Way | None:
        """Return the cheapest way that runs through a park, or ``None``."""
        best: tuple[float, str, str, Road] | None = None
        for road in self._roads:
            if not road.park:
                continue
            for near, far in (road.ends, road.ends[::-1]):
                cost = self.distance(start, near) + self.cost(road) + self.distance(far, end)
                if cost < (best[0] if best else math.inf):
                    best = (cost, near, far, road)
        if best is None:
            return None
        _, near, far, road = best
        return (*self.way(start, near), road, *self.way(far, end))

    def _search(self, start: str) -> _Search:
        if start not in self._from:
            found = nx.single_source_dijkstra(self._graph, start, weight="cost")
            self._from[start] = cast("_Search", found)  # to all targets; with one target it would be a pair
        return self._from[start]

    def _cheapest(self, a: str, b: str) -> Road:
        edge = min(self._graph[a][b].values(), key=lambda data: data["cost"])
        road: Road = edge["road"]
        return road


@cache
def access_roads(city: City) -> tuple[Road, ...]:
    """Return the short streets that lead from a place to each point of interest."""
    return tuple(
        Road(
            id=f"access_{poi.id}",
            name=poi.street,
            ends=(poi.at, poi.id),
            length_km=poi.access_km,
            speed_kmh=_ACCESS_KMH,
        )
        for poi in city.pois.values()
    )


@lru_cache(maxsize=64)
def _road_graph(city: City, constraints: frozenset[Constraint], hurried: bool) -> RoadGraph:
    return RoadGraph(city, constraints, hurried=hurried)


def road_graph(city: City, constraints: Iterable[Constraint], *, hurried: bool = False) -> RoadGraph:
    """Return the graph for ``constraints``; graphs are built once and shared, they never change what they answer."""
    return _road_graph(city, frozenset(constraints), hurried)
