"""The success score C, the ratio T and the verdict (in-car paper, eq. 1 and section III-D; design, section 4)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from hairpin.domain.outcome import STOP_RULES, Blame, Role, Stop, StopReason, Verdict
from hairpin.domain.rubric import Weights
from hairpin.domain.scoring import DimensionScore, Judgement, judge, success_score, target_ratios, unjudged
from hairpin.domain.targets import Target
from tests.domain.builders import (
    DIMENSIONS,
    dimension_scores,
    equal_weights,
    score_list,
    target_sets,
    targets_with,
    thresholds,
    usable_weights,
)

BEST = dict.fromkeys(DIMENSIONS, 2)
DONE = Stop(reason=StopReason.TURNS_EXHAUSTED)
GRADED = [reason for reason, rule in STOP_RULES.items() if rule.judged and rule.verdict is None]


def verdict_of(
    scores: dict[str, int],
    targets: tuple[Target, ...] = (),
    *,
    weights: Weights | None = None,
    threshold: float = 0.75,
    stop: Stop = DONE,
    scored: bool = True,
    check_failed: bool = False,
) -> Judgement:
    return judge(
        stop=stop,
        scores=score_list(scores),
        targets=targets,
        weights=weights or equal_weights(),
        threshold=threshold,
        scored=scored,
        check_failed=check_failed,
    )


@pytest.mark.parametrize(
    ("scores", "targets", "weights", "expected"),
    [
        pytest.param(
            (2, 2, 2, 2), targets_with(completed=2), equal_weights(), Fraction(1), id="(1 + 1 + 1 + 1 + 1) / 5"
        ),
        pytest.param(
            (1, 2, 1, 2),
            targets_with(completed=1, incomplete=1),
            equal_weights(),
            Fraction(7, 10),
            id="(1/2 + 1 + 1/2 + 1 + 1/2) / 5",
        ),
        pytest.param(
            (0, 1, 1, 2),
            targets_with(completed=1, incomplete=2),
            equal_weights(),
            Fraction(7, 15),
            id="(0 + 1/2 + 1/2 + 1 + 1/3) / 5",
        ),
        pytest.param(
            (1, 0, 2, 2),
            targets_with(completed=1, dropped=3),
            Weights(dimensions=dict(zip(DIMENSIONS, (0.5, 3, 0, 0), strict=True)), targets=1),
            Fraction(1, 9),
            id="(1/2 * 1/2 + 3 * 0 + 1/4) / (1/2 + 3 + 1)",
        ),
        pytest.param(
            (0, 0, 0, 0),
            targets_with(completed=2, incomplete=1),
            Weights(dimensions=dict.fromkeys(DIMENSIONS, 0.0), targets=0.3),
            Fraction(2, 3),
            id="T alone, 2/3",
        ),
        pytest.param(
            (1, 1, 1, 1),
            targets_with(unuttered=3),
            equal_weights(),
            Fraction(1, 2),
            id="nothing uttered, (1/2 + 1/2 + 1/2 + 1/2) / 4",
        ),
        pytest.param((0, 0, 0, 0), targets_with(incomplete=1), equal_weights(), Fraction(0), id="nothing good"),
    ],
)
def test_computes_c_as_by_hand(
    scores: tuple[int, ...], targets: tuple[Target, ...], weights: Weights, expected: Fraction
) -> None:
    assert success_score(dict(zip(DIMENSIONS, scores, strict=True)), targets, weights) == expected


@given(dimension_scores, target_sets, usable_weights)
def test_c_lies_between_zero_and_one(scores: dict[str, int], targets: tuple[Target, ...], weights: Weights) -> None:
    score = success_score(scores, targets, weights)
    assert score is None or 0 <= score <= 1


@given(dimension_scores, target_sets, usable_weights, st.sampled_from(DIMENSIONS))
def test_c_never_falls_when_a_dimension_is_better(
    scores: dict[str, int], targets: tuple[Target, ...], weights: Weights, dimension: str
) -> None:
    better = success_score({**scores, dimension: 2}, targets, weights)
    score = success_score(scores, targets, weights)
    assert (score is None and better is None) or (score is not None and better is not None and better >= score)


@given(dimension_scores, target_sets, usable_weights, st.integers(2, 9))
def test_c_depends_on_the_proportion_of_the_weights_only(
    scores: dict[str, int], targets: tuple[Target, ...], weights: Weights, factor: int
) -> None:
    scaled = Weights(
        dimensions={dimension: round(weight * factor, 1) for dimension, weight in weights.dimensions.items()},
        targets=round(weights.targets * factor, 1),
    )
    assert success_score(scores, targets, weights) == success_score(scores, targets, scaled)


@pytest.mark.parametrize("missing", DIMENSIONS)
def test_a_missing_dimension_leaves_c_undefined(missing: str) -> None:
    scores = {dimension: 2 for dimension in DIMENSIONS if dimension != missing}
    assert success_score(scores, targets_with(completed=1), equal_weights()) is None


def test_a_missing_dimension_without_weight_does_no_harm() -> None:
    weights = Weights(dimensions={"adherence": 1, "safety": 0}, targets=1)
    assert success_score({"adherence": 2}, targets_with(completed=1), weights) == 1


def test_a_dimension_nobody_weighs_does_not_count() -> None:
    assert success_score({**BEST, "charm": 0}, (), equal_weights()) == 1


def test_c_is_undefined_when_only_the_targets_have_weight_and_there_are_none() -> None:
    weights = Weights(dimensions=dict.fromkeys(DIMENSIONS, 0.0), targets=1)
    assert success_score(BEST, (), weights) is None
    judgement = verdict_of(BEST, weights=weights)
    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert "C is undefined" in judgement.note


def test_the_three_ratios_differ_in_which_targets_they_count() -> None:
    ratios = target_ratios(targets_with(completed=2, incomplete=1, dropped=1, unuttered=4))
    assert (ratios.uttered, ratios.all, ratios.without_dropped) == (2 / 4, 2 / 8, 2 / 3)


def test_without_such_a_target_a_ratio_is_unknown_and_not_zero() -> None:
    nothing = target_ratios(())
    assert (nothing.uttered, nothing.all, nothing.without_dropped) == (None, None, None)
    only_dropped = target_ratios(targets_with(dropped=1))
    assert (only_dropped.uttered, only_dropped.without_dropped) == (0.0, None)
    never_said = target_ratios(targets_with(unuttered=1))
    assert (never_said.uttered, never_said.all) == (None, 0.0)


@given(target_sets)
def test_the_ratio_in_c_is_that_of_the_uttered_targets(targets: tuple[Target, ...]) -> None:
    weights = Weights(dimensions=dict.fromkeys(DIMENSIONS, 0.0), targets=1)
    score = success_score(BEST, targets, weights)
    assert target_ratios(targets).uttered == (None if score is None else float(score))


@pytest.mark.parametrize(
    ("threshold", "scores", "targets"),
    [
        (0.7, (1, 2, 1, 2), targets_with(completed=1, incomplete=1)),
        (0.1, (1, 0, 0, 0), targets_with(incomplete=1)),
        (0.3, (1, 1, 0, 0), targets_with(completed=1, incomplete=1)),
        (0.6, (2, 2, 0, 0), targets_with(completed=1)),
        (0.0, (0, 0, 0, 0), targets_with(incomplete=1)),
        (1.0, (2, 2, 2, 2), targets_with(completed=3)),
    ],
)
def test_c_equal_to_the_threshold_passes(
    threshold: float, scores: tuple[int, ...], targets: tuple[Target, ...]
) -> None:
    """Whatever binary rounding makes of 0.1 and 0.7: C ≥ θ is decided exactly."""
    by_dimension = dict(zip(DIMENSIONS, scores, strict=True))
    assert success_score(by_dimension, targets, equal_weights()) == Fraction(str(threshold))
    assert verdict_of(by_dimension, targets, threshold=threshold).verdict is Verdict.PASS


@given(dimension_scores, target_sets, usable_weights, thresholds)
def test_passes_exactly_when_c_reaches_the_threshold(
    scores: dict[str, int], targets: tuple[Target, ...], weights: Weights, threshold: float
) -> None:
    exact = success_score(scores, targets, weights)
    judgement = verdict_of(scores, targets, weights=weights, threshold=threshold)
    if exact is None:
        assert judgement.verdict is Verdict.INCONCLUSIVE
    else:
        passes = exact >= Fraction(round(threshold * 100), 100)
        assert judgement.verdict is (Verdict.PASS if passes else Verdict.FAIL)
        assert judgement.success_score == float(exact)


def test_weights_written_as_decimals_are_taken_as_written() -> None:
    """0.1 + 0.2 against 0.3 must not depend on binary fractions: C is 0.5 exactly, and passes."""
    weights = Weights(dimensions={"adherence": 0.1, "safety": 0.2}, targets=0.3)
    scores = {"adherence": 2, "safety": 2}
    assert verdict_of(scores, targets_with(incomplete=1), weights=weights, threshold=0.5).verdict is Verdict.PASS


@pytest.mark.parametrize("reason", GRADED)
def test_a_failed_check_fails_a_conversation_whatever_c_is(reason: StopReason) -> None:
    judgement = verdict_of(BEST, targets_with(completed=1), stop=Stop(reason=reason), check_failed=True)
    assert (judgement.verdict, judgement.success_score, judgement.blame) == (Verdict.FAIL, 1.0, None)


@pytest.mark.parametrize(("check_failed", "verdict"), [(False, Verdict.PASS), (True, Verdict.FAIL)])
def test_without_dimension_judges_there_is_no_c_and_the_checks_decide(check_failed: bool, verdict: Verdict) -> None:
    judgement = verdict_of({}, scored=False, check_failed=check_failed)
    assert (judgement.verdict, judgement.success_score, judgement.note) == (verdict, None, "")


def test_says_when_no_target_was_uttered() -> None:
    assert verdict_of(BEST, targets_with(unuttered=1)).note == "no target was uttered: T is left out of C"
    assert verdict_of(BEST, targets_with(completed=1)).note == ""


@pytest.mark.parametrize("check_failed", [False, True])
@pytest.mark.parametrize("reason", [StopReason.DEADLINE, StopReason.BUDGET])
def test_what_was_cut_is_judged_on_what_exists_and_inconclusive(reason: StopReason, check_failed: bool) -> None:
    judgement = verdict_of(BEST, targets_with(completed=1), stop=Stop(reason=reason), check_failed=check_failed)
    assert (judgement.verdict, judgement.success_score, judgement.blame) == (Verdict.INCONCLUSIVE, 1.0, None)


def test_an_assistant_that_broke_is_judged_for_information_only() -> None:
    judgement = verdict_of(BEST, targets_with(completed=1), stop=Stop(reason=StopReason.SUT_ERROR))
    assert (judgement.verdict, judgement.success_score, judgement.blame) == (Verdict.INVALID, 1.0, Blame.SUT)


@pytest.mark.parametrize("reason", [reason for reason, rule in STOP_RULES.items() if not rule.judged])
def test_what_nobody_judged_has_no_c_whatever_scores_exist(reason: StopReason) -> None:
    weights = Weights(dimensions=dict.fromkeys(DIMENSIONS, 0.0), targets=1)
    stop = Stop(reason=reason, role=Role.TURN_JUDGE)
    judgement = verdict_of(BEST, targets_with(completed=1), weights=weights, stop=stop)
    assert (judgement.verdict, judgement.success_score) == (stop.rule.verdict, None)
    assert judgement.verdict in (Verdict.INVALID, Verdict.INCONCLUSIVE, None)


def test_a_missing_dimension_is_no_pass_and_no_fail() -> None:
    assert verdict_of({"adherence": 2}, targets_with(completed=1)).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize("score", [-1, 3])
def test_a_dimension_score_is_zero_one_or_two(score: int) -> None:
    with pytest.raises(ValidationError, match="score"):
        DimensionScore(dimension="safety", score=score, reasoning="")


@pytest.mark.parametrize("reason", list(StopReason))
def test_a_replay_has_no_verdict_but_keeps_who_broke_it(reason: StopReason) -> None:
    stop = Stop(reason=reason, role=Role.SIMULATOR)
    made = unjudged(stop)
    assert (made.verdict, made.success_score, made.note) == (None, None, "replayed: no verdict")
    assert made.blame is stop.blame
