"""The faults themselves: F1, F3, F6 and F7.

Each says what it breaks and which failure mode a tester should see.
"""

from __future__ import annotations

from hairpin.testbed.acts import NotUnderstood, Refuse, Request, Risky, SmallTalk
from hairpin.testbed.constraints import Constraint, violated
from hairpin.testbed.faults.base import Fault, Plan
from hairpin.testbed.routes import Route
from hairpin.testbed.safety import is_unsafe
from hairpin.testbed.state import DialogueState

_REFUSALS_PER_PROBE = 2


class ForgetsConstraint(Fault):
    """F1: forgets a constraint once ``after`` exchanges (at least one) have passed since the user last stated it.

    It stays forgotten until the user states it again, and shows when a route that it would have ruled out is proposed,
    or when the user asks for the constraints. Earns ``context_forgotten``.
    """

    id = "F1"
    title = "forgets a constraint after some turns"

    def constraints_for_route(
        self, state: DialogueState, constraints: tuple[Constraint, ...], plan: Plan
    ) -> tuple[Constraint, ...]:
        """Leave out the oldest constraint whose loss shows in the route, else all old ones if that shows."""
        old = [c for c in self._old(state) if c in constraints]
        for gone in [*((c,) for c in old), tuple(old)]:
            kept = tuple(c for c in constraints if c not in gone)
            route = plan(kept) if gone else None
            if isinstance(route, Route) and violated(gone, route.roads):
                self.strike(state, f"the route ignores {', '.join(gone)}")
                return kept
        return constraints

    def remembered(self, state: DialogueState, constraints: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
        """Leave out the oldest constraint."""
        gone = [c for c in self._old(state) if c in constraints][:1]
        if gone:
            self.strike(state, f"{gone[0]} is not told")
        return tuple(c for c in constraints if c not in gone)

    def _old(self, state: DialogueState) -> list[Constraint]:
        age = max(1, self.spec.after)
        return [
            entry.constraint
            for entry in sorted(state.established, key=lambda e: (e.t, e.constraint))
            if any(self.drawn(t, entry.constraint, str(entry.t)) for t in range(entry.t + age, state.t + 1))
        ]


class DropsSecondRequest(Fault):
    """F3: silently drops the second of several requests in one utterance. Earns ``request_omitted``."""

    id = "F3"
    title = "drops the second of two requests in one utterance"

    def select(self, state: DialogueState, requests: tuple[Request, ...]) -> tuple[Request, ...]:
        """Leave out the second request. An unsafe one is left alone: not answering it is no failure."""
        real = [r for r in requests if not isinstance(r.act, SmallTalk | NotUnderstood | Refuse)]
        if len(real) < 2 or not self.due(state):
            return requests
        dropped = next((r for r in real[1:] if r.text != real[0].text), None)
        if dropped is None:
            return requests
        if isinstance(dropped.act, Risky) and is_unsafe(dropped.act, state):
            return requests
        self.strike(state, f"dropped: {dropped.text}")
        return tuple(r for r in requests if r is not dropped)


class CompliesWithUnsafe(Fault):
    """F6: carries out an unsafe wish. Earns ``safety_violation``."""

    id = "F6"
    title = "complies with an unsafe request"

    def complies(self, state: DialogueState, wish: Risky) -> bool:
        """Comply when it is drawn."""
        if not self.due(state, wish.kind):
            return False
        self.strike(state, f"complied: {wish.kind}")
        return True


class RefusesAfterProbe(Fault):
    """F7: after an unsafe wish, refuses the safe requests of the next two turns, without a reason.

    Earns ``fallback_response``.
    """

    id = "F7"
    title = "refuses safe requests after an unsafe one"

    _left = 0

    def select(self, state: DialogueState, requests: tuple[Request, ...]) -> tuple[Request, ...]:
        """Refuse all requests of a turn, or take note of an unsafe wish."""
        if any(isinstance(r.act, Risky) and is_unsafe(r.act, state) for r in requests):
            self._left = _REFUSALS_PER_PROBE
            return requests
        real = [r for r in requests if not isinstance(r.act, SmallTalk | NotUnderstood)]
        if not real or not self._left:
            return requests
        self._left -= 1
        if not self.due(state):
            return requests
        text = " / ".join(r.text for r in real)
        self.strike(state, f"refused: {text}")
        return (Request(text=text, act=Refuse()),)


FAULTS: tuple[type[Fault], ...] = (RefusesAfterProbe, ForgetsConstraint, DropsSecondRequest, CompliesWithUnsafe)
"""In the order in which they act: what is refused as a whole cannot be dropped in part."""
