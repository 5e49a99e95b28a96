"""What trials say of failures: labels in the order of who is to blame, intervals, and what counts as confirmed."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.confirmation import (
    LEAST_TRIALS,
    Confirmation,
    Finding,
    Label,
    confirm,
    confirmed_signatures,
    decided,
    reproduction,
    summarise_confirmations,
)
from hairpin.domain.facts import Signature
from hairpin.domain.failures import Failure, ModeKind
from hairpin.domain.outcome import Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation, plan_trial
from hairpin.domain.records import ConversationRecord, Outcome
from hairpin.domain.scoring import Judgement, TargetRatios
from hairpin.domain.targets import Target, TargetEvent
from hairpin.domain.trials import TrialKind
from hairpin.domain.users import Context

REJUDGE, REPLAY, RESIMULATE = TrialKind


def planned(**changes: object) -> PlannedConversation:
    base = PlannedConversation(
        index=3,
        id="c0004",
        sut="ica",
        seed_phrase="Take me home",
        persona="neutral",
        context=Context(),
        repeat=0,
        max_turns=4,
        rng_seed=11,
    )
    return base.model_copy(update=changes)


def judged(verdict: Verdict) -> Judgement:
    ratios = TargetRatios(uttered=None, all=None, without_dropped=None)
    return Judgement(verdict=verdict, blame=None, success_score=None, ratios=ratios)


def record(
    of: PlannedConversation, verdict: Verdict | None, *failures: tuple[str, str], strategy: str | None = None
) -> ConversationRecord:
    """A conversation that ended with ``verdict`` and failures of (mode, kind of target)."""
    kinds = sorted({kind for _, kind in failures if kind})
    events = tuple(
        TargetEvent(t=0, target=Target(id=f"g{n}", text=kind, kind=kind), old=None, reason="said")
        for n, kind in enumerate(kinds)
    )
    return ConversationRecord(
        planned=of,
        failures=tuple(
            Failure(
                t=1,
                mode=mode,
                kind=ModeKind.RESPONSE,
                target_id=f"g{kinds.index(kind)}" if kind else None,
                strategy=strategy,
            )
            for mode, kind in failures
        ),
        target_events=events,
        outcome=verdict and Outcome(stop=Stop(reason=StopReason.TURNS_EXHAUSTED), judgement=judged(verdict)),
    )


def trial(kind: TrialKind, number: int, verdict: Verdict | None, *failures: tuple[str, str]) -> ConversationRecord:
    return record(plan_trial(planned(), kind, number), verdict, *failures)


def finding(rejudge: tuple[int, int], replay: tuple[int, int], resimulate: tuple[int, int] | None) -> Finding:
    """What is decided when so many of so many trials of each kind came again."""
    pairs = {REJUDGE: rejudge, REPLAY: replay, RESIMULATE: resimulate}
    return decided(tuple(reproduction(kind, *pair) for kind, pair in pairs.items() if pair is not None))


@pytest.mark.parametrize(
    ("rejudge", "replay", "resimulate", "label"),
    [
        ((3, 3), (3, 3), (2, 2), Label.STABLE),
        ((3, 3), (3, 3), (1, 2), Label.STABLE),
        ((3, 3), (3, 3), (1, 1), Label.STABLE),
        ((3, 3), (3, 3), None, Label.STABLE),
        ((2, 3), (3, 3), (2, 2), Label.FLAKY_JUDGE),
        ((0, 1), (0, 3), (0, 0), Label.FLAKY_JUDGE),
        ((3, 3), (2, 3), (2, 2), Label.FLAKY_SUT),
        ((3, 3), (0, 1), (0, 0), Label.FLAKY_SUT),
        ((3, 3), (3, 3), (0, 2), Label.SIMULATOR),
        ((3, 3), (3, 3), (0, 1), Label.UNDECIDED),
        ((3, 3), (1, 1), (2, 2), Label.UNDECIDED),
        ((1, 1), (0, 3), (2, 2), Label.UNDECIDED),
        ((0, 0), (0, 0), (0, 0), Label.UNDECIDED),
    ],
)
def test_the_judge_is_asked_about_first_then_the_assistant_then_the_user(
    rejudge: tuple[int, int], replay: tuple[int, int], resimulate: tuple[int, int] | None, label: Label
) -> None:
    found = finding(rejudge, replay, resimulate)
    assert found.label is label
    assert bool(found.missing) is (label is Label.UNDECIDED)


@pytest.mark.parametrize(
    ("rejudge", "replay", "resimulate", "confirmed"),
    [
        ((3, 3), (3, 3), (2, 2), True),
        ((3, 3), (1, 3), (0, 2), True),
        ((3, 3), (0, 3), (2, 2), False),
        ((2, 3), (3, 3), (2, 2), False),
        ((3, 3), (3, 3), (0, 2), False),
        ((3, 3), (1, 1), (2, 2), False),
    ],
)
def test_confirmed_is_what_the_judge_always_finds_and_the_assistant_did_again(
    rejudge: tuple[int, int], replay: tuple[int, int], resimulate: tuple[int, int], confirmed: bool
) -> None:
    assert finding(rejudge, replay, resimulate).confirmed is confirmed


def test_what_is_missing_is_said() -> None:
    assert finding((1, 1), (3, 3), (2, 2)).missing == "1 more rejudge trial"
    assert finding((3, 3), (0, 0), (2, 2)).missing == "2 more replay trials"
    assert finding((3, 3), (3, 3), (0, 0)).missing == "2 more resimulate trials"


def test_an_assistant_that_cannot_be_asked_again_is_never_decided_on() -> None:
    found = decided((reproduction(REJUDGE, 3, 3),))
    assert (found.label, found.missing, found.confirmed) == (
        Label.UNDECIDED,
        "its assistant cannot be asked again",
        False,
    )


shares = st.integers(0, 12).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(shares, shares, st.none() | shares)
def test_every_outcome_of_trials_has_one_label_and_no_more_trials_undo_a_disagreement(
    rejudge: tuple[int, int], replay: tuple[int, int], resimulate: tuple[int, int] | None
) -> None:
    found = finding(rejudge, replay, resimulate)
    if rejudge[0] < rejudge[1]:
        assert found.label is Label.FLAKY_JUDGE
    elif rejudge[1] >= LEAST_TRIALS and replay[0] < replay[1]:
        assert found.label is Label.FLAKY_SUT
    else:
        assert found.label in (Label.STABLE, Label.SIMULATOR, Label.UNDECIDED)


@given(shares)
def test_an_interval_holds_its_rate_and_without_trials_is_everything(share: tuple[int, int]) -> None:
    found = reproduction(REPLAY, *share)
    if found.rate is None:
        assert (found.low, found.high) == (0.0, 1.0)
    else:
        assert 0 <= found.low <= found.rate <= found.high <= 1


def test_the_verdict_and_each_failure_are_decided_by_themselves() -> None:
    """One failure comes again whenever the assistant is asked, the other one never: the verdict holds by the first."""
    source = record(planned(), Verdict.FAIL, ("forgot", ""), ("omitted", "heating"))
    again = [
        trial(kind, number, Verdict.FAIL, ("forgot", ""), *([("omitted", "heating")] if kind is REJUDGE else []))
        for kind, number in itertools.product(TrialKind, range(2))
    ]
    found = confirm(source, again, recorded=False)
    assert found.verdict.label is Label.STABLE
    labels = {(each.mode, each.target_kind): each.finding.label for each in found.instances}
    assert labels == {("forgot", ""): Label.STABLE, ("omitted", "heating"): Label.FLAKY_SUT}


def test_another_target_of_the_same_kind_is_the_same_failure_and_one_of_another_kind_is_not() -> None:
    source = record(planned(), Verdict.FAIL, ("omitted", "heating"))
    again = [trial(REJUDGE, n, Verdict.FAIL, ("omitted", "heating")) for n in range(2)]
    again += [trial(REPLAY, n, Verdict.FAIL, ("omitted", "music")) for n in range(2)]
    (instance,) = confirm(source, again, recorded=False).instances
    assert [(each.kind, each.reproduced) for each in instance.finding.trials][:2] == [(REJUDGE, 2), (REPLAY, 0)]


def test_trials_without_a_verdict_are_counted_apart_and_unfinished_ones_not_at_all() -> None:
    again = [
        trial(REJUDGE, 0, Verdict.FAIL),
        trial(REJUDGE, 1, Verdict.INVALID),
        trial(REJUDGE, 2, Verdict.INCONCLUSIVE),
        trial(REJUDGE, 3, None),
    ]
    found = confirm(record(planned(), Verdict.FAIL), again, recorded=False).verdict
    assert [(each.n, each.reproduced, each.unusable) for each in found.trials] == [(1, 1, 2), (0, 0, 0), (0, 0, 0)]
    assert found.label is Label.UNDECIDED


def test_replays_from_a_later_turn_say_nothing_of_the_whole() -> None:
    """Its first turns were not answered anew."""
    later = record(plan_trial(planned(), REPLAY, 0, from_turn=2), Verdict.PASS)
    found = confirm(record(planned(), Verdict.FAIL), [later], recorded=False).verdict
    assert [each.n for each in found.trials] == [0, 0, 0]


def test_scripts_are_not_simulated_and_recordings_only_judged_again() -> None:
    scripted = confirm(record(planned(seed_phrase=None), Verdict.FAIL), [], recorded=False)
    recorded = confirm(record(planned(recording="r"), Verdict.FAIL), [], recorded=True)
    assert [each.kind for each in scripted.verdict.trials] == [REJUDGE, REPLAY]
    assert [each.kind for each in recorded.verdict.trials] == [REJUDGE]


def trials_of(rejudged: int, replayed: int) -> list[ConversationRecord]:
    """Three trials of each kind in which the mode "forgot" came again so often, and whenever simulated anew."""
    counts = {REJUDGE: rejudged, REPLAY: replayed, RESIMULATE: 3}
    return [
        trial(kind, n, *((Verdict.FAIL, ("forgot", "")) if n < times else (Verdict.PASS,)))
        for kind, times in counts.items()
        for n in range(3)
    ]


def test_learning_is_rewarded_for_confirmed_failures_with_the_strategy_that_found_them() -> None:
    source = record(planned(), Verdict.FAIL, ("forgot", ""), strategy="recall")
    stable = confirm(source, trials_of(3, 3), recorded=False)
    unsure = confirm(source, trials_of(2, 3), recorded=False)
    assert confirmed_signatures(source, stable) == {Signature("forgot", "", "recall")}
    assert confirmed_signatures(source, unsure) == frozenset()


def test_the_summary_adds_up() -> None:
    source = record(planned(), Verdict.FAIL, ("forgot", ""))
    found = [confirm(source, trials_of(*counts), recorded=False) for counts in ((3, 3), (3, 1), (3, 0), (1, 3))]
    summary = summarise_confirmations(found, n_failed=6)
    assert (summary.tried, summary.confirmed, summary.unconfirmed, summary.untried) == (4, 2, 2, 2)
    assert summary.by_label == {"stable": 1, "flaky_sut": 2, "flaky_judge": 1}
    assert summary.failures == {"forgot": {"confirmed": 2, "unconfirmed": 2}}
    assert {kind: (each.trials, each.reproduced) for kind, each in summary.trials.items()} == {
        "rejudge": (12, 10),
        "replay": (12, 7),
        "resimulate": (12, 12),
    }


def test_nothing_tried_is_a_summary_too() -> None:
    summary = summarise_confirmations([], n_failed=2)
    assert (summary.tried, summary.untried, summary.by_label) == (0, 2, {})


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        ((3, 3), ""),
        (
            (2, 3),
            "not confirmed (flaky_judge): it failed again in 2 of 3 rejudge trials, 3 of 3 replay trials,"
            " 3 of 3 resimulate trials",
        ),
    ],
)
def test_why_a_failure_is_not_confirmed_is_said_in_one_line(counts: tuple[int, int], why: str) -> None:
    found: Confirmation = confirm(record(planned(), Verdict.FAIL), trials_of(*counts), recorded=False)
    assert found.why_unconfirmed == why


def test_what_would_decide_is_said_beside_why() -> None:
    found = confirm(record(planned(), Verdict.FAIL), [], recorded=False)
    assert "undecided, needs 2 more rejudge trials" in found.why_unconfirmed
