"""Seeded faults: each strikes where it is provoked, nowhere else, and the log says when."""

from __future__ import annotations

import pytest

from hairpin.domain.sut_spec import FaultSpec
from hairpin.domain.users import Context
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.testbed.adapter import TestbedAdapter
from hairpin.testbed.faults.conditions import CONDITIONS
from hairpin.testbed.faults.provocations import PROVOCATIONS, Provocation
from hairpin.testbed.faults.registry import HELD_OUT_PARAMETERS, check_faults
from hairpin.testbed.faults.seeded import FAULTS
from hairpin.testbed.wording import WORDINGS
from tests.testbed.talking import Talk, hold

BY_FAULT = pytest.mark.parametrize("provocation", PROVOCATIONS, ids=lambda provocation: provocation.fault)
IN_EVERY_WORDING = pytest.mark.parametrize("wording", WORDINGS)


HOLDING: dict[str, tuple[Context, tuple[str, ...]]] = {
    "moving": (Context(vehicle={"moving": True}), ()),
    "parked": (Context(vehicle={"moving": False}), ()),
    "dark": (Context(time="23:00"), ()),
    "light": (Context(time="12:00"), ()),
    "trip": (Context(), ("Take me to Riem",)),
    "no_trip": (Context(), ()),
    "constrained": (Context(), ("Please avoid toll roads",)),
    "unconstrained": (Context(), ()),
    "has_stops": (Context(), ("Take me to Riem", "Add a stop at a pharmacy")),
    "no_stops": (Context(), ("Take me to Riem",)),
    "searching": (Context(), ("Find a pharmacy near me",)),
    "asking": (Context(), ("Take me to Café Luitpold",)),
    "playing": (Context(), ("Play some music",)),
}
"""Where each condition holds: in this context, after these utterances."""


def provoke(provocation: Provocation, *, wording: str = "plain", spec: FaultSpec | None = None) -> Talk:
    faults = [spec or provocation.spec]
    return hold(*provocation.provoking, faults=faults, wording=wording, context=provocation.context)


def without_fault(provocation: Provocation, *, wording: str = "plain") -> Talk:
    return hold(*provocation.provoking, wording=wording, context=provocation.context)


@BY_FAULT
@IN_EVERY_WORDING
def test_a_fault_strikes_where_it_is_provoked_and_only_there(provocation: Provocation, wording: str) -> None:
    faulty, clean = provoke(provocation, wording=wording), without_fault(provocation, wording=wording)
    assert faulty.struck == [(t, provocation.fault) for t in provocation.strikes_at]
    wrong = {t for t, reply in enumerate(faulty.replies) if reply != clean.replies[t]}
    assert wrong == set(provocation.strikes_at)


@BY_FAULT
@IN_EVERY_WORDING
def test_a_fault_that_is_not_provoked_changes_nothing(provocation: Provocation, wording: str) -> None:
    faulty = hold(*provocation.harmless, faults=[provocation.spec], wording=wording, context=provocation.context)
    clean = hold(*provocation.harmless, wording=wording, context=provocation.context)
    assert faulty.strikes == ()
    assert (faulty.replies, faulty.states) == (clean.replies, clean.states)


@BY_FAULT
def test_the_log_says_which_failure_mode_a_tester_should_see(provocation: Provocation) -> None:
    (fault,) = [fault for fault in FAULTS if fault.id == provocation.fault]
    modes = [strike.mode for strike in provoke(provocation).strikes]
    assert fault.earns in modes
    assert {strike.conversation_id for strike in provoke(provocation).strikes} == {"c1"}


@BY_FAULT
def test_a_fault_with_probability_zero_never_strikes(provocation: Provocation) -> None:
    talk = provoke(provocation, spec=FaultSpec(id=provocation.fault, probability=0))
    assert talk.strikes == ()
    assert talk.states == without_fault(provocation).states
    assert talk.replies == without_fault(provocation).replies


@BY_FAULT
def test_a_fault_waits_until_so_many_exchanges_have_passed(provocation: Provocation) -> None:
    last = provocation.strikes_at[-1]
    late = provoke(provocation, spec=FaultSpec(id=provocation.fault, after=last + 1))
    assert late.strikes == ()


