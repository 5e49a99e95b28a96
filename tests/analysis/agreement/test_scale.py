from __future__ import annotations

import numpy as np
import pytest
from pydantic import ValidationError

from hairpin.analysis.agreement.scale import MISSING, Scale, Weighting, distances, distances_on_levels_seen


@pytest.mark.parametrize("levels", [(1, 0), (0, 0), (0,)])
def test_a_scale_ascends_and_has_two_levels(levels: tuple[int, ...]) -> None:
    with pytest.raises(ValidationError):
        Scale(levels=levels)


def test_a_missing_rating_is_no_level() -> None:
    assert [Scale(levels=(0, 2)).code(rating) for rating in (0, 2, None)] == [0, 1, MISSING]


def test_disagreements_are_one_minus_the_weights_of_cohen() -> None:
    assert distances(3, Weighting.NONE).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert distances(3, Weighting.LINEAR).tolist() == [[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]]
    assert distances(3, Weighting.QUADRATIC).tolist() == [[0, 0.25, 1], [0.25, 0, 0.25], [1, 0.25, 0]]


def test_among_levels_seen_neighbours_are_one_apart() -> None:
    found = distances_on_levels_seen(np.array([True, False, True]), Weighting.LINEAR)
    assert found.tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
