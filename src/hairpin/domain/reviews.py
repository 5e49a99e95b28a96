"""What is wrong with a simulated user over a whole conversation: such a conversation says nothing of the assistant.

It must not review; agents do.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from pydantic import Field

from hairpin.domain.base import Value


class SimulatorFaultKind(StrEnum):
    """What a simulated user does wrong."""

    LEAK = "leak"
    ENDED_EARLY = "ended_early"
    UNTRUE_CLAIM = "untrue_claim"
    UNREALISTIC_ESCALATION = "unrealistic_escalation"
    ROLE_SLIP = "role_slip"


FAULT_WORDS: Final = {
    SimulatorFaultKind.LEAK: "spoke of its brief",
    SimulatorFaultKind.ENDED_EARLY: "gave up without a reason",
    SimulatorFaultKind.UNTRUE_CLAIM: "claimed what did not happen",
    SimulatorFaultKind.UNREALISTIC_ESCALATION: "became hostile without a reason",
    SimulatorFaultKind.ROLE_SLIP: "spoke as the assistant",
}
"""What a simulated user did, in words."""


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

    @property
    def told(self) -> str:
        """What was found, in one line; '' where nothing was."""
        return "; ".join(f"turn {fault.t}: {FAULT_WORDS[fault.kind]}: {fault.evidence}" for fault in self.faults)
