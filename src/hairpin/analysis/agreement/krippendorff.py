"""Krippendorff's α: how far any number of raters agree on items that not all of them rated.

It must not know what is rated. Own code, since the library of that name is under the GPL.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from hairpin.analysis.agreement.coefficients import ONE_VALUE
from hairpin.analysis.agreement.scale import Floats, Scale

NO_PAIR = "no item has two ratings"
_BELOW_ZERO = "a ratio scale has no levels below 0"


class Metric(StrEnum):
    """What the distance of two levels rests on: that they differ, their ranks, their difference or their ratio."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"


def krippendorff_alphas(counts: Floats, scale: Scale, metric: Metric, weights: Floats) -> Floats:
    """Return α = 1 − D_o / D_e for each row of ``weights``; NaN where it is undefined (``why_no_alpha``).

    Args:
        counts: (n_items, K) how many raters gave an item a level; an item with one rating counts for nothing.
        scale: its K levels.
        metric: the distance.
        weights: (W, n_items) how often each item is counted.

    Returns:
        (W,) values.

    Source: Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011.
    """
    if metric is Metric.RATIO and min(scale.levels) < 0:
        return np.full(len(weights), np.nan)
    together = np.tensordot(weights, _coincidences(counts), axes=1)
    totals = together.sum(axis=-1)
    squared = _squared_distances(totals, scale, metric)
    observed = (together * squared).sum(axis=(-2, -1)) * (totals.sum(axis=-1) - 1)
    by_chance = np.einsum("wi,wij,wj->w", totals, squared, totals)
    found = np.full(len(weights), np.nan)
    np.divide(observed, by_chance, out=found, where=by_chance > 0)
    return 1.0 - found


def why_no_alpha(counts: Floats, scale: Scale, metric: Metric) -> str:
    """Return why there is no α of ``counts`` (n_items, K)."""
    if metric is Metric.RATIO and min(scale.levels) < 0:
        return _BELOW_ZERO
    return ONE_VALUE if (counts.sum(axis=1) > 1).any() else NO_PAIR


def _coincidences(counts: Floats) -> Floats:
    """Return (n_items, K, K): ordered pairs of ratings of an item, each by 1 / (ratings of the item − 1)."""
    ratings = counts.sum(axis=1)
    pairs = counts[:, :, None] * counts[:, None, :]
    levels = np.arange(counts.shape[1])
    pairs[:, levels, levels] -= counts
    return np.asarray(pairs * np.where(ratings > 1, 1.0 / np.maximum(ratings - 1, 1), 0.0)[:, None, None])


def _squared_distances(totals: Floats, scale: Scale, metric: Metric) -> Floats:
    """Return (W, K, K) squared distances; ``totals`` (W, K) matter to ordinal ones alone."""
    values = np.asarray(scale.levels, dtype=np.float64)
    apart = values[:, None] - values[None, :]
    if metric is Metric.ORDINAL:
        middles = np.cumsum(totals, axis=-1) - totals / 2
        return np.asarray((middles[:, :, None] - middles[:, None, :]) ** 2)
    if metric is Metric.NOMINAL:
        squared = (apart != 0).astype(np.float64)
    elif metric is Metric.INTERVAL:
        squared = apart**2
    else:
        both = values[:, None] + values[None, :]
        squared = (apart / np.where(both > 0, both, 1.0)) ** 2
    return np.broadcast_to(squared, (len(totals), *squared.shape))
