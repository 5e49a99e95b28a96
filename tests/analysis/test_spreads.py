from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.analysis.spreads import mean_sd, spread

VALUES = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=50)


@given(VALUES)
def test_equals_numpy(values: list[float]) -> None:
    found = spread(values)
    expected = (np.mean(values), np.std(values, ddof=1), np.median(values))
    assert (found.mean, found.sd, found.median) == pytest.approx(expected, rel=1e-9, abs=1e-6)
    assert (found.n, found.reason) == (len(values), "")


def test_one_value_has_no_spread() -> None:
    found = spread([0.25])
    assert (found.mean, found.sd, found.median) == (0.25, None, 0.25)
    assert found.reason == "one value has no spread"


def test_no_values_say_why() -> None:
    found = spread([], reason="no rated conversation has a score")
    assert (found.n, found.mean, found.sd, found.median) == (0, None, None, None)
    assert found.reason == "no rated conversation has a score"


def test_equal_values_have_a_spread_of_zero() -> None:
    assert mean_sd([0.5, 0.5, 0.5]) == (0.5, 0.0)
