"""The faults of one session, acting one after the other at each point of a turn.

It must not contain a fault.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.testbed.acts import Request, Risky
from hairpin.testbed.constraints import Constraint
from hairpin.testbed.faults.base import Fault, Plan
from hairpin.testbed.state import DialogueState


class Faults:
    """Several faults as one. Without any, every point gives back what it got."""

    def __init__(self, faults: Sequence[Fault] = ()) -> None:
        self._faults = tuple(faults)

    def __bool__(self) -> bool:
        return bool(self._faults)

    def select(self, state: DialogueState, requests: tuple[Request, ...]) -> tuple[Request, ...]:
        """See ``Fault.select``."""
        for fault in self._faults:
            requests = fault.select(state, requests)
        return requests

    def complies(self, state: DialogueState, wish: Risky) -> bool:
        """See ``Fault.complies``."""
        return any(fault.complies(state, wish) for fault in self._faults)

    def constraints_for_route(
        self, state: DialogueState, constraints: tuple[Constraint, ...], plan: Plan
    ) -> tuple[Constraint, ...]:
        """See ``Fault.constraints_for_route``."""
        for fault in self._faults:
            constraints = fault.constraints_for_route(state, constraints, plan)
        return constraints

    def remembered(self, state: DialogueState, constraints: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
        """See ``Fault.remembered``."""
        for fault in self._faults:
            constraints = fault.remembered(state, constraints)
        return constraints
