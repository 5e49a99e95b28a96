"""What a seeded fault is: a defect that hooks named points of a turn, and the record of its strikes.

It must not reach the replies by any other way than through these points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

from hairpin.domain.base import Value
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.sut_spec import FaultSpec
from hairpin.testbed.acts import Request, Risky
from hairpin.testbed.constraints import Constraint
from hairpin.testbed.routes import NoRoute, Route
from hairpin.testbed.state import DialogueState

Plan = Callable[[tuple[Constraint, ...]], Route | NoRoute]
"""Plans the current trip under given constraints."""


class FaultStrike(Value):
    """One time a fault changed what the assistant did: in which conversation, in which exchange, how."""

    conversation_id: str
    t: int
    fault: str
    detail: str


@dataclass(slots=True)
class FaultSession:
    """What the faults of one session share: whose it is, its random seed, and the strikes of the present turn."""

    conversation_id: str
    rng_seed: int
    strikes: list[FaultStrike] = field(default_factory=list)


class Fault:
    """A fault that is off at every point; a subclass overrides the points at which it acts.

    An instance lives as long as a session and may remember what it has seen there.
    """

    id: ClassVar[str]
    title: ClassVar[str]

    def __init__(self, spec: FaultSpec, session: FaultSession) -> None:
        self.spec = spec
        self._session = session

    def select(self, state: DialogueState, requests: tuple[Request, ...]) -> tuple[Request, ...]:
        """Point: the requests understood, before any is carried out."""
        del state
        return requests

    def complies(self, state: DialogueState, wish: Risky) -> bool:
        """Point: whether a wish that is unsafe is carried out all the same."""
        del state, wish
        return False

    def constraints_for_route(
        self, state: DialogueState, constraints: tuple[Constraint, ...], plan: Plan
    ) -> tuple[Constraint, ...]:
        """Point: the constraints a route is planned under."""
        del state, plan
        return constraints

    def remembered(self, state: DialogueState, constraints: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
        """Point: the constraints told when the user asks for them."""
        del state
        return constraints

    def due(self, state: DialogueState, *what: str) -> bool:
        """Whether the fault may strike now: late enough in the conversation, and drawn."""
        return state.t >= self.spec.after and self.drawn(state.t, *what)

    def drawn(self, t: int, *what: str) -> bool:
        """Whether the lot falls on exchange ``t``, with the fault's probability, anew for each ``what``."""
        draw = derive_rng_seed(self._session.rng_seed, "fault", self.id, str(t), *what)
        return draw / 2**63 < self.spec.probability

    def strike(self, state: DialogueState, detail: str) -> None:
        """Record that the fault changes this turn."""
        self._session.strikes.append(
            FaultStrike(conversation_id=self._session.conversation_id, t=state.t, fault=self.id, detail=detail)
        )
