"""Fleiss' κ for many resamples at once, over the items that have the same number of ratings.

It must not know what is rated; ``analysis.kappa`` computes a single one in whole numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hairpin.analysis.agreement.coefficients import ONE_VALUE
from hairpin.analysis.agreement.krippendorff import NO_PAIR
from hairpin.analysis.agreement.scale import Floats


def usable_items(counts: Floats) -> NDArray[np.bool_]:
    """Return (n_items,) which items of ``counts`` (n_items, K) Fleiss' κ is over.

    It is defined for items with equally many ratings, at least two: those are taken that have the number which most
    items have; of equally frequent numbers the largest.
    """
    ratings = counts.sum(axis=1).astype(int)
    frequencies = np.bincount(ratings, minlength=3)[2:]
    if not frequencies.any():
        return np.zeros(len(counts), dtype=bool)
    most = len(frequencies) - 1 - int(np.argmax(frequencies[::-1]))
    return np.asarray(ratings == most + 2)


def fleiss_kappas(counts: Floats, weights: Floats) -> Floats:
    """Return (W,) κ of the usable items for each row of ``weights`` (W, n_items); NaN where it is undefined.

    Source: Fleiss, 1971.
    """
    usable = usable_items(counts)
    if not usable.any():
        return np.full(len(weights), np.nan)
    rated, times = counts[usable], weights[:, usable]
    n = rated[0].sum()
    items = times.sum(axis=1)
    agreeing = times @ (rated * (rated - 1)).sum(axis=1)
    by_chance, all_squared = ((times @ rated) ** 2).sum(axis=1), (items * n) ** 2
    possible = items * n * (n - 1)
    found = np.full(len(weights), np.nan)
    below = possible * (all_squared - by_chance)
    np.divide(agreeing * all_squared - by_chance * possible, below, out=found, where=below > 0)
    return found


def why_no_fleiss(counts: Floats) -> str:
    """Return why there is no κ of ``counts``."""
    return ONE_VALUE if usable_items(counts).any() else NO_PAIR
