from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.analysis.binary import NO_ITEMS, ONE_LABEL, confusion_of
from hairpin.analysis.calibration import FINE_GRID, PAPER_GRID, Goal, calibrate_thresholds

cosines = st.floats(-1, 1, allow_nan=False)
labelled = st.lists(st.tuples(cosines, st.booleans()), max_size=40)


def test_the_papers_thresholds_are_on_the_fine_grid() -> None:
    assert set(PAPER_GRID) <= set(FINE_GRID)


def test_the_threshold_that_parts_right_from_wrong_answers_is_found() -> None:
    found = calibrate_thresholds([0.9, 0.71, 0.45, 0.2], [True, True, False, False], PAPER_GRID, default=0.6)
    assert found.best is not None
    assert (found.best.threshold, found.best.value) == (0.6, 1.0)
    assert found.equally_good == (0.5, 0.6, 0.7)
    assert (found.n_positive, found.n_negative) == (2, 2)


def test_a_similarity_that_just_reaches_the_threshold_counts_as_the_same() -> None:
    found = calibrate_thresholds([0.6, 0.5], [True, False], [0.6], default=0.6)
    assert found.default.value == 1


@pytest.mark.parametrize(("default", "best"), [(0.6, 0.6), (0.1, 0.5), (0.95, 0.7), (0.65, 0.6)])
def test_of_equally_good_thresholds_the_nearest_to_the_default_is_taken(default: float, best: float) -> None:
    found = calibrate_thresholds([0.9, 0.71, 0.45, 0.2], [True, True, False, False], PAPER_GRID, default=default)
    assert found.best is not None
    assert found.best.threshold == best


def test_what_is_to_be_largest_makes_a_difference() -> None:
    """Many right answers and few wrong ones: F1 forgives a wrong one that passes, balanced accuracy does not."""
    similarities = [0.95] * 8 + [0.55] * 4 + [0.6] + [0.3]
    labels = [True] * 12 + [False] * 2
    best = {goal: calibrate_thresholds(similarities, labels, [0.5, 0.7], default=0.7, goal=goal).best for goal in Goal}
    assert {goal: score and score.threshold for goal, score in best.items()} == {
        Goal.F1: 0.5,
        Goal.F1_NEGATIVE: 0.5,
        Goal.BALANCED_ACCURACY: 0.7,
    }


@given(labelled, st.sampled_from(Goal))
def test_every_threshold_counts_as_deciding_item_by_item_does(items: list[tuple[float, bool]], goal: Goal) -> None:
    found = calibrate_thresholds([s for s, _ in items], [y for _, y in items], PAPER_GRID, default=0.6, goal=goal)
    assert [score.threshold for score in found.scores] == list(PAPER_GRID)
    for score in (*found.scores, found.default):
        assert score.confusion == confusion_of((label, value >= score.threshold) for value, label in items)
    if found.best is not None:
        values = [score.value for score in found.scores if score.value is not None]
        assert found.best.value == max(values)
        assert found.best.threshold in found.equally_good


@given(labelled)
def test_without_both_labels_there_is_no_best_threshold_and_it_says_why(items: list[tuple[float, bool]]) -> None:
    labels = [label for _, label in items]
    found = calibrate_thresholds([value for value, _ in items], labels, default=0.6)
    expected = "" if len(set(labels)) == 2 else ONE_LABEL if labels else NO_ITEMS
    assert found.reason == expected
    assert (found.best is None) is bool(expected)
    assert bool(found.equally_good) is not bool(expected)


def test_what_cannot_be_calibrated_is_refused() -> None:
    with pytest.raises(ValueError, match="1 similarities for 2 labels"):
        calibrate_thresholds([0.1], [True, False], default=0.6)
    with pytest.raises(ValueError, match="at least one threshold"):
        calibrate_thresholds([0.1], [True], [], default=0.6)
    with pytest.raises(ValueError, match="numbers"):
        calibrate_thresholds([float("nan")], [True], default=0.6)


def test_a_balanced_accuracy_below_the_bound_is_taken_for_guessing() -> None:
    similarities, labels = [0.9, 0.1] * 10, [True, False] * 5 + [False, True] * 5
    found = calibrate_thresholds(similarities, labels, [0.5], default=0.5, goal=Goal.BALANCED_ACCURACY)
    assert found.unsupported.startswith("the best balanced accuracy that comes of it is 0.50")


def test_an_f1_of_no_more_than_calling_everything_positive_supports_no_threshold() -> None:
    """Above 0.5 there are 2 of 5 right answers and none of the wrong ones: balanced accuracy 0.7, F1 0.57."""
    found = calibrate_thresholds([0.9] * 2 + [0.1] * 3 + [0.2] * 3, [True] * 5 + [False] * 3, [0.5], default=0.5)
    assert found.unsupported == "the best F1 is 0.57, and calling everything positive has 0.77"


@pytest.mark.parametrize("goal", list(Goal))
def test_labels_that_similarities_tell_apart_support_the_best_threshold(goal: Goal) -> None:
    found = calibrate_thresholds([0.9, 0.71, 0.45, 0.2], [True, True, False, False], default=0.6, goal=goal)
    assert found.unsupported == ""


def test_where_there_is_no_best_threshold_the_reason_is_that() -> None:
    assert calibrate_thresholds([0.9], [True], default=0.6).unsupported == ONE_LABEL
