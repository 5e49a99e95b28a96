from __future__ import annotations

import pytest

from hairpin.domain.canary_rates import MISSING, CanaryTally, error_rate
from hairpin.domain.failures import CHECK_FAILED, Failure, ModeKind
from hairpin.domain.known_transcripts import KnownTranscript, Twins, TwinTurn
from hairpin.domain.outcome import Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation, plan_canary
from hairpin.domain.records import Outcome
from hairpin.domain.scoring import Judgement, TargetRatios
from hairpin.domain.users import Context

SOURCE = PlannedConversation(
    index=0, id="c1", sut="a", seed_phrase="x", persona="p", context=Context(), repeat=0, max_turns=4, rng_seed=1
)


def pair(name: str, mode: str = "rude", *, ruined: bool = True) -> Twins:
    turns = (TwinTurn(user="Hi", good="Hello", bad="Hello"), TwinTurn(user="Pass", good="Here", bad="No"))
    return Twins(id=name, mode=mode, turns=turns, labelled=1, ruined=ruined)


def ended(verdict: Verdict | None, reason: StopReason = StopReason.SCRIPT_EXHAUSTED) -> Outcome:
    ratios = TargetRatios(uttered=None, all=None, without_dropped=None)
    judgement = Judgement(verdict=verdict, blame=None, success_score=None, ratios=ratios)
    return Outcome(stop=Stop(reason=reason), judgement=judgement)


def label(t: int, mode: str, kind: ModeKind = ModeKind.RESPONSE) -> Failure:
    return Failure(t=t, mode=mode, kind=kind)


def add(
    tally: CanaryTally, transcript: KnownTranscript, verdict: Verdict | None, *failures: Failure, times: int = 1
) -> None:
    for _ in range(times):
        tally.add(plan_canary(SOURCE, transcript), failures, ended(verdict))


def test_nothing_asked_says_nothing() -> None:
    rate = error_rate([])
    assert (rate.n, rate.rate, rate.low, rate.high) == (0, None, 0, 1)


def test_verdicts_and_labels_are_counted_apart() -> None:
    tally = CanaryTally()
    add(tally, pair("one").good, Verdict.PASS)
    add(tally, pair("two").good, Verdict.FAIL)
    add(tally, pair("three").good, Verdict.PASS, label(0, "slow"))
    add(tally, pair("one").bad, Verdict.FAIL, label(1, "rude"), label(0, "slow"))
    add(tally, pair("two").bad, Verdict.PASS, label(1, "slow"))
    add(tally, pair("three").bad, Verdict.FAIL, label(0, "rude"))
    found = tally.summary()
    assert (found.planned, found.good, found.bad, found.transcripts) == (6, 3, 3, 6)
    assert found.failed_good is not None
    assert (found.failed_good.wrong, found.failed_good.n) == (1, 3)
    assert found.passed_bad is not None
    assert (found.passed_bad.wrong, found.passed_bad.n) == (1, 3)
    assert found.made_up is not None
    assert (found.made_up.wrong, found.made_up.n) == (1, 3)
    assert found.missed is not None
    assert (found.missed.wrong, found.missed.n) == (2, 3)
    assert {mode: (each.missed.n, each.made_up.wrong) for mode, each in found.by_mode.items()} == {
        "rude": (3, 0),
        "slow": (0, 1),
    }


def test_a_transcript_asked_again_counts_once_by_the_share_of_wrong_answers() -> None:
    tally = CanaryTally()
    add(tally, pair("one").bad, Verdict.PASS, times=3)
    add(tally, pair("one").bad, Verdict.FAIL, label(1, "rude"))
    found = tally.summary()
    assert (found.bad, found.transcripts) == (4, 1)
    assert found.passed_bad is not None
    assert (found.passed_bad.wrong, found.passed_bad.n, found.passed_bad.rate) == (0.75, 1, 0.75)


def test_a_judge_that_broke_is_undecided_and_in_no_rate() -> None:
    tally = CanaryTally()
    canary = plan_canary(SOURCE, pair("one").bad)
    tally.add(canary, (), ended(Verdict.INVALID, StopReason.JUDGE_FAULT))
    tally.add(canary, (), None)
    found = tally.summary()
    assert found.undecided == {"judge_fault": 1, MISSING: 1}
    assert (found.planned, found.bad) == (2, 0)
    assert found.passed_bad is not None
    assert found.passed_bad.rate is None


def test_an_open_verdict_is_in_no_rate_of_verdicts_and_a_failed_check_is_no_label() -> None:
    tally = CanaryTally()
    add(tally, pair("one", ruined=False).bad, Verdict.PASS, label(1, "rude"))
    add(tally, pair("one").good, Verdict.PASS, label(0, CHECK_FAILED, ModeKind.CHECK))
    found = tally.summary()
    assert found.passed_bad is not None
    assert found.passed_bad.n == 0
    assert found.missed is not None
    assert (found.missed.wrong, found.missed.n) == (0, 1)
    assert found.made_up is not None
    assert found.made_up.wrong == 0


def test_judges_that_do_not_take_part_have_no_errors() -> None:
    tally = CanaryTally(scored=False, labelled=False)
    add(tally, pair("one").good, Verdict.PASS)
    found = tally.summary()
    assert (found.failed_good, found.passed_bad, found.made_up, found.missed, found.by_mode) == (
        None,
        None,
        None,
        None,
        {},
    )


def test_what_is_no_canary_is_refused() -> None:
    with pytest.raises(ValueError, match="c1 is no canary"):
        CanaryTally().add(SOURCE, (), None)
