"""The conditions a user can put on routes, and those in force.

Whether a route satisfies them is decided on its roads, never on words.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from hairpin.domain.base import Value
from hairpin.testbed.world import Road


class Constraint(StrEnum):
    """A condition on every road of a route (the two avoidances) or on the route as a whole (scenic)."""

    AVOID_TOLLS = "avoid_tolls"
    AVOID_MOTORWAYS = "avoid_motorways"
    SCENIC = "scenic"


class Established(Value):
    """A constraint the user put in force, and the exchange in which it was last said."""

    constraint: Constraint
    t: int


def established(old: tuple[Established, ...], new: Iterable[Constraint], *, t: int) -> tuple[Established, ...]:
    """Return the constraints in force after the user asked for ``new`` in exchange ``t``."""
    wanted = tuple(dict.fromkeys(new))
    kept = tuple(entry for entry in old if entry.constraint not in wanted)
    return kept + tuple(Established(constraint=constraint, t=t) for constraint in wanted)


def lifted(old: tuple[Established, ...], gone: Iterable[Constraint]) -> tuple[Established, ...]:
    """Return the constraints in force after the user took ``gone`` back."""
    dropped = set(gone)
    return tuple(entry for entry in old if entry.constraint not in dropped)


def allows(constraints: Iterable[Constraint], road: Road) -> bool:
    """Whether ``road`` may be part of a route under ``constraints``."""
    wanted = set(constraints)
    return not (road.toll and Constraint.AVOID_TOLLS in wanted) and not (
        road.motorway and Constraint.AVOID_MOTORWAYS in wanted
    )


def violated(constraints: Iterable[Constraint], roads: Iterable[Road]) -> tuple[Constraint, ...]:
    """Return those of ``constraints`` that a route over ``roads`` does not satisfy."""
    driven = tuple(roads)
    return tuple(c for c in constraints if not _satisfied(c, driven))


def _satisfied(constraint: Constraint, roads: tuple[Road, ...]) -> bool:
    if constraint is Constraint.SCENIC:
        return any(road.park for road in roads)
    return all(allows((constraint,), road) for road in roads)
