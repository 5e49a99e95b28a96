"""What people say beside what the run says: blame, labels that are right, failures that were missed."""

from __future__ import annotations

from hairpin.analysis.peoples_word import BlamePair, MissedFailure, PeoplesWord, PeoplesWordFold
from hairpin.domain.annotations import Annotation, LabelOpinion
from hairpin.domain.failures import Failure, ModeKind
from hairpin.domain.outcome import Blame, Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord, Outcome
from hairpin.domain.scoring import Judgement, TargetRatios
from hairpin.domain.users import Context


def record(
    conversation: str, *failures: Failure, verdict: Verdict = Verdict.FAIL, blame: Blame | None = None
) -> ConversationRecord:
    planned = PlannedConversation(
        index=0,
        id=conversation,
        sut="ica",
        seed_phrase="Take me home",
        persona="neutral",
        context=Context(),
        repeat=0,
        max_turns=4,
        rng_seed=7,
    )
    reason = StopReason.JUDGE_FAULT if verdict is Verdict.INVALID else StopReason.TURNS_EXHAUSTED
    judgement = Judgement(
        verdict=verdict,
        blame=blame,
        success_score=None,
        ratios=TargetRatios(uttered=None, all=None, without_dropped=None),
    )
    outcome = Outcome(stop=Stop(reason=reason), judgement=judgement)
    return ConversationRecord(planned=planned, attempts=1, failures=failures, outcome=outcome)


def missed(t: int, target: str | None = None) -> Failure:
    return Failure(t=t, mode="constraint_missed", kind=ModeKind.COMPLIANCE, target_id=target)


def labels(rater: str, *opinions: tuple[int, bool, str | None], conversation: str = "c1") -> Annotation:
    found = tuple(
        LabelOpinion(t=t, mode="constraint_missed", holds=holds, target_id=target) for t, holds, target in opinions
    )
    return Annotation(conversation=conversation, rater=rater, labels=found)


def folded(annotations: list[Annotation], *records: ConversationRecord) -> PeoplesWord:
    fold = PeoplesWordFold(annotations)
    for each in records:
        fold.add(each)
    return fold.result()


def test_blame_is_paired_with_the_runs_and_agreement_has_its_interval() -> None:
    said = [
        Annotation(conversation="c1", rater="ann", blame=Blame.SUT),
        Annotation(conversation="c2", rater="ann", blame=Blame.SIMULATOR),
        Annotation(conversation="c3", rater="ann", blame=Blame.SUT),
        Annotation(conversation="c4", rater="ann", blame=Blame.SUT),
        Annotation(conversation="c4", rater="bob", blame=Blame.JUDGE),
    ]
    found = folded(
        said,
        record("c1"),
        record("c2", verdict=Verdict.INVALID, blame=Blame.JUDGE),
        record("c3", verdict=Verdict.PASS),
        record("c4"),
        record("c5"),
    )
    assert found.blame == (
        BlamePair(run="judge", people="simulator", number=1),
        BlamePair(run="nobody", people="sut", number=1),
        BlamePair(run="sut", people="sut", number=1),
    )
    assert (found.agreement.successes, found.agreement.n) == (1, 3)
    assert 0 < found.agreement.low < 1 / 3 < found.agreement.high
    assert (found.raters, found.conversations) == (("ann", "bob"), 4)


def test_precision_is_the_share_of_labelled_failures_that_more_than_half_call_right() -> None:
    said = [
        labels("ann", (0, True, None), (1, False, "g1"), (2, True, None)),
        labels("bob", (0, True, None), (2, False, None)),
    ]
    found = folded(said, record("c1", missed(0), missed(1, "g1"), missed(1, "g2"), missed(2), missed(3)))
    (precision,) = found.precision
    assert (precision.mode, precision.right.successes, precision.right.n, precision.ties) == (
        "constraint_missed",
        1,
        2,
        1,
    )
    assert found.missed == ()


def test_a_label_without_a_target_is_of_every_failure_of_its_mode_at_that_turn() -> None:
    found = folded([labels("ann", (1, True, None))], record("c1", missed(1, "g1"), missed(1, "g2")))
    assert (found.precision[0].right.successes, found.precision[0].right.n) == (2, 2)


def test_a_rater_who_names_a_target_and_none_has_one_vote_and_the_target_counts() -> None:
    said = [labels("ann", (1, False, "g1"), (1, True, None)), labels("bob", (1, True, None), (1, True, "g1"))]
    found = folded(said, record("c1", missed(1, "g1"), missed(1, "g2")))
    (precision,) = found.precision
    assert (precision.right.successes, precision.right.n, precision.ties) == (1, 1, 1)


def test_failures_that_people_see_and_the_run_does_not_are_listed() -> None:
    said = [
        labels("ann", (4, True, "g1"), (2, True, None), (3, False, None)),
        labels("bob", (2, False, None)),
    ]
    found = folded(said, record("c1", missed(0)))
    assert found.missed == (
        MissedFailure(conversation="c1", t=4, mode="constraint_missed", target_id="g1", raters=("ann",)),
    )
    assert found.precision == ()


def test_with_nothing_said_nothing_is_known() -> None:
    found = folded([], record("c1", missed(0)))
    assert (found.agreement.rate, found.agreement.reason) == (None, "nobody blames anybody")
    assert (found.blame, found.precision, found.missed) == ((), (), ())
