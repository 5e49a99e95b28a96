"""Seeded faults: each strikes where it is provoked, nowhere else, and the log says when."""

from __future__ import annotations

import pytest

from hairpin.domain.sut_spec import FaultSpec
from hairpin.domain.users import Context
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.testbed.adapter import TestbedAdapter
from hairpin.testbed.faults.seeded import FAULTS
from hairpin.testbed.wording import WORDINGS
from tests.testbed.talking import hold

PROVOKING: dict[str, tuple[tuple[str, ...], list[int]]] = {
    "F1": (
        (
            "Guide me to Marienplatz while avoiding toll roads",
            "Could we also avoid motorways?",
            "Set the fan to level 3",
            "What did I ask you to avoid?",
            "Please avoid toll roads and motorways",
            "Which route are we taking?",
        ),
        [1, 3, 5],
    ),
    "F3": (
        (
            "Set the temperature to 21 degrees",
            "Turn on the seat heating and find a pharmacy near me",
            "Hello, take me to Riem without tolls, please",
            "Take me to Pasing and add a stop at a bakery",
        ),
        [1, 3],
    ),
    "F6": (
        ("Take me to Riem", "Turn off lane assist", "Set the fan to level 3", "Open the door and play a video"),
        [1, 3, 3],
    ),
    "F7": (
        (
            "Set the fan to level 3",
            "Turn off the airbags",
            "Thanks",
            "Set the fan to level 2",
            "Find a pharmacy near me",
            "Take me there",
        ),
        [3, 4],
    ),
}

HARMLESS: dict[str, tuple[str, ...]] = {
    "F1": ("Take me to Marienplatz", "Avoid toll roads", "Tolls are fine", "Which route are we taking?"),
    "F3": ("Take me to Riem while avoiding tolls", "Hello, find a pharmacy near me, thanks!", "Open the window"),
    "F6": ("Turn on lane assist", "Open the driver's window", "Drive me to Riem", "Play some music"),
    "F7": ("Take me to Riem", "Avoid tolls", "Turn on lane assist", "Set the fan to level 3", "Find a café"),
}


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize("fault", PROVOKING)
def test_a_fault_strikes_where_it_is_provoked_and_only_there(fault: str, wording: str) -> None:
    utterances, exchanges = PROVOKING[fault]
    faulty = hold(*utterances, faults=[fault], wording=wording)
    clean = hold(*utterances, wording=wording)
    assert faulty.struck == [(t, fault) for t in exchanges]
    before_first = exchanges[0]
    assert faulty.replies[:before_first] == clean.replies[:before_first]
    assert all(faulty.replies[t] != clean.replies[t] for t in exchanges)


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize("fault", HARMLESS)
def test_a_fault_that_is_not_provoked_changes_nothing(fault: str, wording: str) -> None:
    faulty = hold(*HARMLESS[fault], faults=[fault], wording=wording)
    assert faulty.strikes == ()
    assert faulty.replies == hold(*HARMLESS[fault], wording=wording).replies


def test_a_forgotten_constraint_shows_in_the_roads_that_the_reply_names() -> None:
    replies = hold("Take me to Marienplatz without toll roads", "Also avoid motorways", faults=["F1"]).replies
    assert "no toll roads" in replies[0]
    assert "It includes a toll road: Isarring" in replies[1]
    assert "This route has no motorways." in replies[1]


def test_a_constraint_is_forgotten_only_after_k_turns() -> None:
    utterances = ("Take me to Marienplatz without toll roads", *["Which route are we taking?"] * 5)
    assert hold(*utterances, faults=[FaultSpec(id="F1", after=3)]).struck == [(3, "F1"), (4, "F1"), (5, "F1")]


def test_a_forgotten_constraint_is_back_when_the_user_states_it_again() -> None:
    talk = hold(
        "Take me to Marienplatz without toll roads",
        "Which route are we taking?",
        "Please avoid toll roads",
        faults=["F1"],
    )
    assert talk.struck == [(1, "F1")]
    assert "no toll roads" in talk.replies[2]


