from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.analysis.judge_differences import SCORES, judge_differences
from hairpin.domain.conversation import Exchange
from hairpin.domain.failures import Failure, ModeKind
from hairpin.domain.outcome import Blame, Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord, Outcome
from hairpin.domain.scoring import DimensionScore, Judgement, target_ratios
from hairpin.domain.tally import Standing
from hairpin.domain.targets import Target, TargetEvent, TargetStatus
from hairpin.domain.users import Context


def judged(
    number: int = 1,
    *,
    verdict: Verdict = Verdict.PASS,
    score: float | None = 1.0,
    labels: tuple[tuple[int, str], ...] = (),
    scores: tuple[tuple[str, int], ...] = (("safety", 2),),
    status: TargetStatus = TargetStatus.COMPLETED,
    reply: str = "Yes.",
) -> ConversationRecord:
    planned = PlannedConversation(
        index=number, id=f"c{number:04d}", sut="bot", seed_phrase=None, persona="p", context=Context(), repeat=0,
        max_turns=2, rng_seed=1,
    )  # fmt: skip
    invalid = verdict is Verdict.INVALID
    reason = StopReason.JUDGE_FAULT if invalid else StopReason.TURNS_EXHAUSTED
    judgement = Judgement(
        verdict=verdict, blame=Blame.JUDGE if invalid else None, success_score=score, ratios=target_ratios(())
    )
    return ConversationRecord(
        planned=planned,
        exchanges=tuple(Exchange(t=t, user="u", assistant=reply) for t in range(2)),
        failures=tuple(
            Failure(t=t, mode=mode, kind=ModeKind.RESPONSE, evidence=f"{mode} at {t}") for t, mode in labels
        ),
        scores=tuple(DimensionScore(dimension=name, score=d, reasoning=f"why {d}") for name, d in scores),
        target_events=(TargetEvent(target=Target(id="g1", text="home", status=status), old=None),),
        outcome=Outcome(stop=Stop(reason=reason, detail="no answer" if invalid else ""), judgement=judgement),
    )


def test_equal_judgements_differ_in_nothing() -> None:
    found = judge_differences([(judged(labels=((0, "forgot"),)), judged(labels=((0, "forgot"),)))])
    assert (found.n_conversations, found.n_turns, found.identical) == (1, 2, 1)
    assert (found.n_verdict_changes, found.n_score_changes, found.mean_score_change) == (0, 0, 0.0)
    assert [(mode.both, mode.differing, mode.examples) for mode in found.modes] == [(1, 0, ())]
    assert (found.targets.same, found.targets.differing) == (1, 0)


def test_labels_are_told_apart_by_who_found_them_with_the_evidence() -> None:
    before, after = judged(labels=((0, "forgot"), (1, "unsafe"))), judged(labels=((1, "unsafe"), (1, "forgot")))
    found = judge_differences([(before, after)])
    forgot, unsafe = found.modes
    assert (forgot.mode, forgot.both, forgot.only_before, forgot.only_after) == ("forgot", 0, 1, 1)
    assert (unsafe.both, unsafe.differing) == (1, 0)
    first, second = forgot.examples
    assert (first.t, first.before, first.after, first.before_evidence) == (0, "forgot", "not found", "forgot at 0")
    assert (second.t, second.before, second.after, second.after_evidence) == (1, "not found", "forgot", "forgot at 1")
    assert found.identical == 0


def test_a_mode_counts_once_an_exchange_of_however_many_targets() -> None:
    twice = judged(labels=((0, "omitted"), (0, "omitted")))
    assert [mode.both for mode in judge_differences([(twice, twice)]).modes] == [1]


def test_scores_are_confused_by_dimension_and_a_missing_one_is_told() -> None:
    pairs = [
        (judged(1, scores=(("plan", 0), ("safety", 2))), judged(1, scores=(("plan", 2), ("safety", 2)))),
        (judged(2, scores=(("plan", 1),)), judged(2, scores=())),
    ]
    plan, safety = judge_differences(pairs).dimensions
    assert plan.confusion[SCORES.index(0)][SCORES.index(2)] == 1
    assert plan.confusion[SCORES.index(1)][SCORES.index(None)] == 1
    assert (plan.number, plan.same, safety.number, safety.same) == (2, 0, 1, 1)
    assert [(each.before, each.after) for each in plan.examples] == [("0", "2"), ("1", "none")]
    assert (plan.examples[0].before_evidence, plan.examples[0].after_evidence) == ("why 0", "why 2")


def test_changed_verdicts_are_counted_and_shown_with_what_they_rest_on() -> None:
    pairs = [
        (judged(1), judged(1, verdict=Verdict.FAIL, score=0.5, scores=(("safety", 0),))),
        (judged(2), judged(2, verdict=Verdict.INVALID, score=None, scores=())),
        (judged(3), judged(3)),
    ]
    found = judge_differences(pairs)
    assert {(each.before, each.after): each.number for each in found.verdicts} == {
        (Standing.PASS, Standing.PASS): 1,
        (Standing.PASS, Standing.FAIL): 1,
        (Standing.PASS, Standing.INVALID): 1,
    }
    assert (found.n_verdict_changes, found.n_scored, found.n_score_changes, found.mean_score_change) == (2, 2, 1, -0.25)
    failed, broke = found.verdict_examples
    assert (failed.before, failed.after, failed.after_evidence) == ("pass (C 1.00)", "fail (C 0.50)", "safety 0")
    assert (broke.after, broke.after_evidence) == ("invalid", "judge_fault: no answer")


def test_targets_that_stand_differently_are_told() -> None:
    found = judge_differences([(judged(), judged(status=TargetStatus.INCOMPLETE))])
    assert (found.targets.same, found.targets.differing) == (0, 1)
    assert (found.targets.examples[0].before, found.targets.examples[0].after) == (
        "home: completed",
        "home: incomplete",
    )


def test_without_pairs_nothing_is_said() -> None:
    found = judge_differences([], unpaired=4)
    assert (found.n_conversations, found.unpaired, found.mean_score_change) == (0, 4, None)
    assert (found.modes, found.dimensions, found.verdicts) == ((), (), ())


def test_only_so_many_examples_are_kept() -> None:
    pairs = [(judged(n), judged(n, labels=((0, "forgot"),))) for n in range(10)]
    assert len(judge_differences(pairs, n_examples=2).modes[0].examples) == 2
    assert len(judge_differences(pairs).modes[0].examples) == 3


def test_other_words_are_refused() -> None:
    with pytest.raises(ValueError, match="other words"):
        judge_differences([(judged(), judged(reply="No."))])


modes = st.sets(st.tuples(st.integers(0, 1), st.sampled_from(["forgot", "unsafe", "omitted"])))


@given(modes, modes)
def test_swapping_the_judgements_swaps_what_only_one_found(
    one: set[tuple[int, str]], two: set[tuple[int, str]]
) -> None:
    before, after = judged(labels=tuple(sorted(one))), judged(labels=tuple(sorted(two)))
    forth, back = judge_differences([(before, after)]), judge_differences([(after, before)])
    counts = {mode.mode: (mode.both, mode.only_before, mode.only_after) for mode in forth.modes}
    assert counts == {mode.mode: (mode.both, mode.only_after, mode.only_before) for mode in back.modes}
    assert sum(both + first for both, first, _ in counts.values()) == len(one)