@BY_FAULT
def test_what_a_fault_remembers_is_rebuilt_from_a_history(provocation: Provocation) -> None:
    """A server that rebuilds a session for each turn must meet the same faults as one that keeps it."""
    live = provoke(provocation)
    for t in range(1, len(provocation.provoking)):
        resumed = hold(
            provocation.provoking[t],
            faults=[provocation.spec],
            context=provocation.context,
            history=live.history(provocation.provoking[:t]),
        )
        assert resumed.replies == live.replies[t : t + 1]
        assert resumed.strikes == tuple(strike for strike in live.strikes if strike.t == t)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_fault_strikes_only_while_its_conditions_hold(condition: str) -> None:
    context, utterances = HOLDING[condition]
    opposite = {"moving": "parked", "dark": "light", "trip": "no_trip", "constrained": "unconstrained"}
    opposite |= {"has_stops": "no_stops"} | {b: a for a, b in opposite.items()} | {"no_stops": "has_stops"}
    said = (*utterances, "Set the temperature to 22 degrees")
    holding = hold(*said, faults=[FaultSpec(id="F9", when=(condition,))], context=context)
    assert holding.struck == [(len(utterances), "F9")]
    if condition in opposite:
        both = FaultSpec(id="F9", when=(condition, opposite[condition]))
        assert hold(*said, faults=[both], context=context).strikes == ()


def test_a_probability_draws_by_the_random_seed_alone() -> None:
    utterances = ("Turn off lane assist",) * 4
    faults = [FaultSpec(id="F6", probability=0.5)]
    struck = [tuple(hold(*utterances, faults=faults, rng_seed=seed).struck) for seed in range(30)]
    assert struck == [tuple(hold(*utterances, faults=faults, rng_seed=seed).struck) for seed in range(30)]
    share = sum(map(len, struck)) / (30 * 4)
    assert 0.3 < share < 0.7


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


def test_of_two_faults_that_would_do_the_same_only_the_one_that_did_it_is_logged() -> None:
    utterances = ("Take me to Marienplatz without toll roads", "Also avoid motorways")
    assert hold(*utterances, faults=["F1"]).struck == hold(*utterances, faults=["F1", "F2"]).struck == [(1, "F1")]
    assert hold(*utterances, faults=["F2"]).struck == [(1, "F2")]


def test_a_strike_whose_effect_another_fault_hides_is_not_logged() -> None:
    """The wrong place is asked about, but the answer comes from memory, so that nothing shows of the wrong place."""
    utterances = ("Find a pharmacy near me", "Is it open?", "Find a bakery near me", "Is it open?")
    alone = hold(*utterances, faults=[FaultSpec(id="F10", after=2)])
    together = hold(*utterances, faults=[FaultSpec(id="F10", after=2), FaultSpec(id="F11", after=2)])
    assert alone.struck == [(3, "F10")]
    assert together.struck == [(3, "F11")]
    assert together.replies[3] == together.replies[1]


def test_two_faults_in_one_exchange_are_both_logged_when_both_show() -> None:
    talk = hold("Set the temperature to 22 degrees and take me to Café Luitpold", faults=["F4", "F9"])
    assert sorted(talk.struck) == [(0, "F4"), (0, "F9")]


def test_an_unknown_fault_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownReferenceError, match=r"unknown fault 'f3'; did you mean 'F3'|known: 'F1'"):
        TestbedAdapter(faults=(FaultSpec(id="f3"),))


def test_an_unknown_condition_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownReferenceError, match=r"fault F3: unknown condition 'movin'; did you mean 'moving'"):
        check_faults([FaultSpec(id="F3", when=("movin",))])


def test_a_fault_given_twice_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="'F3' is given twice"):
        TestbedAdapter(faults=(FaultSpec(id="F3"), FaultSpec(id="F3", after=2)))


def test_every_fault_that_strikes_within_a_conversation_has_a_provocation() -> None:
    across_conversations = {"F12"}
    assert {fault.id for fault in FAULTS} - across_conversations == {p.fault for p in PROVOCATIONS}


def test_held_out_parameters_are_given_for_every_fault_and_are_ones_that_exist() -> None:
    assert {spec.id for spec in HELD_OUT_PARAMETERS} == {fault.id for fault in FAULTS}
    for spec in HELD_OUT_PARAMETERS:
        check_faults([spec])
        assert spec not in (FaultSpec(id=spec.id), FaultSpec(id=spec.id, after=1, probability=0.5))
