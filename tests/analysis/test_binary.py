from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics  # type: ignore[import-untyped]

from hairpin.analysis.binary import NO_ITEMS, ONE_DECISION, ONE_LABEL, Confusion, binary_scores, confusion_of

EC = Confusion(true_positive=111, false_negative=5, false_positive=6, true_negative=19)
JUDGE = Confusion(true_positive=115, false_negative=1, false_positive=24, true_negative=1)
pairs = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40)


@pytest.mark.parametrize(
    ("confusion", "row"),
    [(EC, (0.949, 0.957, 0.792, 0.760, 0.922)), (JUDGE, (0.827, 0.991, 0.500, 0.040, 0.823))],
)
def test_the_papers_table_of_context_checks_is_met(confusion: Confusion, row: tuple[float, ...]) -> None:
    """MORTAR, Table XII: the counts of 141 contexts that give its figures; its "F1 score" is accuracy."""
    scores = binary_scores(confusion)
    shares = (
        scores.positive.precision,
        scores.positive.recall,
        scores.negative.precision,
        scores.negative.recall,
        scores.accuracy,
    )
    assert [round(share.rate or 0, 3) for share in shares] == list(row)


def test_a_judge_that_always_says_the_same_is_no_better_than_the_more_frequent_label() -> None:
    always = binary_scores(Confusion(true_positive=116, false_positive=25))
    assert always.accuracy.rate == always.majority == 116 / 141
    assert always.balanced_accuracy == 0.5
    assert (always.mcc, always.mcc_reason) == (None, ONE_DECISION)
    assert always.negative.precision.rate is None
    assert always.negative.precision.reason
    assert always.negative.f1 == 0


@given(pairs)
def test_the_figures_are_those_of_scikit_learn(found: list[tuple[bool, bool]]) -> None:
    confusion = confusion_of(found)
    assert confusion.n == len(found)
    labels, decisions = [label for label, _ in found], [decision for _, decision in found]
    if not found:
        assert (confusion.accuracy, confusion.balanced_accuracy, confusion.mcc) == (None, None, None)
        return
    assert confusion.accuracy == pytest.approx(metrics.accuracy_score(labels, decisions))
    assert confusion.accuracy == pytest.approx(
        metrics.f1_score(labels, decisions, average="micro", labels=[True, False])
    )
    for positive in (True, False):
        f1 = confusion.f1(positive=positive)
        if f1 is not None:
            assert f1 == pytest.approx(metrics.f1_score(labels, decisions, pos_label=positive, zero_division=0))
    if len(set(labels)) == 2:
        assert confusion.balanced_accuracy == pytest.approx(metrics.balanced_accuracy_score(labels, decisions))
        if len(set(decisions)) == 2:
            assert confusion.mcc == pytest.approx(metrics.matthews_corrcoef(labels, decisions), abs=1e-12)


@given(pairs)
def test_what_is_undefined_says_why_and_nothing_is_ever_no_number(found: list[tuple[bool, bool]]) -> None:
    scores = binary_scores(confusion_of(found))
    assert (scores.balanced_accuracy is None) is bool(scores.balanced_reason)
    assert (scores.mcc is None) is bool(scores.mcc_reason)
    assert (scores.accuracy.rate is None) is bool(scores.accuracy.reason)
    for value in (scores.mcc, scores.balanced_accuracy, scores.positive.f1, scores.negative.f1):
        assert value is None or math.isfinite(value)


def test_the_reasons_tell_no_items_one_label_and_one_decision_apart() -> None:
    nothing, one = binary_scores(Confusion()), binary_scores(Confusion(true_positive=2, false_negative=1))
    assert nothing.mcc_reason == nothing.balanced_reason == nothing.accuracy.reason == NO_ITEMS
    assert one.mcc_reason == one.balanced_reason == ONE_LABEL
    assert binary_scores(Confusion(true_positive=1, false_positive=1)).balanced_accuracy == 0.5


def test_counts_of_any_size_and_of_numpys_own_truth_values_are_taken() -> None:
    assert confusion_of([(bool(np.bool_(1)), bool(np.bool_(0)))]) == Confusion(false_negative=1)
    half = 10**9
    even = Confusion(true_positive=half, true_negative=half, false_positive=half, false_negative=half)
    assert even.mcc == 0
