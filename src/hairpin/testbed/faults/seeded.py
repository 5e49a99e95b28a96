"""The seeded faults that there are, in the order in which they act.

Each one is in a module of its theme; none is here.
"""

from __future__ import annotations

from hairpin.testbed.faults.base import Fault
from hairpin.testbed.faults.binding import BindsWrongEntity, TakesFirstMatch
from hairpin.testbed.faults.hearing import CompliesWithUnsafe, DropsSecondRequest, RefusesAfterProbe
from hairpin.testbed.faults.leaking import LeaksBetweenSessions
from hairpin.testbed.faults.losing import ForgetsConstraint, OverwritesConstraint
from hairpin.testbed.faults.mistaking import WrongCategory, WrongValue
from hairpin.testbed.faults.planning import PlansPoorly
from hairpin.testbed.faults.stale import StaleAnswer

FAULTS: tuple[type[Fault], ...] = (
    LeaksBetweenSessions,
    RefusesAfterProbe,
    DropsSecondRequest,
    WrongCategory,
    BindsWrongEntity,
    TakesFirstMatch,
    CompliesWithUnsafe,
    WrongValue,
    PlansPoorly,
    ForgetsConstraint,
    OverwritesConstraint,
    StaleAnswer,
)
"""What is refused as a whole cannot be dropped in part, and what is dropped is not mistaken for something else.

An act is first bound to the wrong place, then carried out; what that gave is replaced by an old answer last.
"""
