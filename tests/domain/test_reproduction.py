from __future__ import annotations

import pytest

from hairpin.domain.conversation import Exchange
from hairpin.domain.failures import Failure, ModeKind
from hairpin.domain.outcome import Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation, plan_trial
from hairpin.domain.records import ConversationRecord, Outcome
from hairpin.domain.reproduction import (
    ReplayResult,
    ReproductionReport,
    compare_replay,
    failures_from,
    fresh_replays,
)
from hairpin.domain.scoring import Judgement, target_ratios
from hairpin.domain.tally import Standing
from hairpin.domain.targets import Target, TargetEvent
from hairpin.domain.trials import MAX_TRIALS, TrialKind
from hairpin.domain.users import Context

SOURCE = PlannedConversation(
    index=0, id="c0001", sut="bot", seed_phrase="Home", persona="p", context=Context(), repeat=0, max_turns=4,
    rng_seed=1,
)  # fmt: skip
REPLAY = plan_trial(SOURCE, TrialKind.REPLAY, 0)


def held(
    verdict: Verdict,
    *labels: tuple[int, str],
    planned: PlannedConversation = SOURCE,
    stop: StopReason = StopReason.SCRIPT_EXHAUSTED,
    replies: tuple[str, ...] = ("a", "b", "c"),
) -> ConversationRecord:
    """Return a conversation with these failures, by turn; ``omitted`` concerns a target of kind ``route``."""
    target = Target(id="g1", text="home", kind="route", introduced=0)
    failures = tuple(
        Failure(
            t=t,
            mode=mode,
            kind=ModeKind.COMPLIANCE if mode == "omitted" else ModeKind.RESPONSE,
            target_id="g1" if mode == "omitted" else None,
        )
        for t, mode in labels
    )
    judgement = Judgement(
        verdict=verdict, blame=Stop(reason=stop).blame, success_score=0.5, ratios=target_ratios((target,))
    )
    return ConversationRecord(
        planned=planned,
        exchanges=tuple(Exchange(t=t, user=f"u{t}", assistant=reply) for t, reply in enumerate(replies)),
        failures=failures,
        target_events=(TargetEvent(target=target, old=None),),
        outcome=Outcome(stop=Stop(reason=stop, detail="gone"), judgement=judgement),
    )


FAIL, PASS = Verdict.FAIL, Verdict.PASS


@pytest.mark.parametrize(
    ("source", "replay", "expected"),
    [
        ((FAIL, (0, "forgot")), (FAIL, (2, "forgot")), ReplayResult.REPRODUCED),
        ((FAIL, (0, "forgot"), (1, "omitted")), (FAIL, (1, "omitted")), ReplayResult.REPRODUCED),
        ((FAIL, (0, "forgot")), (FAIL, (0, "unsafe")), ReplayResult.DIFFERENTLY),
        ((FAIL, (0, "forgot")), (FAIL,), ReplayResult.DIFFERENTLY),
        ((FAIL, (0, "forgot")), (PASS, (0, "forgot")), ReplayResult.NOT_REPRODUCED),
        ((FAIL, (0, "forgot")), (PASS,), ReplayResult.NOT_REPRODUCED),
        ((FAIL,), (FAIL, (0, "forgot")), ReplayResult.REPRODUCED),
        ((PASS, (0, "forgot")), (PASS, (0, "forgot")), ReplayResult.REPRODUCED),
        ((PASS, (0, "forgot")), (PASS,), ReplayResult.NOT_REPRODUCED),
        ((PASS, (0, "forgot")), (PASS, (0, "unsafe")), ReplayResult.DIFFERENTLY),
        ((PASS,), (FAIL, (0, "forgot")), ReplayResult.DIFFERENTLY),
        ((PASS,), (PASS,), ReplayResult.REPRODUCED),
        ((Verdict.INCONCLUSIVE, (0, "forgot")), (FAIL, (0, "forgot")), ReplayResult.REPRODUCED),
        ((Verdict.INCONCLUSIVE, (0, "forgot")), (PASS,), ReplayResult.NOT_REPRODUCED),
        ((Verdict.INCONCLUSIVE,), (FAIL,), ReplayResult.DIFFERENTLY),
        ((FAIL,), (Verdict.INVALID,), ReplayResult.UNUSABLE),
    ],
)
def test_the_same_verdict_and_one_same_failure_reproduce(
    source: tuple[Verdict, *tuple[tuple[int, str], ...]],
    replay: tuple[Verdict, *tuple[tuple[int, str], ...]],
    expected: ReplayResult,
) -> None:
    found = compare_replay(held(*source), held(*replay, planned=REPLAY))
    assert found.result is expected
    assert (found.detail != "") == (expected is ReplayResult.UNUSABLE)


