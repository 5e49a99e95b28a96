"""MR1 to MR4 on vectors in the plane, at, above and below the threshold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from hairpin.metamorphic.mr import TOLERANCE, mr1_holds, mr2_holds, mr3_holds, mr4_holds, similar

A = (1.0, 0.0)
AT = (0.6, 0.8)
"""Its cosine with A is 0.6."""
ABOVE = (0.61, math.sqrt(1 - 0.61**2))
BELOW = (0.59, math.sqrt(1 - 0.59**2))
ACROSS = (0.0, 1.0)
EPSILON = 0.6


def cosines(*left: tuple[float, float], of: tuple[tuple[float, float], ...] = ()) -> NDArray[np.float32]:
    rows, columns = np.array(left, np.float32), np.array(of or left, np.float32)
    return np.asarray(rows @ columns.T, np.float32)


def cosine(left: tuple[float, float], right: tuple[float, float]) -> float:
    return float(cosines(left, of=(right,))[0, 0])


@pytest.mark.parametrize(("output", "alike"), [(A, True), (ABOVE, True), (AT, True), (BELOW, False), (ACROSS, False)])
def test_mr1_wants_what_mr2_forbids(output: tuple[float, float], alike: bool) -> None:
    assert mr1_holds(cosine(output, A), EPSILON) is alike
    assert mr2_holds(cosine(output, A), EPSILON) is not alike


@pytest.mark.parametrize(
    ("group", "holds"),
    [((A, A), True), ((A, ABOVE), True), ((A, AT), True), ((A, BELOW), False), ((A, AT, ACROSS), False)],
)
def test_mr3_holds_when_the_least_similar_pair_reaches_the_threshold(
    group: tuple[tuple[float, float], ...], holds: bool
) -> None:
    assert mr3_holds(cosines(*group), EPSILON) is holds


@pytest.mark.parametrize(
    ("plus", "minus", "holds"),
    [
        ((A,), (BELOW,), True),
        ((A,), (AT,), False),
        ((A,), (ABOVE,), False),
        ((A, BELOW), (ACROSS,), False),
        ((A,), (BELOW, ACROSS), True),
        ((A,), (ACROSS, ABOVE), False),
    ],
)
def test_mr4_holds_when_the_most_similar_pair_stays_below_the_threshold(
    plus: tuple[tuple[float, float], ...], minus: tuple[tuple[float, float], ...], holds: bool
) -> None:
    assert mr4_holds(cosines(*plus, of=minus), EPSILON) is holds


@pytest.mark.parametrize("epsilon", [0.1, 0.2, 0.3, 0.55, 0.6, 0.7, 0.8, 0.9, 1.0, -0.3])
def test_a_cosine_in_float32_at_the_threshold_is_at_the_threshold(epsilon: float) -> None:
    assert similar(float(np.float32(epsilon)), epsilon)
    assert not similar(epsilon - 2 * TOLERANCE, epsilon)


def test_nothing_to_compare_is_an_error() -> None:
    with pytest.raises(ValueError, match="this one has 1"):
        mr3_holds(cosines(A), EPSILON)
    with pytest.raises(ValueError, match="one is empty"):
        mr4_holds(np.zeros((1, 0), np.float32), EPSILON)
