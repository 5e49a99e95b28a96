"""A planned route, and the answer that there is none.

Values only; ``planner`` finds them.
"""

from __future__ import annotations

from hairpin.domain.base import Value
from hairpin.testbed.constraints import Constraint
from hairpin.testbed.world import Road


class Route(Value):
    """A route from ``start`` over ``stops``, in driving order, to ``destination``; ``roads`` in driving order.

    ``leg_sizes``: how many of the roads lead to each stop and to the destination; empty: all to the destination.
    """

    start: str
    destination: str
    stops: tuple[str, ...] = ()
    roads: tuple[Road, ...]
    leg_sizes: tuple[int, ...] = ()

    @property
    def minutes(self) -> float:
        """Driving time."""
        return sum(road.minutes for road in self.roads)

    @property
    def km(self) -> float:
        """Length."""
        return sum(road.length_km for road in self.roads)

    @property
    def motorways(self) -> tuple[str, ...]:
        """The names of the motorways it uses."""
        return tuple(dict.fromkeys(road.name for road in self.roads if road.motorway))

    @property
    def tolls(self) -> tuple[str, ...]:
        """The names of the toll roads it uses."""
        return tuple(dict.fromkeys(road.name for road in self.roads if road.toll))

    @property
    def parks(self) -> tuple[str, ...]:
        """The parks it runs through."""
        return tuple(dict.fromkeys(road.park for road in self.roads if road.park))


class NoRoute(Value):
    """Nothing satisfies ``constraints``; without ``blockers`` (as few as possible) ``otherwise`` would."""

    destination: str
    constraints: tuple[Constraint, ...]
    blockers: tuple[Constraint, ...]
    otherwise: Route