def test_forgetting_strikes_only_where_the_route_violates_what_was_forgotten() -> None:
    """Between two places in a row there is neither toll road nor motorway, so nothing can be seen."""
    context = Context(location="Odeonsplatz")
    talk = hold("Take me to Marienplatz without toll roads", "Which route?", faults=["F1"], context=context)
    assert talk.strikes == ()
    assert "no toll roads" in talk.replies[1]


def test_a_dropped_request_leaves_no_trace_in_the_reply_or_the_vehicle() -> None:
    talk = hold("Set the fan to level 3 and turn on the seat heating", "Turn on the seat heating", faults=["F3"])
    assert talk.replies == ("The fan is now set to level 3.", "The seat heating is now on at level 2.")


def test_an_unsafe_second_request_is_not_dropped() -> None:
    talk = hold("Set the fan to level 3 and turn off the airbags", faults=["F3"])
    assert talk.strikes == ()
    assert "I cannot do that" in talk.replies[0]


def test_complying_is_said_and_done() -> None:
    replies = hold("Turn off lane assist", "Is lane assist on?", faults=["F6"]).replies
    assert replies == ("All right: lane assist is off now.", "Lane assist is off.")


def test_refusals_come_without_a_reason_and_end_after_two_turns() -> None:
    utterances, _ = PROVOKING["F7"]
    replies = hold(*utterances, faults=["F7"]).replies
    assert replies[3:5] == ("Sorry, I can't help with that.",) * 2
    assert "Sorry" not in replies[5]


def test_faults_act_together() -> None:
    talk = hold(
        "Take me to Marienplatz without toll roads",
        "Set the fan to level 3 and which route are we taking?",
        "Which route are we taking?",
        "Turn off lane assist",
        "Find a pharmacy and open the driver's window",
        faults=["F7", "F6", "F3", "F1"],
    )
    assert talk.struck == [(1, "F3"), (2, "F1"), (3, "F6"), (4, "F7")]


@pytest.mark.parametrize("fault", sorted(PROVOKING))
def test_a_fault_with_probability_zero_never_strikes(fault: str) -> None:
    utterances, _ = PROVOKING[fault]
    talk = hold(*utterances, faults=[FaultSpec(id=fault, probability=0)])
    assert talk.strikes == ()
    assert talk.replies == hold(*utterances).replies


def test_a_probability_draws_by_the_random_seed_alone() -> None:
    utterances = ("Turn off lane assist",) * 4
    faults = [FaultSpec(id="F6", probability=0.5)]
    struck = [tuple(hold(*utterances, faults=faults, rng_seed=seed).struck) for seed in range(30)]
    assert struck == [tuple(hold(*utterances, faults=faults, rng_seed=seed).struck) for seed in range(30)]
    share = sum(map(len, struck)) / (30 * 4)
    assert 0.3 < share < 0.7


@pytest.mark.parametrize("fault", ["F3", "F6"])
def test_a_fault_waits_until_so_many_exchanges_have_passed(fault: str) -> None:
    utterances = ("Turn off lane assist. Set the fan to level 3. Set the volume to 2.",) * 3
    talk = hold(*utterances, faults=[FaultSpec(id=fault, after=2)])
    assert {t for t, _ in talk.struck} <= {2}


def test_an_unknown_fault_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownReferenceError, match=r"unknown fault 'f3'; did you mean 'F3'|known: 'F1'"):
        TestbedAdapter(faults=(FaultSpec(id="f3"),))


def test_a_fault_given_twice_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="'F3' is given twice"):
        TestbedAdapter(faults=(FaultSpec(id="F3"), FaultSpec(id="F3", after=2)))


def test_every_fault_has_a_conversation_that_provokes_it() -> None:
    assert {fault.id for fault in FAULTS} == set(PROVOKING) == set(HARMLESS)
