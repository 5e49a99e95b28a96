from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.analysis.binary import Confusion
from hairpin.analysis.context_study import (
    EC_GRID,
    LabelledFinding,
    Reading,
    context_study,
    method_study,
    repeat_study,
    similarity_of,
)
from hairpin.domain.relations import ContextFinding, ContextMethod, ContextReason

EC, JUDGE = ContextMethod.EC, ContextMethod.LLM_JUDGE


def compared(item: str, cos_q: float, cos_a: float | None, *, label: bool = True, repeat: int = 0) -> LabelledFinding:
    """A finding of EC(·) with ε_EC = 0.8."""
    mean = cos_q if cos_a is None else (cos_q + cos_a) / 2
    finding = ContextFinding(
        equivalent=mean >= 0.8,
        reason=ContextReason.QUESTIONS_ONLY if cos_a is None else ContextReason.SIMILARITY,
        cos_q=cos_q,
        cos_a=cos_a,
        n_calls=4,
    )
    return LabelledFinding(item=item, repeat=repeat, label=label, finding=finding)


def said(item: str, verdict: bool | None, *, label: bool = True, repeat: int = 0) -> LabelledFinding:
    reason = ContextReason.ROLE_FAILED if verdict is None else ContextReason.VERDICT
    finding = ContextFinding(equivalent=verdict, reason=reason, n_calls=1)
    return LabelledFinding(item=item, repeat=repeat, label=label, finding=finding)


def test_the_first_repeat_is_scored_and_what_decided_nothing_is_counted_apart() -> None:
    found = method_study(
        JUDGE,
        [
            said("a", True, repeat=1),
            said("a", False, repeat=0),
            said("b", None, label=False),
            said("c", False, label=False),
        ],
    )
    assert (found.n_items, found.n_findings, found.n_calls) == (3, 4, 4)
    assert found.not_applicable == {ContextReason.ROLE_FAILED: 1}
    assert found.scores.confusion == Confusion(false_negative=1, true_negative=1)


def test_repeats_are_compared_with_the_first_over_items_that_were_decided_each_time() -> None:
    rows = {"a": (True, True, True), "b": (True, False, True), "c": (False, None, False), "d": (False, False, False)}
    found = repeat_study([said(item, value, repeat=k) for item, row in rows.items() for k, value in enumerate(row)])
    assert (found.n_repeats, found.n_items, found.n_incomplete) == (3, 3, 1)
    assert (found.n_equal, found.n_compared, found.equal_share) == (5, 6, 5 / 6)
    assert found.n_steady == 2
    # By hand: P = (1 + 1/3 + 1) / 3; 5 of 9 ratings are true, so chance agrees in (25 + 16) / 81.
    assert found.kappa.value == pytest.approx((7 / 9 - 41 / 81) / (1 - 41 / 81))
    assert found.accuracy.mean == pytest.approx((2 / 3 + 1 / 3 + 2 / 3) / 3)


def test_an_item_without_all_repeats_is_incomplete() -> None:
    found = repeat_study([said("a", True), said("a", True, repeat=1), said("b", True)])
    assert (found.n_items, found.n_incomplete) == (1, 1)


def test_a_single_run_has_no_repeats_to_compare_and_says_so() -> None:
    found = repeat_study([said("a", True), said("b", False)])
    assert (found.equal_share, found.n_compared) == (None, 0)
    assert found.kappa.value is None
    assert "two ratings" in found.kappa.reason
    nothing = repeat_study([])
    assert (nothing.n_repeats, nothing.accuracy.mean) == (0, None)
    assert nothing.accuracy.reason


def test_each_line_of_the_sweep_decides_by_its_own_similarity() -> None:
    """Rewrites with too much in them differ although the answers agree: MORTAR, section III-E2."""
    findings = [
        compared("wordy", 0.7, 0.95),
        compared("plain", 0.9, 0.95),
        compared("other fact", 0.72, 0.3, label=False),
        compared("other fact, same answer", 0.5, 1.0, label=False),
    ]
    study = context_study({EC: findings}, grid=[0.8])
    matrices = {line.reading: line.calibration and line.calibration.scores[0].confusion for line in study.sweep}
    assert matrices == {
        Reading.QUESTIONS: Confusion(true_positive=1, false_negative=1, true_negative=2),
        Reading.ANSWERS: Confusion(true_positive=2, false_positive=1, true_negative=1),
        Reading.BOTH: Confusion(true_positive=2, true_negative=2),
    }
    assert study.methods[0].scores.confusion == matrices[Reading.BOTH]


def test_the_three_lines_are_over_the_same_items() -> None:
    missing = ContextFinding(equivalent=None, reason=ContextReason.NO_ANSWER, cos_q=0.9)
    findings = [
        compared("both", 0.9, 0.9),
        compared("question alone", 0.9, None),
        LabelledFinding(item="no answer", label=True, finding=missing),
        compared("both", 0.1, 0.1, repeat=1),
    ]
    study = context_study({EC: findings})
    assert (study.n_swept, study.n_left_out) == (1, 2)
    for line in study.sweep:
        assert line.calibration is not None
        assert line.calibration.n_positive == 1
        assert line.calibration.reason


def test_without_reference_answers_the_questions_alone_are_swept() -> None:
    study = context_study({EC: [compared("a", 0.9, None), compared("b", 0.4, None, label=False)]})
    lines = {line.reading: line for line in study.sweep}
    questions = lines[Reading.QUESTIONS].calibration
    assert questions is not None
    assert questions.best is not None
    assert questions.best.threshold == 0.8
    assert lines[Reading.BOTH].calibration is None
    assert "both" in lines[Reading.BOTH].reason


def test_a_judge_alone_has_no_sweep_and_methods_come_in_one_order() -> None:
    alone = context_study({JUDGE: [said("a", True)]})
    assert all(line.calibration is None for line in alone.sweep)
    assert (alone.n_swept, alone.n_left_out) == (0, 0)
    both = context_study({JUDGE: [said("a", True)], EC: [compared("a", 1, 1)]})
    assert [study.method for study in both.methods] == [EC, JUDGE]
    assert context_study({}).methods == ()


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.booleans()), max_size=20))
def test_at_the_threshold_in_use_the_sweep_is_what_was_found(items: list[tuple[float, float, bool]]) -> None:
    findings = [compared(str(n), q, a, label=label) for n, (q, a, label) in enumerate(items)]
    study = context_study({EC: findings}, epsilon_ec=0.8)
    both = next(line for line in study.sweep if line.reading is Reading.BOTH)
    if not items:
        assert both.calibration is None
        return
    assert both.calibration is not None
    assert both.calibration.default.confusion == study.methods[0].scores.confusion
    assert 0.8 in EC_GRID


def test_similarities_are_those_of_the_paper() -> None:
    finding = compared("a", 0.6, 0.9).finding
    assert similarity_of(finding, Reading.QUESTIONS) == 0.6
    assert similarity_of(finding, Reading.ANSWERS) == 0.9
    assert similarity_of(finding, Reading.BOTH) == pytest.approx(0.75)


def test_findings_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match=r"two findings for item 'a', repeat 0"):
        method_study(JUDGE, [said("a", True), said("a", False)])
    with pytest.raises(ValueError, match=r"'a' has two labels"):
        repeat_study([said("a", True), said("a", True, label=False, repeat=1)])
