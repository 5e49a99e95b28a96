"""How often two raters gave each pair of levels, for many pairs of raters and many resamples at once.

It must not compute statistics.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hairpin.analysis.agreement.scale import Codes, Floats

Pair = tuple[int, int]
"""Positions of two raters."""


def pair_tables(codes: Codes, pairs: Sequence[Pair], n_levels: int, weights: Floats) -> Floats:
    """Count the items of each pair of raters by the levels that they gave; items that one left out are in no cell.

    Args:
        codes: (n_raters, n_items) levels.
        pairs: P pairs of raters.
        n_levels: K.
        weights: (W, n_items) how often each item is counted, resample by resample.

    Returns:
        (W, P, K, K) counts, the first rater's level before the second's.
    """
    n_items, cells = codes.shape[1], n_levels * n_levels
    first, second = codes[[pair[0] for pair in pairs]], codes[[pair[1] for pair in pairs]]
    which_pair, item = np.nonzero((first >= 0) & (second >= 0))
    cell = first[which_pair, item] * n_levels + second[which_pair, item]
    given = np.zeros((n_items, len(pairs) * cells))
    given[item, which_pair * cells + cell] = 1.0
    return (weights @ given).reshape(len(weights), len(pairs), n_levels, n_levels)


def level_counts(codes: Codes, n_levels: int) -> Floats:
    """Return (n_items, n_levels): how many of the raters in ``codes`` (n_raters, n_items) gave an item a level."""
    rater, item = np.nonzero(codes >= 0)
    counts = np.zeros((codes.shape[1], n_levels))
    np.add.at(counts, (item, codes[rater, item]), 1.0)
    return counts
