"""Reviews of simulated users."""

from __future__ import annotations

from hairpin.domain.reviews import SimulatorFault, SimulatorFaultKind, SimulatorReview


def test_one_fault_spoils_a_conversation_and_none_does_not() -> None:
    fault = SimulatorFault(kind=SimulatorFaultKind.LEAK, t=2, evidence="As an AI user simulator")
    assert SimulatorReview(faults=(fault,)).spoiled
    assert not SimulatorReview(reasoning="nothing odd").spoiled
