"""The mean agreement of a group of pairs of raters, under every resample, and that of each pair.

Pairs and resamples are taken some at a time: memory stays bounded however many there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from hairpin.analysis.agreement.coefficients import Statistic, all_statistics
from hairpin.analysis.agreement.scale import (
    Codes,
    Floats,
    Levels,
    Scale,
    Weighting,
    distances,
    distances_on_levels_seen,
)
from hairpin.analysis.agreement.tables import Pair, pair_tables

_PAIRS_AT_A_TIME = 64
_ROWS_AT_A_TIME = 512


class Disagreement(NamedTuple):
    """What a disagreement counts."""

    scale: Scale
    weighting: Weighting
    levels: Levels


class GroupAgreement(NamedTuple):
    """The agreement of P pairs on one dimension.

    Attributes:
        pairs: who.
        n_items: (P,) how many items both rated.
        values: of each pair, by statistic (P,); NaN where it is undefined.
        sums: by statistic (W,): the sum over the pairs with a value, for every row of weights.
        counts: by statistic (W,): how many pairs have one.
    """

    pairs: tuple[Pair, ...]
    n_items: Floats
    values: Mapping[Statistic, Floats]
    sums: Mapping[Statistic, Floats]
    counts: Mapping[Statistic, Floats]


def group_agreement(codes: Codes, pairs: Sequence[Pair], disagreement: Disagreement, weights: Floats) -> GroupAgreement:
    """Return how far ``pairs`` of the raters in ``codes`` (n_raters, n_items) agree.

    ``weights`` (W, n_items): how often each item is counted; its first row counts each once.
    """
    sums = {each: np.zeros(len(weights)) for each in Statistic}
    counts = {each: np.zeros(len(weights)) for each in Statistic}
    values: dict[Statistic, list[Floats]] = {each: [] for each in Statistic}
    n_items: list[Floats] = []
    for start in range(0, len(pairs), _PAIRS_AT_A_TIME):
        some = pairs[start : start + _PAIRS_AT_A_TIME]
        apart = _apart(codes, some, disagreement)
        for row in range(0, len(weights), _ROWS_AT_A_TIME):
            rows = slice(row, row + _ROWS_AT_A_TIME)
            tables = pair_tables(codes, some, len(disagreement.scale.levels), weights[rows])
            for statistic, found in all_statistics(tables, apart).items():
                sums[statistic][rows] += np.nansum(found, axis=1)
                counts[statistic][rows] += (~np.isnan(found)).sum(axis=1)
                if row == 0:
                    values[statistic].append(found[0])
            if row == 0:
                n_items.append(tables[0].sum(axis=(-2, -1)))
    return GroupAgreement(
        pairs=tuple(pairs),
        n_items=_joined(n_items),
        values={each: _joined(found) for each, found in values.items()},
        sums=sums,
        counts=counts,
    )


def mean_of(groups: Sequence[GroupAgreement], statistic: Statistic) -> Floats:
    """Return (W,) the mean of a statistic over all pairs of all ``groups`` that have a value; NaN where none has."""
    total = np.sum([group.sums[statistic] for group in groups], axis=0)
    number = np.sum([group.counts[statistic] for group in groups], axis=0)
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)


def _apart(codes: Codes, pairs: Sequence[Pair], disagreement: Disagreement) -> Floats:
    """Return (P, K, K) disagreements, or (K, K) where they are the same for all."""
    scale, weighting, levels = disagreement
    if levels is Levels.DECLARED:
        return distances(len(scale.levels), weighting)
    tables = pair_tables(codes, pairs, len(scale.levels), np.ones((1, codes.shape[1])))[0]
    seen = (tables.sum(axis=-1) + tables.sum(axis=-2)) > 0
    return np.stack([distances_on_levels_seen(each, weighting) for each in seen])


def _joined(parts: Sequence[Floats]) -> Floats:
    return np.concatenate(parts) if parts else np.zeros(0)
