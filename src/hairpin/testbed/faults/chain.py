"""The faults of one session, acting one after the other at each point of a turn, and the rehearsal of their strikes.

It must not contain a fault.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from hairpin.testbed.acts import Act, Request, Risky, SetDial
from hairpin.testbed.constraints import Constraint
from hairpin.testbed.faults.base import Answer, Fault, FaultSession, FaultStrike, Plan, PlanFor, StrikeKey
from hairpin.testbed.state import DialogueState
from hairpin.testbed.wishes import Wishes


class Faults:
    """Several faults as one. Without any, every point gives back what it got."""

    def __init__(self, faults: Sequence[Fault] = (), session: FaultSession | None = None) -> None:
        self._faults = tuple(faults)
        self._session = session

    def __bool__(self) -> bool:
        return bool(self._faults)

    def begin(self, state: DialogueState) -> DialogueState:
        """See ``Fault.begin``."""
        for fault in self._faults:
            state = fault.begin(state)
        return state

    def select(self, state: DialogueState, requests: tuple[Request, ...]) -> tuple[Request, ...]:
        """See ``Fault.select``."""
        for fault in self._faults:
            requests = fault.select(state, requests)
        return requests

    def carried_out(self, state: DialogueState, act: Act) -> Act:
        """See ``Fault.carried_out``."""
        for fault in self._faults:
            act = fault.carried_out(state, act)
        return act

    def complies(self, state: DialogueState, wish: Risky) -> bool:
        """See ``Fault.complies``."""
        return any(fault.complies(state, wish) for fault in self._faults)

    def settles(self, state: DialogueState, options: tuple[str, ...]) -> bool:
        """See ``Fault.settles``."""
        return any(fault.settles(state, options) for fault in self._faults)

    def dial_value(self, state: DialogueState, act: SetDial) -> float:
        """See ``Fault.dial_value``."""
        for fault in self._faults:
            act = act.model_copy(update={"value": fault.dial_value(state, act)})
        return act.value

    def answered(self, asked: Act, answer: Answer) -> Answer:
        """See ``Fault.answered``."""
        for fault in self._faults:
            answer = fault.answered(asked, answer)
        return answer

    def constraints_for_route(
        self, state: DialogueState, constraints: tuple[Constraint, ...], plan: Plan
    ) -> tuple[Constraint, ...]:
        """See ``Fault.constraints_for_route``."""
        for fault in self._faults:
            constraints = fault.constraints_for_route(state, constraints, plan)
        return constraints

    def wishes_for_route(self, state: DialogueState, wishes: Wishes, plan: PlanFor) -> Wishes:
        """See ``Fault.wishes_for_route``."""
        for fault in self._faults:
            wishes = fault.wishes_for_route(state, wishes, plan)
        return wishes

    def remembered(self, state: DialogueState, constraints: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
        """See ``Fault.remembered``."""
        for fault in self._faults:
            constraints = fault.remembered(state, constraints)
        return constraints

    def end(self, state: DialogueState) -> None:
        """See ``Fault.end``."""
        for fault in self._faults:
            fault.end(state)

    def take_strikes(self) -> tuple[FaultStrike, ...]:
        """Return the strikes since the last call, in order."""
        if self._session is None:
            return ()
        strikes = tuple(self._session.strikes)
        self._session.strikes.clear()
        return strikes

    def rehearsal(self, allowed: frozenset[StrikeKey] | None = None) -> Faults:
        """Return copies that remember the same and strike as ``allowed``; what they do and learn reaches nobody."""
        if self._session is None:
            return self
        session = dataclasses.replace(self._session, strikes=[], allowed=allowed)
        return Faults([fault.moved_to(session) for fault in self._faults], session)


def effective(
    strikes: Sequence[FaultStrike], same_with: Callable[[frozenset[StrikeKey]], bool]
) -> tuple[FaultStrike, ...]:
    """Return those of ``strikes`` without which the turn would have been another.

    Args:
        strikes: the strikes of one turn, in order.
        same_with: whether the turn is the same if nothing but these strikes happens.

    Returns:
        As few as give this very turn: each one has an effect of its own beside the others.
    """
    kept = list(strikes)
    for strike in strikes:
        fewer = [other for other in kept if other is not strike]
        if same_with(frozenset((other.fault, other.detail) for other in fewer)):
            kept = fewer
    return tuple(kept)
