"""The stop-reason table of the design, section 2, written out: order, judging, verdict, blame."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.outcome import STOP_RULES, Blame, Role, Stop, StopReason, Verdict, decide_stop, first_reason

BY_ORACLES = None
BY_ROLE = "by role"

TABLE: list[tuple[str, bool, Verdict | None, Blame | str | None]] = [
    ("interrupted", False, None, Blame.USER),
    ("sut_unreachable", False, Verdict.INVALID, Blame.SUT),
    ("sut_error", True, Verdict.INVALID, Blame.SUT),
    ("adapter_fault", False, Verdict.INVALID, Blame.ADAPTER),
    ("check_fault", False, Verdict.INVALID, Blame.USER),
    ("internal_error", False, Verdict.INVALID, Blame.HARNESS),
    ("provider_error", False, Verdict.INVALID, Blame.PROVIDER),
    ("refused", False, Verdict.INVALID, BY_ROLE),
    ("content_filtered", False, Verdict.INVALID, BY_ROLE),
    ("context_exceeded", False, Verdict.INVALID, BY_ROLE),
    ("truncated", False, Verdict.INVALID, BY_ROLE),
    ("simulator_fault", False, Verdict.INVALID, Blame.SIMULATOR),
    ("judge_fault", False, Verdict.INVALID, Blame.JUDGE),
    ("judges_disagree", False, Verdict.INCONCLUSIVE, Blame.JUDGE),
    ("deadline", True, Verdict.INCONCLUSIVE, None),
    ("budget", True, Verdict.INCONCLUSIVE, None),
    ("targets_resolved", True, BY_ORACLES, None),
    ("sut_ended", True, BY_ORACLES, None),
    ("repetition", True, BY_ORACLES, None),
    ("script_exhausted", True, BY_ORACLES, None),
    ("turns_exhausted", True, BY_ORACLES, None),
]
NAMES = [row[0] for row in TABLE]


def test_the_reasons_are_checked_in_the_order_of_the_table() -> None:
    assert [reason.value for reason in StopReason] == NAMES
    assert set(STOP_RULES) == set(StopReason)


@pytest.mark.parametrize(("name", "judged", "verdict", "blame"), TABLE, ids=NAMES)
def test_what_follows_from_a_reason(
    name: str, judged: bool, verdict: Verdict | None, blame: Blame | str | None
) -> None:
    rule = STOP_RULES[StopReason(name)]
    assert (rule.judged, rule.verdict) == (judged, verdict)
    assert rule.blame == (None if blame == BY_ROLE else blame)


@pytest.mark.parametrize("name", [row[0] for row in TABLE if row[3] == BY_ROLE])
@pytest.mark.parametrize(
    ("role", "blame"),
    [
        (Role.EXTRACTOR, Blame.SIMULATOR),
        (Role.SIMULATOR, Blame.SIMULATOR),
        (Role.STRATEGIST, Blame.SIMULATOR),
        (Role.TURN_JUDGE, Blame.JUDGE),
        (Role.CONVERSATION_JUDGE, Blame.JUDGE),
        (None, Blame.PROVIDER),
    ],
)
def test_a_provider_that_answers_uselessly_blames_the_role_that_asked(
    name: str, role: Role | None, blame: Blame
) -> None:
    assert Stop(reason=StopReason(name), role=role).blame is blame


@pytest.mark.parametrize("role", [None, *Role])
@pytest.mark.parametrize("reason", [reason for reason, rule in STOP_RULES.items() if rule.blame is not None])
def test_a_fixed_blame_stays_whatever_role_was_at_work(reason: StopReason, role: Role | None) -> None:
    assert Stop(reason=reason, role=role).blame is STOP_RULES[reason].blame


@given(st.sampled_from(StopReason), st.none() | st.sampled_from(Role))
def test_an_invalid_conversation_always_has_somebody_to_blame_and_a_graded_one_nobody(
    reason: StopReason, role: Role | None
) -> None:
    stop = Stop(reason=reason, role=role)
    ungraded = reason in (StopReason.INTERRUPTED, StopReason.JUDGES_DISAGREE)
    expected = stop.rule.verdict is Verdict.INVALID or ungraded
    assert (stop.blame is not None) == expected


@given(st.sets(st.sampled_from(StopReason)))
def test_the_first_reason_that_holds_wins(reasons: set[StopReason]) -> None:
    first = first_reason(reasons)
    assert (first is None) == (not reasons)
    assert first is None or all(NAMES.index(first) <= NAMES.index(reason) for reason in reasons)


def decide(
    t: int = 4,
    max_turns: int = 8,
    *,
    all_resolved: bool = False,
    sut_ended: bool = False,
    repeating: bool = False,
    scripted: bool = False,
    more_script: bool = True,
    guided: bool = True,
) -> StopReason | None:
    return decide_stop(
        t=t,
        max_turns=max_turns,
        all_resolved=all_resolved,
        sut_ended=sut_ended,
        repeating=repeating,
        scripted=scripted,
        more_script=more_script,
        guided=guided,
    )


def test_goes_on_when_nothing_holds() -> None:
    assert decide() is None


@pytest.mark.parametrize(("t", "max_turns", "ends"), [(3, 8, False), (4, 8, True), (3, 7, False), (4, 7, True)])
def test_resolved_targets_end_it_only_after_half_the_turns_rounded_up(t: int, max_turns: int, ends: bool) -> None:
    assert decide(t, max_turns, all_resolved=True) == (StopReason.TARGETS_RESOLVED if ends else None)


def test_the_baseline_arm_does_not_end_by_its_targets() -> None:
    assert decide(all_resolved=True, guided=False) is None


def test_a_scripted_user_ends_by_neither_targets_nor_repetition() -> None:
    assert decide(all_resolved=True, repeating=True, scripted=True) is None


def test_a_scripted_user_ends_with_its_script() -> None:
    assert decide(scripted=True, more_script=False) is StopReason.SCRIPT_EXHAUSTED
    assert decide(scripted=False, more_script=False) is None


@pytest.mark.parametrize("scripted", [False, True])
def test_an_assistant_that_ends_the_conversation_ends_it(scripted: bool) -> None:
    assert decide(sut_ended=True, scripted=scripted) is StopReason.SUT_ENDED


def test_a_repetition_of_both_sides_ends_it() -> None:
    assert decide(repeating=True) is StopReason.REPETITION
    assert decide(repeating=True, guided=False) is None


@pytest.mark.parametrize("max_turns", [1, 2, 40])
def test_stops_after_exactly_the_allowed_number_of_exchanges(max_turns: int) -> None:
    """B11: two parties that thank each other for ever stop at M, not at a library's limit."""
    ends = [decide(t, max_turns) for t in range(max_turns)]
    assert ends == [None] * (max_turns - 1) + [StopReason.TURNS_EXHAUSTED]


