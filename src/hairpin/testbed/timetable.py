"""When a trip reaches its stops and its destination, how long it stays, and what charge is left.

Everything is worked out from the legs of a route. It must not choose anything; ``planner`` does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hairpin.testbed.clock_time import DAY_MIN
from hairpin.testbed.routes import Route
from hairpin.testbed.vehicle import KM_PER_BATTERY_PERCENT
from hairpin.testbed.wishes import CHARGING_STAY_MIN, DEFAULT_STAY_MIN, Budget, Wishes
from hairpin.testbed.world import Category, City, Feature, Poi

RESERVE_PERCENT = 10
"""The charge left on arrival that a charging stop provides for when the user named none."""

FAST_PERCENT_PER_MIN = 2.0
SLOW_PERCENT_PER_MIN = 0.5


@dataclass(frozen=True, slots=True)
class Departure:
    """When a trip starts, in minutes since midnight, and with what charge, in percent."""

    time_min: int
    percent: float


@dataclass(frozen=True, slots=True)
class Leg:
    """The way from one stop to the next."""

    minutes: float
    km: float


@dataclass(frozen=True, slots=True)
class Visit:
    """Reaching a spot at ``arrives_min`` since midnight with ``percent`` charge, staying, and charging some."""

    spot: str
    arrives_min: int
    percent: float
    open: bool
    stay_min: int = 0
    charged_percent: float = 0.0


@dataclass(frozen=True, slots=True)
class Timetable:
    """The visits of a trip in order, its destination last."""

    departure: Departure
    visits: tuple[Visit, ...]

    @property
    def stops(self) -> tuple[Visit, ...]:
        """The visits before the destination."""
        return self.visits[:-1]

    @property
    def arrives_min(self) -> int:
        """When the destination is reached, in minutes since the midnight before departure."""
        return self.visits[-1].arrives_min

    @property
    def minutes(self) -> int:
        """How long the trip takes with its stays."""
        return self.arrives_min - self.departure.time_min

    @property
    def stays_min(self) -> int:
        """How much of that is spent at stops."""
        return sum(visit.stay_min for visit in self.stops)

    @property
    def percent(self) -> float:
        """The charge on arrival; below 0 when it does not last."""
        return self.visits[-1].percent

    @property
    def dry(self) -> bool:
        """Whether the battery does not last for some part of the trip."""
        return any(visit.percent < 0 for visit in self.visits)

    @property
    def closed(self) -> tuple[Visit, ...]:
        """The visits at which the place is closed."""
        return tuple(visit for visit in self.visits if not visit.open)

    def late_min(self, budget: Budget | None) -> int:
        """By how many minutes ``budget`` is missed, 0 if it is kept."""
        return max(0, self.arrives_min - budget.limit_min) if budget is not None else 0

    def lacking_percent(self, wanted: int | None) -> float:
        """By how much the charge on arrival, in full percent, falls short of ``wanted``."""
        return max(0, wanted - full_percent(self.percent)) if wanted is not None else 0


def full_percent(percent: float) -> int:
    """Return a charge as it is told: full percent, rounded down."""
    return math.floor(percent + 1e-9)


def timetable(city: City, route: Route, departure: Departure, wishes: Wishes) -> Timetable:
    """Return the timetable of ``route``, which the planner made."""
    return schedule(city, (*route.stops, route.destination), legs(route), departure, wishes)


def legs(route: Route) -> tuple[Leg, ...]:
    """Return the ways from stop to stop."""
    found: list[Leg] = []
    start = 0
    for size in route.leg_sizes or (len(route.roads),):
        roads = route.roads[start : start + size]
        found.append(Leg(sum(road.minutes for road in roads), sum(road.length_km for road in roads)))
        start += size
    return tuple(found)


def schedule(city: City, spots: Sequence[str], ways: Sequence[Leg], departure: Departure, wishes: Wishes) -> Timetable:
    """Return the timetable of a trip over ``spots``, the destination last, ``ways[i]`` leading to ``spots[i]``."""
    visits: list[Visit] = []
    driven_min, stayed_min, percent = 0.0, 0, departure.percent
    km_left = sum(way.km for way in ways)
    for index, (spot, way) in enumerate(zip(spots, ways, strict=True)):
        driven_min += way.minutes
        km_left -= way.km
        percent -= way.km / KM_PER_BATTERY_PERCENT
        arrives = departure.time_min + _whole(driven_min) + stayed_min
        poi = city.pois.get(spot)
        stay, charged = (0, 0.0) if index == len(spots) - 1 else _stay(poi, spot, percent, km_left, wishes)
        is_open = poi is None or poi.open_at(arrives % DAY_MIN)
        visits.append(Visit(spot, arrives, percent, is_open, stay, charged))
        stayed_min += stay
        percent += charged
    return Timetable(departure, tuple(visits))


def percent_per_minute(poi: Poi) -> float:
    """Return how fast ``poi``, a charging station, charges."""
    return FAST_PERCENT_PER_MIN if Feature.FAST_CHARGING in poi.features else SLOW_PERCENT_PER_MIN


def _whole(minutes: float) -> int:
    return max(1, math.floor(minutes + 0.5)) if minutes > 0 else 0


def _stay(poi: Poi | None, spot: str, percent: float, km_left: float, wishes: Wishes) -> tuple[int, float]:
    """Return the minutes spent at a stop, and what is charged in them."""
    said = wishes.stay(spot)
    if poi is None or poi.category is not Category.CHARGING_STATION:
        return (DEFAULT_STAY_MIN if said is None else said), 0.0
    speed = percent_per_minute(poi)
    if said is None:
        wanted = max(wishes.min_percent or 0, RESERVE_PERCENT)
        missing = min(100.0, wanted + km_left / KM_PER_BATTERY_PERCENT) - percent
        said = max(CHARGING_STAY_MIN, math.ceil(missing / speed))
    return said, min(100.0 - percent, said * speed)