def test_the_kind_of_the_target_must_be_the_same() -> None:
    other = held(FAIL, (0, "omitted"), planned=REPLAY)
    event = TargetEvent(target=Target(id="g1", text="home", kind="music"), old=None)
    other = other.model_copy(update={"target_events": (event,)})
    assert compare_replay(held(FAIL, (0, "omitted")), other).result is ReplayResult.DIFFERENTLY


def test_what_the_assistant_broke_off_is_reproduced_by_breaking_off_again() -> None:
    broke = held(Verdict.INVALID, stop=StopReason.SUT_ERROR)
    again = held(Verdict.INVALID, stop=StopReason.SUT_ERROR, planned=REPLAY)
    assert compare_replay(broke, again).result is ReplayResult.REPRODUCED
    assert compare_replay(broke, held(PASS, planned=REPLAY)).result is ReplayResult.NOT_REPRODUCED
    judge_broke = held(Verdict.INVALID, stop=StopReason.JUDGE_FAULT, planned=REPLAY)
    assert compare_replay(broke, judge_broke).result is ReplayResult.UNUSABLE


def test_failures_in_replies_that_stand_prove_nothing() -> None:
    """They come again because the words do."""
    source, replay = held(FAIL, (0, "forgot"), (2, "unsafe")), held(FAIL, (0, "forgot"), planned=REPLAY)
    assert compare_replay(source, replay).result is ReplayResult.REPRODUCED
    assert compare_replay(source, replay, from_turn=1).result is ReplayResult.DIFFERENTLY
    assert [label.mode for label in failures_from(source, 1)] == ["unsafe"]


def test_turns_are_laid_side_by_side_with_their_labels() -> None:
    source = held(FAIL, (1, "forgot"), replies=("a", "b"))
    replay = held(FAIL, (1, "unsafe"), planned=REPLAY, replies=("a", "B", "c"))
    first, second, third = compare_replay(source, replay, from_turn=1).turns
    assert (first.same, first.standing) == (True, True)
    assert (second.same, second.before, second.after, second.standing) == (False, "b", "B", False)
    assert [label.mode for label in (*second.labels_before, *second.labels_after)] == ["forgot", "unsafe"]
    assert (third.before, third.after, third.user) == (None, "c", "u2")


def test_equal_replies_that_are_labelled_differently_differ() -> None:
    (first, *_) = compare_replay(held(FAIL, (0, "forgot")), held(FAIL, planned=REPLAY)).turns
    assert first.before == first.after
    assert not first.same


def test_rates_are_of_those_that_came_to_a_verdict() -> None:
    source = held(FAIL, (0, "forgot"))
    replays = [held(FAIL, (0, "forgot"), planned=REPLAY)] * 3 + [held(PASS, planned=REPLAY)]
    unusable = held(Verdict.INVALID, planned=REPLAY).model_copy(update={"outcome": None})
    report = ReproductionReport(
        run="r", conversation="c0001", sut="bot", from_turn=0, standing=Standing.FAIL, success_score=0.5, failures=(),
        replays=tuple(compare_replay(source, each) for each in (*replays, unusable)),
    )  # fmt: skip
    reproduced, differently, not_reproduced = report.rates
    assert (reproduced.number, differently.number, not_reproduced.number, reproduced.n) == (3, 0, 1, 4)
    assert reproduced.low < 0.75 < reproduced.high
    assert report.n_unusable == 1
    assert report.replays[-1].detail == "it was not run to its end"
    assert report.replays[-1].standing is Standing.MISSING


def test_numbers_that_others_have_are_not_used_again() -> None:
    made = [held(FAIL, planned=plan_trial(SOURCE, TrialKind.REPLAY, number, from_turn=1)) for number in (0, 2)]
    made.append(held(FAIL, planned=plan_trial(SOURCE, TrialKind.REJUDGE, 1)))
    fresh = fresh_replays(SOURCE, 3, made, from_turn=2)
    assert [each.id for each in fresh] == ["c0001~replay2", "c0001~replay4", "c0001~replay5"]
    assert {each.trial and each.trial.from_turn for each in fresh} == {2}
    assert len({each.index for each in (*fresh, *(record.planned for record in made))}) == 6


def test_more_than_there_can_be_are_refused() -> None:
    made = [held(FAIL, planned=REPLAY)]
    with pytest.raises(ValueError, match="c0001 has had 1 replays, and there can be 256 in all"):
        fresh_replays(SOURCE, MAX_TRIALS, made)
