from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score  # type: ignore[import-untyped]

from hairpin.analysis.agreement.scale import MISSING
from hairpin.analysis.agreement.verdicts import (
    FAILED,
    PASSED,
    RaterSheet,
    VerdictRule,
    f1s,
    majority,
    sheet_verdicts,
)
from hairpin.domain.outcome import Verdict
from hairpin.domain.rubric import Weights

RULE = VerdictRule(weights=Weights(dimensions={"x": 1, "y": 1}, targets=1), threshold=0.75, source="test")


def verdicts(sheet: RaterSheet, *, with_targets: bool, rule: VerdictRule = RULE) -> tuple[int, int, int]:
    found = sheet_verdicts([sheet], ["c"], rule, with_targets=frozenset({"c"} if with_targets else ()))
    return int(found.codes[0, 0]), found.n_stated, found.n_missing


@pytest.mark.parametrize(
    ("scores", "completed", "expected"),
    [
        ({"x": 2, "y": 2}, 0.25, PASSED),  # C = 2.25 / 3 is θ exactly
        ({"x": 2, "y": 2}, 0.24, FAILED),
        ({"x": 0, "y": 2}, 1.0, FAILED),
    ],
)
def test_a_verdict_is_c_by_theta(scores: dict[str, int], completed: float, expected: int) -> None:
    sheet = RaterSheet(name="ann", scores={"c": scores}, completed={"c": completed})
    assert verdicts(sheet, with_targets=True) == (expected, 0, 0)


@pytest.mark.parametrize(("stated", "overruled"), [(Verdict.PASS, 1), (Verdict.FAIL, 0)])
def test_scores_count_before_a_verdict_that_is_stated_otherwise_and_it_is_counted(
    stated: Verdict, overruled: int
) -> None:
    sheet = RaterSheet(name="ann", scores={"c": {"x": 0, "y": 0}}, completed={"c": 0.0}, stated={"c": stated})
    found = sheet_verdicts([sheet], ["c"], RULE, with_targets=frozenset({"c"}))
    assert (int(found.codes[0, 0]), found.n_overruled) == (FAILED, overruled)


def test_a_third_is_a_third_whatever_its_last_digit() -> None:
    """C = (1 + 3 · T) / 4 is θ = 1/2 where T is a third, and just below it where T is the float below a third."""
    weights = Weights(dimensions={"x": 1}, targets=3)
    rule = VerdictRule(weights=weights, threshold=0.5, source="test")
    sheet = RaterSheet(name="ann", scores={"c": {"x": 2}}, completed={"c": 1 / 3})
    assert verdicts(sheet, with_targets=True, rule=rule)[0] == PASSED


def test_where_nobody_rated_completion_it_is_left_out_for_judges_too() -> None:
    judge = RaterSheet(name="j", scores={"c": {"x": 2, "y": 1}}, completed={"c": 0.0}, is_judge=True)
    assert verdicts(judge, with_targets=False)[0] == PASSED
    assert verdicts(judge, with_targets=True)[0] == FAILED


def test_a_person_who_did_not_rate_completion_has_no_c_where_others_did() -> None:
    sheet = RaterSheet(name="ann", scores={"c": {"x": 2, "y": 2}})
    assert verdicts(sheet, with_targets=True) == (MISSING, 0, 1)
    stated = sheet.model_copy(update={"stated": {"c": Verdict.FAIL}})
    assert verdicts(stated, with_targets=True) == (FAILED, 1, 0)


def test_a_judge_that_had_no_target_has_c_without_t() -> None:
    judge = RaterSheet(name="j", scores={"c": {"x": 2, "y": 2}}, is_judge=True)
    assert verdicts(judge, with_targets=True) == (PASSED, 0, 0)


def test_scores_count_for_more_than_what_was_stated() -> None:
    sheet = RaterSheet(name="ann", scores={"c": {"x": 0, "y": 0}}, stated={"c": Verdict.PASS})
    assert verdicts(sheet, with_targets=False) == (FAILED, 0, 0)


def test_a_missing_dimension_leaves_no_verdict_and_is_counted() -> None:
    sheet = RaterSheet(name="ann", scores={"c": {"x": 2}}, stated={"c": Verdict.INCONCLUSIVE})
    assert verdicts(sheet, with_targets=False) == (MISSING, 0, 1)


def test_a_tie_is_no_majority_and_silence_none_either() -> None:
    codes = np.array([[FAILED, FAILED, PASSED, MISSING], [PASSED, FAILED, MISSING, MISSING]])
    found = majority(codes)
    assert found.codes.tolist() == [MISSING, FAILED, PASSED, MISSING]
    assert (found.n_ties, found.n_silent) == (1, 1)


codes = st.lists(st.tuples(*2 * [st.sampled_from((PASSED, FAILED, MISSING))]), min_size=1, max_size=20)


@given(codes, st.sampled_from((PASSED, FAILED)))
def test_f1_is_that_of_scikit_learn(pairs: list[tuple[int, int]], positive: int) -> None:
    labels, decisions = np.array(pairs).T
    found = f1s(labels, decisions, np.ones((1, len(pairs))), positive=positive)[0]
    both = [pair for pair in pairs if MISSING not in pair]
    if not any(positive in pair for pair in both):
        assert np.isnan(found)
        return
    assert found == pytest.approx(f1_score(*zip(*both, strict=True), pos_label=positive))
