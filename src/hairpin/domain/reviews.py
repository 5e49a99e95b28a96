"""What is wrong with a simulated user over a whole conversation: such a conversation says nothing of the assistant.

It must not review; agents do.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from hairpin.domain.base import Value


class SimulatorFaultKind(StrEnum):
    """What a simulated user does wrong."""

    LEAK = "leak"
    ENDED_EARLY = "ended_early"
    UNTRUE_CLAIM = "untrue_claim"
    UNREALISTIC_ESCALATION = "unrealistic_escalation"
    ROLE_SLIP = "role_slip"


class SimulatorFault(Value):
    """One thing wrong, at u_t."""

    kind: SimulatorFaultKind
    t: int = Field(ge=0)
    evidence: str


class SimulatorReview(Value):
    """What was found in a conversation's user; nothing found: its user may have been real."""

    reasoning: str = ""
    faults: tuple[SimulatorFault, ...] = ()

    @property
    def spoiled(self) -> bool:
        """Whether the conversation says nothing of the assistant."""
        return bool(self.faults)
