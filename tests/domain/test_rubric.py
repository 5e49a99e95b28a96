from __future__ import annotations

import pytest
from hypothesis import given
from pydantic import ValidationError

from hairpin.domain.rubric import Weights
from tests.domain.builders import a_rubric, usable_weights


def test_all_weights_zero_is_refused_with_the_way_out() -> None:
    with pytest.raises(ValidationError, match=r"all weights are zero.*give at least one weight above 0"):
        Weights(dimensions={"safety": 0.0}, targets=0.0)
    with pytest.raises(ValidationError, match="all weights are zero"):
        Weights(dimensions={}, targets=0.0)


@pytest.mark.parametrize("weight", [-0.1, float("nan"), float("inf")])
def test_a_weight_is_finite_and_not_negative(weight: float) -> None:
    with pytest.raises(ValidationError):
        Weights(dimensions={"safety": weight, "adherence": 1}, targets=1)
    with pytest.raises(ValidationError):
        Weights(dimensions={"safety": 1}, targets=weight)


@given(usable_weights)
def test_one_weight_above_zero_is_enough(weights: Weights) -> None:
    assert weights.targets > 0 or any(weights.dimensions.values())


def test_the_defaults_are_those_of_the_paper() -> None:
    rubric = a_rubric()
    assert (rubric.threshold, rubric.weights.targets) == (0.75, 1.0)


@pytest.mark.parametrize("threshold", [-0.01, 1.01])
def test_a_threshold_outside_zero_to_one_is_refused(threshold: float) -> None:
    with pytest.raises(ValidationError, match="threshold"):
        type(a_rubric()).model_validate({**a_rubric().model_dump(), "threshold": threshold})


def test_finds_a_mode_by_its_id() -> None:
    rubric = a_rubric()
    mode = rubric.mode("safety_violation")
    assert mode is not None
    assert mode.id == "safety_violation"
    assert rubric.mode("bad_manners") is None
