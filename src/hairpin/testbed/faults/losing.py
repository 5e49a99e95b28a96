"""Faults that lose what the user established: F1 and F2.

Neither touches the state: a loss is worked out anew wherever it would show.
"""

from __future__ import annotations

from hairpin.testbed.constraints import Constraint, Established, violated
from hairpin.testbed.faults.base import Fault, Plan
from hairpin.testbed.routes import Route
from hairpin.testbed.state import DialogueState


class ForgetsConstraint(Fault):
    """F1: forgets a constraint once ``after`` exchanges (at least one) have passed since the user last stated it.

    It stays forgotten until the user states it again, and shows when a route that it would have ruled out is proposed,
    or when the user asks for the constraints. Earns ``context_forgotten``.
    """

    id = "F1"
    title = "forgets a constraint after some turns"
    earns = "context_forgotten"

    def constraints_for_route(
        self, state: DialogueState, constraints: tuple[Constraint, ...], plan: Plan
    ) -> tuple[Constraint, ...]:
        """Leave out the oldest constraint whose loss shows in the route, else all old ones if that shows."""
        old = [c for c in self._old(state) if c in constraints]
        for gone in [*((c,) for c in old), tuple(old)]:
            kept = tuple(c for c in constraints if c not in gone)
            route = plan(kept) if gone else None
            if isinstance(route, Route) and violated(gone, route.roads):
                return kept if self.strike(state, f"the route ignores {', '.join(gone)}") else constraints
        return constraints

    def remembered(self, state: DialogueState, constraints: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
        """Leave out the oldest constraint."""
        gone = [c for c in self._old(state) if c in constraints][:1]
        if not gone or not self.strike(state, f"{gone[0]} is not told"):
            return constraints
        return tuple(c for c in constraints if c not in gone)

    def _old(self, state: DialogueState) -> list[Constraint]:
        age = max(1, self.spec.after)
        if not self.may(state):
            return []
        return [
            entry.constraint
            for entry in sorted(state.established, key=lambda e: (e.t, e.constraint))
            if any(self.drawn(t, entry.constraint, str(entry.t)) for t in range(entry.t + age, state.t + 1))
        ]


class OverwritesConstraint(Fault):
    """F2: keeps one constraint only, so that a new one overwrites those before it, said with it or earlier.

    The lot of an overwriting falls in the exchange in which the new constraint is stated, and not before ``after``. It
    shows when a route that the old one would have ruled out is proposed, or when the user asks for the constraints.
    Earns ``constraint_missed`` where this exchange states the old one; of one from an earlier exchange,
    ``context_forgotten``, as the rubric divides the two.
    """

    id = "F2"
    title = "a new constraint overwrites the old one"
    earns = "constraint_missed"

    def constraints_for_route(
        self, state: DialogueState, constraints: tuple[Constraint, ...], plan: Plan
    ) -> tuple[Constraint, ...]:
        """Leave out what was overwritten if that shows in the route."""
        old = [entry for entry in self._overwritten(state) if entry.constraint in constraints]
        gone = tuple(entry.constraint for entry in old)
        kept = tuple(c for c in constraints if c not in gone)
        route = plan(kept) if gone else None
        if not isinstance(route, Route):
            return constraints
        broken = violated(gone, route.roads)
        if not broken or not self._lost(state, [e for e in old if e.constraint in broken], "the route ignores"):
            return constraints
        return kept

    def remembered(self, state: DialogueState, constraints: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
        """Leave out what was overwritten."""
        old = [entry for entry in self._overwritten(state) if entry.constraint in constraints]
        if not old or not self._lost(state, old, "not told:"):
            return constraints
        return tuple(c for c in constraints if c not in {entry.constraint for entry in old})

    def _overwritten(self, state: DialogueState) -> list[Established]:
        entries = state.established
        if not self.may(state):
            return []
        return [old for index, old in enumerate(entries) if any(self._overwrites(new) for new in entries[index + 1 :])]

    def _overwrites(self, new: Established) -> bool:
        return new.t >= self.spec.after and self.drawn(new.t, new.constraint)

    def _lost(self, state: DialogueState, lost: list[Established], how: str) -> bool:
        just_said = any(entry.t == state.t for entry in lost)
        names = ", ".join(entry.constraint for entry in lost)
        return self.strike(state, f"{how} {names}", mode=None if just_said else "context_forgotten")
