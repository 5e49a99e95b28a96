"""Which trials a failed conversation gets: the same whenever asked, and only those that say something."""

from __future__ import annotations

import pytest

from hairpin.domain.confirming import confirming, kinds_for, trials_wanted
from hairpin.domain.outcome import Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation, plan_trial, trial_indexes
from hairpin.domain.records import ConversationRecord, Outcome
from hairpin.domain.scoring import Judgement, TargetRatios
from hairpin.domain.trials import MAX_TRIALS, ConfirmSpec, TrialKind
from hairpin.domain.users import Context

REJUDGE, REPLAY, RESIMULATE = TrialKind
SOURCE = PlannedConversation(
    index=7,
    id="c0008",
    sut="ica",
    seed_phrase="Take me home",
    persona="neutral",
    context=Context(),
    repeat=0,
    max_turns=4,
    rng_seed=11,
)
SCRIPTED = SOURCE.model_copy(update={"seed_phrase": None})


def judged(verdict: Verdict) -> Judgement:
    ratios = TargetRatios(uttered=None, all=None, without_dropped=None)
    return Judgement(verdict=verdict, blame=None, success_score=None, ratios=ratios)


def ended(verdict: Verdict) -> Outcome:
    return Outcome(stop=Stop(reason=StopReason.TURNS_EXHAUSTED), judgement=judged(verdict))


def made(number: int, verdict: Verdict | None, *, kind: TrialKind = REPLAY, from_turn: int = 0) -> ConversationRecord:
    planned = plan_trial(SOURCE, kind, number, from_turn=from_turn)
    return ConversationRecord(planned=planned, outcome=None if verdict is None else ended(verdict))


def test_a_failed_conversation_gets_as_many_trials_as_wanted_and_always_the_same() -> None:
    after = confirming(ConfirmSpec(rejudge=2, replay=1, resimulate=1), recorded=False)
    trials = after(SOURCE, ended(Verdict.FAIL))
    assert [trial.id for trial in trials] == [
        "c0008~rejudge1",
        "c0008~rejudge2",
        "c0008~replay1",
        "c0008~resimulate1",
    ]
    assert trials == after(SOURCE, ended(Verdict.FAIL))


@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.INCONCLUSIVE, Verdict.INVALID])
def test_what_did_not_fail_gets_none(verdict: Verdict) -> None:
    assert confirming(ConfirmSpec(), recorded=False)(SOURCE, ended(verdict)) == ()


def test_only_kinds_that_say_something_are_planned() -> None:
    assert kinds_for(SOURCE, recorded=False) == tuple(TrialKind)
    assert kinds_for(SCRIPTED, recorded=False) == (REJUDGE, REPLAY)
    assert kinds_for(SOURCE, recorded=True) == (REJUDGE,)


def test_only_what_is_missing_is_planned() -> None:
    wanted = trials_wanted(SOURCE, REPLAY, 3, [made(0, Verdict.PASS), made(0, Verdict.PASS, kind=REJUDGE)])
    assert [trial.id for trial in wanted] == ["c0008~replay2", "c0008~replay3"]
    assert trials_wanted(SOURCE, REPLAY, 1, [made(0, Verdict.PASS)]) == ()


def test_one_without_a_verdict_is_made_up_for_by_another_and_an_unfinished_one_run_again() -> None:
    wanted = trials_wanted(SOURCE, REPLAY, 2, [made(0, Verdict.INVALID), made(1, None)])
    assert [trial.id for trial in wanted] == ["c0008~replay2", "c0008~replay3"]


def test_numbers_of_replays_from_another_turn_are_taken() -> None:
    """Finished or not: a conversation is planned once."""
    others = [made(0, Verdict.FAIL, from_turn=2), made(1, None, from_turn=2)]
    assert [trial.id for trial in trials_wanted(SOURCE, REPLAY, 1, others)] == ["c0008~replay3"]
    (later,) = trials_wanted(SOURCE, REPLAY, 2, others, from_turn=2)
    assert (later.id, later.trial and later.trial.from_turn) == ("c0008~replay2", 2)


def test_when_all_numbers_are_taken_that_is_said() -> None:
    broken = [made(number, Verdict.INVALID) for number in range(MAX_TRIALS)]
    with pytest.raises(ValueError, match="has had 256 replay trials"):
        trials_wanted(SOURCE, REPLAY, 1, broken)


def test_trials_of_a_conversation_have_places_of_their_own_in_the_plan() -> None:
    indexes = [plan_trial(SOURCE, kind, number).index for kind in TrialKind for number in (0, MAX_TRIALS - 1)]
    other = trial_indexes(SOURCE.model_copy(update={"index": 8}))
    assert all(index in trial_indexes(SOURCE) and index not in other for index in indexes)
