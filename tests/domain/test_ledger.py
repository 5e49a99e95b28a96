"""The blame ledger: one row per conversation without a clean verdict, and people's word beside the run's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.annotations import Annotation
from hairpin.domain.conversation import Exchange
from hairpin.domain.failures import CHECK_FAILED, Failure, ModeKind
from hairpin.domain.ledger import (
    LedgerCounts,
    LedgerReason,
    LedgerRow,
    LedgerTally,
    ledger_row,
    words_by_conversation,
)
from hairpin.domain.outcome import STOP_RULES, Blame, Role, Stop, StopReason, Verdict
from hairpin.domain.plan import CANARIES_FROM, PlannedConversation, plan_trial
from hairpin.domain.records import ConversationRecord, Outcome, RunInfo
from hairpin.domain.replay import Method, Replay, ReplayedQuestion
from hairpin.domain.scoring import DimensionScore, Judgement, TargetRatios
from hairpin.domain.summary import summarise
from hairpin.domain.sut import SutIdentity
from hairpin.domain.tally import Standing
from hairpin.domain.trials import TrialKind
from hairpin.domain.users import Context

MISSED = Failure(t=0, mode="constraint_missed", kind=ModeKind.COMPLIANCE, evidence="vegetarian was asked for")
CHECKED = Failure(t=0, mode=CHECK_FAILED, kind=ModeKind.CHECK, evidence="no 'hello'")


def planned(index: int = 0) -> PlannedConversation:
    return PlannedConversation(
        index=index,
        id=f"c{index + 1:04d}",
        sut="ica",
        seed_phrase="Take me home",
        persona="neutral",
        context=Context(),
        repeat=0,
        max_turns=4,
        rng_seed=7,
    )


def record(
    verdict: Verdict | None,
    reason: StopReason = StopReason.TURNS_EXHAUSTED,
    *,
    index: int = 0,
    blame: Blame | None = None,
    failures: tuple[Failure, ...] = (),
    scored: bool = True,
    detail: str = "",
    role: Role | None = None,
    pending: str | None = None,
    n_turns: int = 1,
) -> ConversationRecord:
    ratios = TargetRatios(uttered=None, all=None, without_dropped=None)
    score = 0.5 if scored and verdict in (Verdict.PASS, Verdict.FAIL) else None
    return ConversationRecord(
        planned=planned(index),
        attempts=1,
        exchanges=tuple(Exchange(t=t, user=f"u{t}", assistant=f"a{t}") for t in range(n_turns)),
        failures=failures,
        scores=(DimensionScore(dimension="plan", score=1, reasoning=""),) * scored,
        outcome=Outcome(
            stop=Stop(reason=reason, role=role, detail=detail),
            judgement=Judgement(verdict=verdict, blame=blame, success_score=score, ratios=ratios),
            pending_utterance=pending,
        ),
    )


def said(rater: str, *, verdict: Verdict | None = None, blame: Blame | None = None, note: str = "") -> Annotation:
    return Annotation(conversation="c0001", rater=rater, verdict=verdict, blame=blame, note=note)


def row_of(found: LedgerRow | None) -> LedgerRow:
    assert found is not None
    return found


def test_clean_verdicts_have_no_row() -> None:
    assert ledger_row(record(Verdict.PASS)) is None
    assert ledger_row(record(Verdict.FAIL, failures=(MISSED,))) is None
    assert ledger_row(record(Verdict.FAIL), [said("ann", verdict=Verdict.FAIL, blame=Blame.SUT)]) is None
    assert ledger_row(record(Verdict.FAIL), [said("ann")]) is None


def test_what_gets_no_verdict_or_is_about_another_has_no_row() -> None:
    invalid = record(Verdict.INVALID, StopReason.JUDGE_FAULT, blame=Blame.JUDGE)
    asked = Replay(method=Method.RBT, test_seed="s", questions=(ReplayedQuestion(text="Who?", index=0),))
    for other in (
        plan_trial(planned(), TrialKind.REPLAY, 0),
        planned().model_copy(update={"canary": "known", "index": CANARIES_FROM}),
        planned().model_copy(update={"replay": asked}),
    ):
        assert ledger_row(invalid.model_copy(update={"planned": other})) is None


def test_a_broken_conversation_says_who_broke_it_and_shows_what() -> None:
    row = row_of(
        ledger_row(
            record(
                Verdict.INVALID,
                StopReason.REFUSED,
                blame=Blame.JUDGE,
                role=Role.TURN_JUDGE,
                detail="HTTP 400: no",
                pending="Take me home",
            )
        )
    )
    assert (row.blame, row.run_blame, row.reason) == (Blame.JUDGE, Blame.JUDGE, "refused")
    assert row.evidence == 'turn_judge: HTTP 400: no; at turn 1, after the user\'s "Take me home"'
    assert row.overridden_by == ()


def test_the_role_alone_and_the_last_words_are_shown_where_there_is_no_more() -> None:
    broken = record(Verdict.INVALID, StopReason.SIMULATOR_FAULT, blame=Blame.SIMULATOR, role=Role.SIMULATOR)
    assert row_of(ledger_row(broken)).evidence == 'simulator; after turn 0, the assistant\'s "a0"'
    mute = record(Verdict.INVALID, StopReason.PROVIDER_ERROR, blame=Blame.PROVIDER, detail="HTTP 503", n_turns=0)
    assert row_of(ledger_row(mute)).evidence == "HTTP 503; before anything was said"


def test_a_conversation_cut_short_and_one_that_cannot_be_scored_are_told_apart() -> None:
    cut = row_of(ledger_row(record(Verdict.INCONCLUSIVE, StopReason.DEADLINE)))
    assert (cut.reason, cut.blame, cut.standing) == ("deadline", None, Standing.INCONCLUSIVE)
    assert row_of(ledger_row(record(Verdict.INCONCLUSIVE))).reason == LedgerReason.UNSCORED


def test_a_missing_conversation_says_whether_it_was_begun() -> None:
    never = row_of(ledger_row(ConversationRecord(planned=planned())))
    assert (never.reason, never.blame, never.standing) == ("never_begun", None, Standing.MISSING)
    begun = row_of(ledger_row(ConversationRecord(planned=planned(), attempts=2)))
    assert (begun.reason, begun.evidence) == ("no_outcome", "begun 2 times, without an outcome")
    stopped = row_of(ledger_row(record(None, StopReason.INTERRUPTED, blame=Blame.USER)))
    assert (stopped.reason, stopped.blame, stopped.standing) == ("interrupted", Blame.USER, Standing.MISSING)


def test_a_persons_word_takes_the_place_of_the_runs_and_says_so() -> None:
    broken = record(Verdict.INVALID, StopReason.SIMULATOR_FAULT, blame=Blame.SIMULATOR)
    row = row_of(ledger_row(broken, [said("ann", blame=Blame.SUT, note="it said so first")]))
    assert (row.blame, row.run_blame, row.overridden_by) == (Blame.SUT, Blame.SIMULATOR, ("ann",))
    assert row.evidence.endswith('ann says sut: "it said so first"')


def test_a_tie_of_raters_is_no_word() -> None:
    broken = record(Verdict.INVALID, StopReason.SIMULATOR_FAULT, blame=Blame.SIMULATOR)
    two = [said("ann", blame=Blame.SUT), said("bob", blame=Blame.HARNESS)]
    row = row_of(ledger_row(broken, two))
    assert (row.blame, row.overridden_by) == (Blame.SIMULATOR, ())
    third = row_of(ledger_row(broken, [*two, said("cyd", blame=Blame.SUT)]))
    assert (third.blame, third.overridden_by) == (Blame.SUT, ("ann", "cyd"))


@pytest.mark.parametrize(
    ("failed", "blame"),
    [
        (record(Verdict.FAIL, failures=(MISSED,)), Blame.JUDGE),
        (record(Verdict.FAIL, failures=(CHECKED,)), Blame.USER),
        (record(Verdict.FAIL, scored=False), Blame.USER),
        (record(Verdict.PASS), Blame.JUDGE),
    ],
)
def test_a_verdict_that_people_contradict_is_disputed_and_whoever_gave_it_is_to_blame(
    failed: ConversationRecord, blame: Blame
) -> None:
    passed = failed.outcome is not None and failed.outcome.judgement.verdict is Verdict.PASS
    word = said("ann", verdict=Verdict.FAIL if passed else Verdict.PASS)
    row = row_of(ledger_row(failed, [word]))
    assert (row.reason, row.blame, row.overridden_by) == ("overridden", blame, ("ann",))
    assert row.standing is (Standing.PASS if passed else Standing.FAIL)


def test_a_failure_that_is_somebody_elses_fault_is_disputed_with_its_words() -> None:
    long = MISSED.model_copy(update={"evidence": "x" * 500})
    row = row_of(ledger_row(record(Verdict.FAIL, failures=(long,) * 5), [said("ann", blame=Blame.SIMULATOR)]))
    assert (row.blame, row.run_blame) == (Blame.SIMULATOR, Blame.SUT)
    assert row.evidence.startswith('C = 0.50; turn 0, constraint_missed: "xxx')
    assert "and 2 more" in row.evidence
    assert len(row.evidence) < 800


def test_an_unconfirmed_failure_is_disputed_and_stays_the_assistants() -> None:
    row = row_of(ledger_row(record(Verdict.FAIL, failures=(MISSED,)), unconfirmed="0 of 3 replays failed"))
    assert (row.reason, row.blame, row.overridden_by) == ("unconfirmed", Blame.SUT, ())
    assert row.evidence.startswith("0 of 3 replays failed; C = 0.50")


def test_what_people_say_is_kept_by_conversation() -> None:
    other = Annotation(conversation="c0002", rater="ann")
    assert words_by_conversation([said("ann"), other, said("bob")]) == {
        "c0001": (said("ann"), said("bob")),
        "c0002": (other,),
    }


records = st.builds(
    record,
    st.sampled_from([Verdict.PASS, Verdict.FAIL]),
    failures=st.sampled_from([(), (MISSED,), (CHECKED,)]),
) | st.sampled_from(list(STOP_RULES)).flatmap(
    lambda reason: st.builds(
        record,
        st.just(STOP_RULES[reason].verdict or Verdict.INCONCLUSIVE),
        st.just(reason),
        blame=st.just(STOP_RULES[reason].blame),
    )
)
opinions = st.builds(
    said,
    st.sampled_from(["ann", "bob", "cyd"]),
    verdict=st.none() | st.sampled_from(Verdict),
    blame=st.none() | st.sampled_from(Blame),
)


@given(st.lists(st.tuples(records, st.lists(opinions, max_size=3)), max_size=6), st.integers(0, 9))
def test_rows_and_clean_verdicts_are_all_that_was_planned(
    drawn: list[tuple[ConversationRecord, list[Annotation]]], more: int
) -> None:
    run = RunInfo(
        run_id="r",
        name="r",
        hairpin_version="0",
        created_at="",
        fingerprint="",
        fingerprint_parts={},
        agents={},
        suts={"ica": SutIdentity(name="ica")},
        threshold=0.75,
        n_planned=len(drawn) + more or None,
    )
    rows = [each.model_copy(update={"planned": planned(index)}) for index, (each, _) in enumerate(drawn)]
    spoken = [
        word.model_copy(update={"conversation": each.planned.id})
        for each, (_, words) in zip(rows, drawn, strict=True)
        for word in words
    ]
    summary = summarise(run, rows, annotations=spoken)
    by_id = words_by_conversation(spoken)
    disputed = sum(
        (found := ledger_row(each, by_id.get(each.planned.id, ()))) is not None and found.standing.in_rates
        for each in rows
    )
    counts = summary.conversations
    assert summary.ledger.rows == counts.planned - (counts.passed + counts.failed - disputed)
    assert sum(summary.ledger.by_blame.values()) == sum(summary.ledger.by_reason.values()) == summary.ledger.rows
    assert all(summary.ledger.by_blame.values())


def test_an_empty_ledger_has_no_counts() -> None:
    tally = LedgerTally()
    tally.add(None)
    assert tally.counts() == LedgerCounts()