def test_a_script_that_ends_with_the_last_turn_counts_as_finished() -> None:
    assert decide(7, 8, scripted=True, more_script=False) is StopReason.SCRIPT_EXHAUSTED
    assert decide(7, 8, scripted=True, more_script=True) is StopReason.TURNS_EXHAUSTED


@given(
    t=st.integers(0, 20),
    max_turns=st.integers(1, 20),
    all_resolved=st.booleans(),
    sut_ended=st.booleans(),
    repeating=st.booleans(),
    scripted=st.booleans(),
    more_script=st.booleans(),
    guided=st.booleans(),
)
def test_what_it_decides_is_the_first_of_the_table_that_holds(
    t: int,
    max_turns: int,
    all_resolved: bool,
    sut_ended: bool,
    repeating: bool,
    scripted: bool,
    more_script: bool,
    guided: bool,
) -> None:
    halfway = t >= math.ceil(max_turns / 2)
    holds = [
        (StopReason.TARGETS_RESOLVED, all_resolved and halfway and guided and not scripted),
        (StopReason.SUT_ENDED, sut_ended),
        (StopReason.REPETITION, guided and repeating and not scripted),
        (StopReason.SCRIPT_EXHAUSTED, scripted and not more_script),
        (StopReason.TURNS_EXHAUSTED, t >= max_turns - 1),
    ]
    decided = decide(
        t,
        max_turns,
        all_resolved=all_resolved,
        sut_ended=sut_ended,
        repeating=repeating,
        scripted=scripted,
        more_script=more_script,
        guided=guided,
    )
    assert decided == next((reason for reason, true in holds if true), None)
