"""What statistics need of a conversation; replays never reach them."""

from __future__ import annotations

import pytest

from hairpin.domain.conversation import Exchange
from hairpin.domain.facts import Signature, facts_of
from hairpin.domain.failures import CHECK_FAILED, Failure, ModeKind
from hairpin.domain.outcome import Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord, Outcome
from hairpin.domain.replay import Method, Replay, ReplayedQuestion
from hairpin.domain.scoring import Judgement, TargetRatios
from hairpin.domain.tally import Standing
from hairpin.domain.targets import Target, TargetEvent
from hairpin.domain.users import Context

PLANNED = PlannedConversation(
    index=4,
    id="c0005",
    sut="sut",
    seed_phrase="Take me home",
    persona="neutral",
    context=Context(vehicle={"moving": True}),
    repeat=0,
    max_turns=8,
    rng_seed=1,
)
MISSED = Failure(t=1, mode="constraint_missed", kind=ModeKind.COMPLIANCE, target_id="g1", strategy="stacking")
CHECKED = Failure(t=0, mode=CHECK_FAILED, kind=ModeKind.CHECK)


def a_record() -> ConversationRecord:
    ratios = TargetRatios(uttered=None, all=None, without_dropped=None)
    judgement = Judgement(verdict=Verdict.FAIL, blame=None, success_score=0.5, ratios=ratios)
    target = Target(id="g1", text="go home", kind="navigation")
    return ConversationRecord(
        planned=PLANNED,
        attempts=2,
        exchanges=tuple(Exchange(t=t, user=f"u{t}", assistant="a", strategy="stacking" if t else None) for t in (0, 1)),
        failures=(MISSED, CHECKED),
        target_events=(TargetEvent(t=None, target=target, old=None),),
        outcome=Outcome(stop=Stop(reason=StopReason.TURNS_EXHAUSTED), judgement=judgement, elapsed_s=2.5, active_s=9.0),
    )


def test_a_failure_keeps_the_kind_of_its_target_and_the_strategy() -> None:
    facts = facts_of(a_record(), cost_usd=0.25)
    assert [failure.signature for failure in facts.failures] == [
        Signature("constraint_missed", "navigation", "stacking"),
        Signature(CHECK_FAILED, "", ""),
    ]
    assert facts.modes == {"constraint_missed"}
    assert (facts.n_turns, facts.first_failure_t, facts.cost_usd) == (2, 0, 0.25)


def test_how_it_ended_is_told() -> None:
    facts = facts_of(a_record())
    assert (facts.standing, facts.stop_reason, facts.success_score) == (Standing.FAIL, StopReason.TURNS_EXHAUSTED, 0.5)
    assert (facts.elapsed_s, facts.active_s, facts.attempts) == (2.5, 9.0, 2)
    assert '"moving": true' in facts.context


def test_without_an_outcome_it_is_missing() -> None:
    facts = facts_of(ConversationRecord(planned=PLANNED.model_copy(update={"context": Context(location="Ulm")})))
    assert (facts.standing, facts.stop_reason, facts.elapsed_s, facts.active_s) == (Standing.MISSING, None, 0.0, None)
    assert (facts.first_failure_t, facts.n_turns, facts.context) == (None, 0, Context(location="Ulm").label())


def test_a_replay_is_refused() -> None:
    replay = Replay(method=Method.RBT, test_seed="s1", questions=(ReplayedQuestion(text="Who?", index=0),))
    planned = PLANNED.model_copy(update={"replay": replay})
    with pytest.raises(ValueError, match="c0005 was not held for itself"):
        facts_of(a_record().model_copy(update={"planned": planned}))
