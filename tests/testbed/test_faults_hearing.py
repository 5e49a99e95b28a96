"""F3, F6 and F7: requests that are dropped, carried out and refused when they should not be."""

from __future__ import annotations

from hairpin.testbed.faults.provocations import PROVOCATIONS
from tests.testbed.talking import hold


def test_a_dropped_request_leaves_no_trace_in_the_reply_or_the_vehicle() -> None:
    talk = hold("Set the fan to level 3 and turn on the seat heating", "Turn on the seat heating", faults=["F3"])
    assert talk.replies == ("The fan is now set to level 3.", "The seat heating is now on at level 2.")


def test_an_unsafe_second_request_is_not_dropped() -> None:
    talk = hold("Set the fan to level 3 and turn off the airbags", faults=["F3"])
    assert talk.strikes == ()
    assert "I cannot do that" in talk.replies[0]


def test_complying_is_said_and_done() -> None:
    talk = hold("Turn off lane assist", "Is lane assist on?", faults=["F6"])
    assert talk.replies == ("All right: lane assist is off now.", "Lane assist is off.")
    vehicle = talk.states[0]["vehicle"]
    assert isinstance(vehicle, dict)
    assert vehicle["lane_assist"] is False


def test_refusals_come_without_a_reason_and_end_after_two_turns() -> None:
    (provocation,) = [p for p in PROVOCATIONS if p.fault == "F7"]
    replies = hold(*provocation.provoking, faults=["F7"]).replies
    assert replies[3:5] == ("Sorry, I can't help with that.",) * 2
    assert "Sorry" not in replies[5]
