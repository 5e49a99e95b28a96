"""Which pairs of levels have met: counted once, and all over again when all have."""

from __future__ import annotations

from itertools import product

from hairpin.domain.coverage import PairCoverage


def test_a_pair_that_has_met_brings_nothing_new() -> None:
    coverage = PairCoverage((2, 2, 3))
    assert coverage.n_open == 2 * 2 + 2 * 3 + 2 * 3
    assert coverage.gain_among((0, 2)) == 1
    coverage.cover((1, 0, 2))
    assert coverage.n_open == 16 - 3
    assert coverage.gain_among((0, 2)) == 0
    assert coverage.gain_among((1, 2)) == 1


def test_the_gain_with_the_leading_factor_is_told_for_every_allowed_combination() -> None:
    coverage = PairCoverage((2, 2, 3))
    coverage.cover((1, 0, 2))
    assert coverage.gains_with(1, [[0, 1], [2, 0]]) == [0, 1, 1, 2]
    assert coverage.gains_with(0, [[0, 1], [2, 0]]) == [2, 2, 2, 2]


def test_when_all_pairs_have_met_they_are_to_meet_again() -> None:
    coverage = PairCoverage((2, 1, 2))
    for levels in product(range(2), range(1), range(2)):
        coverage.cover(levels)
    assert coverage.n_open == PairCoverage((2, 1, 2)).n_open


def test_a_factor_alone_has_no_pairs() -> None:
    coverage = PairCoverage((3,))
    coverage.cover((2,))
    assert coverage.n_open == 0
