"""F1 and F2: what is lost shows in the roads of the route, and only there."""

from __future__ import annotations

import pytest

from hairpin.domain.sut_spec import FaultSpec
from hairpin.domain.users import Context
from hairpin.testbed.faults.provocations import PROVOCATIONS
from hairpin.testbed.wording import WORDINGS
from hairpin.testbed.world import load_city
from tests.testbed.talking import Talk, hold

TOLL_ROADS = frozenset(road.name for road in load_city().roads if road.toll)
MOTORWAYS = frozenset(road.name for road in load_city().roads if road.motorway)


def roads(talk: Talk, t: int) -> frozenset[str]:
    route = talk.states[t]["route"]
    assert isinstance(route, dict)
    names = route["roads"]
    assert isinstance(names, list)
    return frozenset(str(name) for name in names)


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize(("fault", "violating", "right"), [("F1", {1, 5}, {4}), ("F2", {1, 3}, set())])
def test_the_route_violates_the_constraint_where_the_fault_strikes_and_nowhere_else(
    fault: str, violating: set[int], right: set[int], wording: str
) -> None:
    (provocation,) = [p for p in PROVOCATIONS if p.fault == fault]
    faulty = hold(*provocation.provoking, faults=[fault], wording=wording)
    clean = hold(*provocation.provoking, wording=wording)
    for t in violating | right:
        assert bool(roads(faulty, t) & (TOLL_ROADS | MOTORWAYS)) is (t in violating)
        assert not roads(clean, t) & (TOLL_ROADS | MOTORWAYS)


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


@pytest.mark.parametrize("fault", ["F1", "F2"])
def test_a_loss_strikes_only_where_the_route_violates_what_was_lost(fault: str) -> None:
    """Between two places in a row there is neither toll road nor motorway, so nothing can be seen."""
    context = Context(location="Odeonsplatz")
    utterances = ("Take me to Marienplatz without toll roads and motorways", "Which route?")
    talk = hold(*utterances, faults=[fault], context=context)
    assert talk.strikes == ()
    assert "no toll roads" in talk.replies[1]


def test_the_constraint_said_last_overwrites_the_one_said_with_it() -> None:
    talk = hold("Take me to Marienplatz without toll roads and motorways", faults=["F2"])
    assert talk.struck == [(0, "F2")]
    assert roads(talk, 0) & TOLL_ROADS
    assert not roads(talk, 0) & MOTORWAYS


def test_what_was_said_now_is_a_missed_constraint_and_what_was_said_before_is_forgotten_context() -> None:
    talk = hold(
        "Take me to Riem without toll roads and motorways", "Take me to Marienplatz", "Avoid toll roads", faults=["F2"]
    )
    modes = [(strike.t, strike.mode) for strike in talk.strikes]
    assert modes == [(0, "constraint_missed"), (1, "context_forgotten"), (2, "context_forgotten")]


def test_the_lot_of_an_overwriting_falls_where_the_new_constraint_is_stated() -> None:
    utterances = ("Take me to Marienplatz without toll roads", "Also avoid motorways", "Which route are we taking?")
    struck = [hold(*utterances, faults=[FaultSpec(id="F2", probability=0.5)], rng_seed=n).struck for n in range(20)]
    assert {tuple(t for t, _ in strikes) for strikes in struck} == {(), (1, 2)}
