"""The coefficient of variation, on the counts that MORTAR publishes."""

from __future__ import annotations

import pytest

from hairpin.analysis.metamorphic.model import share
from hairpin.analysis.metamorphic.variation import coefficient_of_variation

CHECKS = {"qaasker": 9_796, "metal": 24_803, "mortar": 57_010}
TEST_CASES = {"qaasker": 1_500, "metal": 2_000, "mortar": 3_500}
BUGS = {  # Table VI, DS1 to DS8
    "qaasker": (5_037, 3_399, 2_558, 2_414, 1_655, 1_727, 2_982, 1_865),
    "metal": (12_940, 8_505, 6_093, 6_418, 3_773, 2_925, 7_553, 3_562),
    "mortar": (30_009, 22_166, 16_792, 16_784, 11_677, 11_262, 16_409, 11_773),
}
RATES = {
    "qaasker": (51.42, 34.70, 26.11, 24.64, 16.89, 17.63, 30.44, 19.04),
    "metal": (52.17, 34.29, 24.57, 25.88, 15.21, 11.79, 30.45, 14.36),
    "mortar": (52.64, 38.88, 29.45, 29.44, 20.48, 19.75, 28.78, 20.65),
}
PER_TEST_CASE = {
    "qaasker": (3.36, 2.27, 1.71, 1.61, 1.10, 1.15, 1.99, 1.24),
    "metal": (6.47, 4.25, 3.05, 3.21, 1.89, 1.46, 3.78, 1.78),
    "mortar": (8.57, 6.33, 4.80, 4.80, 3.34, 3.22, 4.69, 3.36),
}
VARIATION = {"qaasker": 0.389, "metal": 0.475, "mortar": 0.349}  # Table VII
LEVELS = {  # Table IX, the means of L1, L2 and L3, and their variation
    "qaasker": ((608, 1_665, 431), 0.604),
    "metal": ((2_742, 3_055, 673), 0.490),
    "mortar": ((5_519, 9_191, 2_398), 0.487),
}


@pytest.mark.parametrize("method", BUGS)
def test_rates_and_bugs_per_test_case_are_those_of_table_vi(method: str) -> None:
    for bugs, rate, per_case in zip(BUGS[method], RATES[method], PER_TEST_CASE[method], strict=True):
        assert share(bugs, CHECKS[method]).value == pytest.approx(rate / 100, abs=0.0001)
        assert share(bugs, TEST_CASES[method]).value == pytest.approx(per_case, abs=0.006)


@pytest.mark.parametrize("method", BUGS)
def test_the_variation_over_assistants_is_that_of_table_vii(method: str) -> None:
    rates = [bugs / CHECKS[method] for bugs in BUGS[method]]
    assert coefficient_of_variation(rates).value == pytest.approx(VARIATION[method], abs=0.0006)


@pytest.mark.parametrize("method", LEVELS)
def test_the_variation_over_levels_is_that_of_table_ix(method: str) -> None:
    means, published = LEVELS[method]
    assert coefficient_of_variation(means).value == pytest.approx(published, abs=0.0006)


@pytest.mark.parametrize(("values", "reason"), [((), "fewer than two"), ((1.0,), "fewer than two"), ((0, 0), "zero")])
def test_what_cannot_vary_has_a_reason(values: tuple[float, ...], reason: str) -> None:
    found = coefficient_of_variation(values)
    assert found.value is None
    assert reason in found.reason


def test_a_share_of_nothing_is_undefined() -> None:
    assert share(0, 0).value is None
    assert share(0, 0).reason == "no check was executed"
