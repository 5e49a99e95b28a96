"""Orders and choices of stops by what they do to hours, a time limit and the battery.

Used by ``planner`` when the shortest trip does not satisfy the wishes. It must not build routes.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from hairpin.testbed.clock_time import DAY_MIN
from hairpin.testbed.road_graph import RoadGraph
from hairpin.testbed.timetable import Departure, Timetable, schedule
from hairpin.testbed.wishes import Wishes
from hairpin.testbed.world import City

Choices = tuple[tuple[str, ...], ...]
"""One entry per stop: the points of interest that would do, one of which is visited."""

MAX_TRIPS = 4000
"""How many trips are compared; the farthest candidates of the longest choice are left out until they are as few."""


@dataclass(frozen=True, slots=True)
class Score:
    """How far a trip is from what is wished; ``minutes`` of driving and charging decide between equals."""

    dry: bool
    n_closed: int
    late_min: int
    lacking_percent: float
    minutes: float


def score_of(times: Timetable, wishes: Wishes, minutes: float) -> Score:
    """Return the score of a trip of so many ``minutes`` of driving."""
    return Score(
        dry=times.dry,
        n_closed=len(times.closed) if wishes.hours else 0,
        late_min=times.late_min(wishes.budget),
        lacking_percent=times.lacking_percent(wishes.min_percent),
        minutes=minutes + sum(visit.stay_min for visit in times.stops if visit.charged_percent > 0),
    )


def feasible(score: Score) -> bool:
    """Whether nothing is missing."""
    return not (score.dry or score.n_closed or score.late_min or score.lacking_percent)


def rank(score: Score) -> tuple[bool, int, int, float, float]:
    """Return what trips are compared by, the best first."""
    return score.dry, score.n_closed, score.late_min, score.lacking_percent, round(score.minutes, 6)


def seek(
    city: City,
    graph: RoadGraph,
    ends: tuple[str, str],
    choices: Choices,
    orders: Sequence[tuple[int, ...]],
    departure: Departure,
    wishes: Wishes,
    *,
    keep: int,
) -> list[tuple[str, ...]]:
    """Return the stops, in driving order, of the ``keep`` best trips between ``ends``."""
    left = _fewer(city, graph, ends, choices, departure, len(orders))
    ranked = _ranked(city, graph, ends, left, orders, departure, wishes)
    return [stops for _, stops in heapq.nsmallest(keep, ranked)]


def _ranked(
    city: City,
    graph: RoadGraph,
    ends: tuple[str, str],
    choices: Choices,
    orders: Sequence[tuple[int, ...]],
    departure: Departure,
    wishes: Wishes,
) -> Iterator[tuple[tuple[bool, int, int, float, float], tuple[str, ...]]]:
    for order in orders:
        for stops in product(*(choices[index] for index in order)):
            spots = (ends[0], *stops, ends[1])
            if any(graph.distance(a, b) == math.inf for a, b in pairwise(spots)):
                continue
            ways = [graph.leg(a, b) for a, b in pairwise(spots)]
            times = schedule(city, spots[1:], ways, departure, wishes)
            yield rank(score_of(times, wishes, sum(way.minutes for way in ways))), stops


def _fewer(
    city: City, graph: RoadGraph, ends: tuple[str, str], choices: Choices, departure: Departure, n_orders: int
) -> Choices:
    def detour(spot: str) -> tuple[bool, float, str]:
        there = graph.distance(ends[0], spot)
        length = there + graph.distance(spot, ends[1])
        return length == math.inf or not _open(city, spot, departure.time_min + there), length, spot

    ordered = [sorted(choice, key=detour) for choice in choices]
    while n_orders * math.prod(map(len, ordered)) > MAX_TRIPS and max(map(len, ordered)) > 1:
        max(ordered, key=len).pop()
    return tuple(map(tuple, ordered))


def _open(city: City, spot: str, time_min: float) -> bool:
    poi = city.pois.get(spot)
    return poi is None or poi.open_at(int(time_min) % DAY_MIN)
