"""Trials and how many of them are made."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from hairpin.domain.trials import MAX_TRIALS, ConfirmSpec, Trial, TrialKind


def test_a_specification_says_how_often_each_kind_is_tried() -> None:
    spec = ConfirmSpec(rejudge=5, replay=4, resimulate=1)
    assert [spec.times(kind) for kind in TrialKind] == [5, 4, 1]


def test_a_trial_has_a_number_that_fits_the_plan() -> None:
    assert Trial(source="c0001", kind=TrialKind.REPLAY, number=MAX_TRIALS - 1).from_turn == 0
    with pytest.raises(ValidationError):
        Trial(source="c0001", kind=TrialKind.REPLAY, number=MAX_TRIALS)
