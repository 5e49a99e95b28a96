"""How many simulated users spoiled their conversation."""

from __future__ import annotations

import pytest

from hairpin.domain.review_counts import ReviewTally, SimulatorSummary
from hairpin.domain.reviews import SimulatorFault, SimulatorFaultKind, SimulatorReview


def spoiled(*kinds: SimulatorFaultKind) -> SimulatorReview:
    return SimulatorReview(faults=tuple(SimulatorFault(kind=kind, t=t, evidence="x") for t, kind in enumerate(kinds)))


def counted(*reviews: SimulatorReview | None) -> SimulatorSummary:
    tally = ReviewTally()
    for review in reviews:
        tally.add(review)
    return tally.summary()


def test_without_a_review_there_is_no_share() -> None:
    assert counted() == counted(None, None) == SimulatorSummary()


def test_the_share_is_of_what_was_reviewed_with_its_interval() -> None:
    found = counted(None, *[SimulatorReview()] * 3, spoiled(SimulatorFaultKind.LEAK))
    assert (found.reviewed, found.spoiled, found.share) == (4, 1, 0.25)
    assert found.low == pytest.approx(0.04559, abs=1e-5)
    assert found.high == pytest.approx(0.69936, abs=1e-5)


def test_a_conversation_counts_once_per_kind_however_often_the_fault_is_in_it() -> None:
    leak, slip = SimulatorFaultKind.LEAK, SimulatorFaultKind.ROLE_SLIP
    assert counted(spoiled(leak, leak, slip), spoiled(leak)).by_kind == {"leak": 2, "role_slip": 1}


def test_what_was_found_is_told_in_one_line() -> None:
    review = spoiled(SimulatorFaultKind.LEAK, SimulatorFaultKind.ROLE_SLIP)
    assert review.told == "turn 0: spoke of its brief: x; turn 1: spoke as the assistant: x"
    assert SimulatorReview().told == ""
