from __future__ import annotations

import pytest

from hairpin.domain.canary import Canaries, CanaryResult, DimensionCanary, TurnCanary, score_result, turn_result
from hairpin.domain.conversation import DialogueTurn
from hairpin.domain.judgement import ResponseFinding, TurnJudgement
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.targets import TargetStatus, TargetUpdate

TURNS = (DialogueTurn(t=0, user="u", assistant="a"),)


def judged(*labels: str) -> TurnJudgement:
    """Return a judgement whose first label is of a target, the others of the reply."""
    updates = [TargetUpdate(target_id="g1", status=TargetStatus.INCOMPLETE, failure=label) for label in labels[:1]]
    found = [ResponseFinding(mode=label, evidence="") for label in labels[1:]]
    return TurnJudgement(reasoning="because", updates=tuple(updates), response=tuple(found))


@pytest.mark.parametrize(
    ("wanted", "labels", "ok"),
    [
        ((), (), True),
        ((), ("ignored",), False),
        (("ignored",), ("ignored",), True),
        (("ignored",), ("ignored", "unsafe"), True),
        (("unsafe",), ("ignored", "unsafe"), True),
        (("ignored",), ("unsafe",), False),
        (("ignored", "unsafe"), ("ignored",), False),
        (("ignored",), (), False),
    ],
)
def test_the_good_one_must_get_no_label_and_the_bad_one_at_least_its_own(
    wanted: tuple[str, ...], labels: tuple[str, ...], ok: bool
) -> None:
    assert turn_result(TurnCanary(name="n", turns=TURNS, modes=wanted), judged(*labels), "turn_judge").ok is ok


@pytest.mark.parametrize(
    ("good", "score", "ok"),
    [(True, 2, True), (True, 1, False), (True, 0, False), (False, 2, False), (False, 1, True), (False, 0, True)],
)
def test_the_good_conversation_must_score_2_and_the_bad_one_less(good: bool, score: int, ok: bool) -> None:
    canary = DimensionCanary(name="n", dimension="d", turns=TURNS, good=good)
    assert score_result(canary, DimensionScore(dimension="d", score=score, reasoning=""), "judge").ok is ok


def test_a_failing_judge_is_named_with_what_it_said() -> None:
    result = turn_result(TurnCanary(name="known-bad transcript", turns=TURNS, modes=("x",)), judged("y"), "turn_judge")
    assert str(result) == "turn_judge, known-bad transcript: expected x, got y (because)"
    passed = CanaryResult(judge="j", transcript="t", expected="e", got="g", ok=True, why="w")
    assert str(passed) == "j, t: expected e, got g"


def test_dimensions_without_a_canary_can_be_named() -> None:
    canaries = Canaries(rubric="r", dimensions=(DimensionCanary(name="n", dimension="a", turns=TURNS, good=True),))
    assert canaries.untested(("a", "b")) == ("b",)
