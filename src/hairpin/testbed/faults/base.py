"""What a seeded fault is: a defect that hooks named points of a turn, and the record of its strikes.

It must not reach the replies by any other way than through these points.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, Self

from hairpin.domain.base import Value
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.sut_spec import FaultSpec
from hairpin.testbed.acts import Act, Request, Risky, SetDial
from hairpin.testbed.constraints import Constraint
from hairpin.testbed.faults.conditions import holds
from hairpin.testbed.faults.shared import SharedMemory
from hairpin.testbed.routes import NoRoute, Route
from hairpin.testbed.state import DialogueState
from hairpin.testbed.wishes import Wishes
from hairpin.testbed.wording import Phrase
from hairpin.testbed.world import City

Plan = Callable[[tuple[Constraint, ...]], Route | NoRoute]
"""Plans the current trip under given constraints."""

PlanFor = Callable[[Wishes], Route | NoRoute]
"""Plans the current trip under given wishes."""

Answer = tuple[DialogueState, tuple[Phrase, ...]]
"""The state after an act was carried out, and what is said to it."""


class FaultStrike(Value):
    """One time a fault changed what the assistant did: in which conversation, in which exchange, how.

    ``mode``: the failure mode that a tester should see in that exchange; ``None`` where one exchange shows nothing.
    ``visible``: whether the reply is another than it would have been; else only what is kept in mind is.
    """

    conversation_id: str
    t: int
    fault: str
    detail: str
    mode: str | None = None
    visible: bool = True


StrikeKey = tuple[str, str]
"""What tells the strikes of one turn apart: the fault and the detail."""


@dataclass(slots=True)
class FaultSession:
    """What the faults of one session share: whose it is, its random seed, and the strikes of the present turn.

    Attributes:
        conversation_id: the conversation.
        rng_seed: what its lots are drawn by.
        city: the map.
        shared: what the sessions of one adapter wrongly have in common.
        replaying: whether the turn was taken before, so that it must not reach other sessions or be reached by them.
        strikes: those of the present turn, in order.
        allowed: if given, the only strikes that may happen: the turn is rehearsed to see what each one changes.
    """

    conversation_id: str
    rng_seed: int
    city: City
    shared: SharedMemory = field(default_factory=SharedMemory)
    replaying: bool = False
    strikes: list[FaultStrike] = field(default_factory=list)
    allowed: frozenset[StrikeKey] | None = None


class Fault:
    """A fault that is off at every point; a subclass overrides the points at which it acts.

    An instance lives as long as a session and may remember what it has seen there, in attributes that are replaced,
    never changed in place: turns are rehearsed on copies.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    earns: ClassVar[str | None] = None

    def __init__(self, spec: FaultSpec, session: FaultSession) -> None:
        self.spec = spec
        self._session = session

    def begin(self, state: DialogueState) -> DialogueState:
        """Point: the state in which a turn begins."""
        return state

    def select(self, state: DialogueState, requests: tuple[Request, ...]) -> tuple[Request, ...]:
        """Point: the requests understood, before any is carried out."""
        del state
        return requests

    def carried_out(self, state: DialogueState, act: Act) -> Act:
        """Point: an act that is about to be carried out."""
        del state
        return act

    def complies(self, state: DialogueState, wish: Risky) -> bool:
        """Point: whether a wish that is unsafe is carried out all the same."""
        del state, wish
        return False

    def settles(self, state: DialogueState, options: tuple[str, ...]) -> bool:
        """Point: whether the first of ``options`` is taken instead of asking which of them is meant."""
        del state, options
        return False

    def dial_value(self, state: DialogueState, act: SetDial) -> float:
        """Point: the value that a dial is set to; ``act`` asks for one that it takes and does not have yet."""
        del state
        return act.value

    def answered(self, asked: Act, answer: Answer) -> Answer:
        """Point: what carrying out ``asked`` gave, as the user put it."""
        del asked
        return answer

    def constraints_for_route(
        self, state: DialogueState, constraints: tuple[Constraint, ...], plan: Plan
    ) -> tuple[Constraint, ...]:
        """Point: the constraints a route is planned under."""
        del state, plan
        return constraints

    def wishes_for_route(self, state: DialogueState, wishes: Wishes, plan: PlanFor) -> Wishes:
        """Point: the wishes about time, order and charge a route is planned under, and told by."""
        del state, plan
        return wishes

    def remembered(self, state: DialogueState, constraints: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
        """Point: the constraints told when the user asks for them."""
        del state
        return constraints

    def end(self, state: DialogueState) -> None:
        """Point: a turn is over, and this is the state it led to. Nothing can be changed any more."""
        del state

    def due(self, state: DialogueState, *what: str) -> bool:
        """Whether the fault may strike now: late enough in the conversation, its conditions hold, and it is drawn."""
        return state.t >= self.spec.after and self.may(state) and self.drawn(state.t, *what)

    def may(self, state: DialogueState) -> bool:
        """Whether all conditions of the fault hold."""
        return holds(self.spec.when, state)

    def drawn(self, t: int, *what: str) -> bool:
        """Whether the lot falls on exchange ``t``, with the fault's probability, anew for each ``what``."""
        draw = derive_rng_seed(self._session.rng_seed, "fault", self.id, str(t), *what)
        return draw / 2**63 < self.spec.probability

    def strike(self, state: DialogueState, detail: str, *, mode: str | None = None) -> bool:
        """Record that the fault changes this turn; ``False``: it must not, so that nothing may be changed.

        ``mode``: the failure mode to be seen, where it is another than the fault earns as a rule.
        """
        session = self._session
        if session.allowed is not None and (self.id, detail) not in session.allowed:
            return False
        strike = FaultStrike(
            conversation_id=session.conversation_id,
            t=state.t,
            fault=self.id,
            detail=detail,
            mode=mode or self.earns,
        )
        if strike not in session.strikes:
            session.strikes.append(strike)
        return True

    def moved_to(self, session: FaultSession) -> Self:
        """Return a copy that remembers the same and belongs to ``session``."""
        twin = copy.copy(self)
        twin._session = session
        return twin
