"""Replays are counted apart from conversations, and relations by what their last checks found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.conversation import Exchange
from hairpin.domain.outcome import Stop, StopReason
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord, Outcome
from hairpin.domain.relation_counts import (
    MetamorphicSummary,
    RelationCount,
    RelationTotals,
    ReplayTally,
    is_broken,
)
from hairpin.domain.relations import MetamorphicRelation
from hairpin.domain.replay import Method, Replay, ReplayedQuestion
from hairpin.domain.scoring import Judgement, TargetRatios
from hairpin.domain.users import Context

NO_RATIOS = TargetRatios(uttered=None, all=None, without_dropped=None)
counts = st.integers(0, 50).flatmap(
    lambda checks: st.builds(
        RelationCount, checks=st.just(checks), violations=st.integers(0, checks), not_applicable=st.integers(0, 9)
    )
)


def replayed(
    conversation_id: str,
    source: str | None = None,
    *,
    reason: StopReason | None = StopReason.SCRIPT_EXHAUSTED,
    turns: int = 2,
    pending: str | None = None,
) -> ConversationRecord:
    method = Method.MORTAR if source else Method.RBT
    questions = (ReplayedQuestion(text="Who?", index=0), ReplayedQuestion(text="Where?", index=1))
    planned = PlannedConversation(
        index=0,
        id=conversation_id,
        sut="sut",
        seed_phrase=None,
        persona="neutral",
        context=Context(),
        repeat=0,
        max_turns=2,
        rng_seed=1,
        replay=Replay(method=method, test_seed="s1", source=source, questions=questions),
    )
    judgement = Judgement(verdict=None, blame=None, success_score=None, ratios=NO_RATIOS)
    return ConversationRecord(
        planned=planned,
        exchanges=tuple(Exchange(t=t, user="u", assistant="a") for t in range(turns)),
        outcome=reason and Outcome(stop=Stop(reason=reason), judgement=judgement, pending_utterance=pending),
    )


def tallied(*records: ConversationRecord, totals: RelationTotals | None = None) -> MetamorphicSummary:
    tally = ReplayTally()
    for record in records:
        tally.add(record)
    return tally.summary(totals or RelationTotals())


def test_nothing_replayed_is_nothing_counted() -> None:
    assert tallied() == MetamorphicSummary()


def test_a_test_seed_asked_as_it_is_and_its_follow_ups_are_one_source() -> None:
    summary = tallied(replayed("c0001"), replayed("c0001.RS.1", "c0001"), replayed("c0001.RR.1", "c0001"))
    assert (summary.sources, summary.replays, summary.follow_ups, summary.planned) == (1, 3, 2, 3)


def test_a_conversation_held_freely_is_a_source_by_its_follow_ups() -> None:
    """It has a verdict, so that it is no replay itself."""
    summary = tallied(replayed("c0001.RS.1", "c0001"), replayed("c0002.RS.1", "c0002"))
    assert (summary.sources, summary.replays, summary.follow_ups) == (2, 2, 2)


def test_what_has_no_outcome_is_missing_and_its_calls_were_made_all_the_same() -> None:
    summary = tallied(replayed("c0001"), replayed("c0001.RS.1", "c0001", reason=None, turns=1))
    assert (summary.replays, summary.missing, summary.planned, summary.sut_calls) == (1, 1, 2, 3)


def test_what_broke_is_counted_by_its_reason_and_a_failed_call_is_a_call() -> None:
    broken = replayed("c0001.RS.1", "c0001", reason=StopReason.SUT_ERROR, turns=1, pending="Where?")
    cut = replayed("c0001.RR.1", "c0001", reason=StopReason.DEADLINE, turns=0)
    summary = tallied(replayed("c0001"), broken, broken, cut)
    assert summary.broken_by_reason == {"deadline": 1, "sut_error": 2}
    assert (summary.broken, summary.replays, summary.sut_calls) == (3, 4, 6)


@pytest.mark.parametrize(
    ("reason", "broken"),
    [
        (StopReason.SCRIPT_EXHAUSTED, False),
        (StopReason.SUT_ENDED, False),
        (StopReason.INTERRUPTED, True),
        (StopReason.INTERNAL_ERROR, True),
        (StopReason.BUDGET, True),
    ],
)
def test_a_replay_is_broken_when_questions_were_left_unasked(reason: StopReason, broken: bool) -> None:
    """An assistant that ends the conversation is as it is; relations look at what it answered."""
    assert is_broken(Stop(reason=reason)) is broken


def test_a_conversation_that_is_no_replay_is_refused() -> None:
    record = replayed("c0001")
    free = record.model_copy(update={"planned": record.planned.model_copy(update={"replay": None})})
    with pytest.raises(ValueError, match="c0001 is no replay"):
        ReplayTally().add(free)


@given(st.dictionaries(st.sampled_from(MetamorphicRelation), counts), st.dictionaries(st.integers(1, 3), counts))
def test_every_count_of_a_relation_reaches_the_summary_and_the_rate_is_of_mortars_four(
    by_relation: dict[MetamorphicRelation, RelationCount], levels: dict[int, RelationCount]
) -> None:
    totals = RelationTotals(by_relation=by_relation, levels={level: count.checks for level, count in levels.items()})
    summary = tallied(totals=totals)
    for relation in MetamorphicRelation:
        assert summary.of(relation) == by_relation.get(relation, RelationCount())
    four = [count for relation, count in by_relation.items() if relation.value.startswith("MR")]
    checks = sum(count.checks for count in four)
    violations = sum(count.violations for count in four)
    assert summary.violation_rate == (violations / checks if checks else None)
    assert summary.total.checks == sum(count.checks for count in by_relation.values())
    assert summary.total.violations == sum(count.violations for count in by_relation.values())
    assert summary.total.not_applicable == sum(count.not_applicable for count in by_relation.values())
    assert tuple(totals.levels.get(level, 0) for level in (1, 2, 3)) == (summary.L1, summary.L2, summary.L3)


def test_the_counts_of_a_relation_stand_under_its_name() -> None:
    totals = RelationTotals(by_relation={MetamorphicRelation.MR3: RelationCount(checks=4, violations=1)})
    dumped = tallied(replayed("c0001"), totals=totals).model_dump(mode="json")
    assert dumped["MR3"] == {"checks": 4, "violations": 1, "not_applicable": 0}
    assert dumped["MR1"] == {"checks": 0, "violations": 0, "not_applicable": 0}
    assert dumped["violation_rate"] == 0.25
