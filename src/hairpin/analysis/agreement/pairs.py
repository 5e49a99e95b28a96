"""Agreement of given ratings, one figure at a time: what the study of a whole set of annotations is made of.

It resamples nothing. ``None`` is a rating that is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from pydantic import Field

from hairpin.analysis.agreement.coefficients import (
    NO_OVERLAP,
    ONE_VALUE,
    Statistic,
    cohen_kappas,
    spearman_rhos,
    why_undefined,
)
from hairpin.analysis.agreement.fleiss import fleiss_kappas, usable_items, why_no_fleiss
from hairpin.analysis.agreement.krippendorff import Metric, krippendorff_alphas, why_no_alpha
from hairpin.analysis.agreement.scale import (
    Codes,
    Floats,
    Levels,
    Scale,
    Weighting,
    distances,
    distances_on_levels_seen,
)
from hairpin.analysis.agreement.tables import level_counts, pair_tables
from hairpin.domain.base import Value

Ratings = Sequence[int | None]
"""Of one rater, item by item."""


class Coefficient(Value):
    """A figure of agreement.

    Attributes:
        value: at most 1; ``None`` with the ``reason`` why there is none.
        n: how many items it is over; of Light's κ, how many pairs of raters.
        n_undefined: pairs of raters that Light's κ leaves out, since their own κ is undefined.
    """

    value: float | None
    n: int = Field(ge=0)
    n_undefined: int = Field(default=0, ge=0)
    reason: str = ""


def cohen_kappa(
    first: Ratings,
    second: Ratings,
    scale: Scale,
    *,
    weighting: Weighting = Weighting.NONE,
    levels: Levels = Levels.DECLARED,
) -> Coefficient:
    """Return Cohen's (weighted) κ of two raters over the items that both rated.

    Raises:
        ValueError: different numbers of items, or a rating that is not on the scale.
    """
    table = _table(first, second, scale)
    value = cohen_kappas(table, weights_of(table, weighting, levels))
    return _coefficient(float(value), int(table.sum()), Statistic.KAPPA)


def spearman(first: Ratings, second: Ratings, scale: Scale) -> Coefficient:
    """Return Spearman's ρ of two raters over the items that both rated. Raises ValueError as ``cohen_kappa`` does."""
    table = _table(first, second, scale)
    return _coefficient(float(spearman_rhos(table)), int(table.sum()), Statistic.RHO)


def light_kappa(
    raters: Sequence[Ratings],
    scale: Scale,
    *,
    weighting: Weighting = Weighting.NONE,
    levels: Levels = Levels.DECLARED,
) -> Coefficient:
    """Return Light's κ: the mean of Cohen's κ of all pairs of raters; pairs without one are left out and counted.

    Raises:
        ValueError: as ``cohen_kappa``.

    Source: Light, 1971.
    """
    found = [
        cohen_kappa(one, other, scale, weighting=weighting, levels=levels) for one, other in combinations(raters, 2)
    ]
    values = [each.value for each in found if each.value is not None]
    if not values:
        reason = (
            "fewer than two raters" if not found else NO_OVERLAP if not any(each.n for each in found) else ONE_VALUE
        )
        return Coefficient(value=None, n=0, n_undefined=len(found), reason=reason)
    return Coefficient(value=float(np.mean(values)), n=len(values), n_undefined=len(found) - len(values))


def krippendorff_alpha(raters: Sequence[Ratings], scale: Scale, metric: Metric) -> Coefficient:
    """Return Krippendorff's α over the items with two ratings or more.

    Raises:
        ValueError: as ``cohen_kappa``.
    """
    counts = level_counts(_codes(raters, scale), len(scale.levels))
    value = float(krippendorff_alphas(counts, scale, metric, np.ones((1, len(counts))))[0])
    n = int((counts.sum(axis=1) > 1).sum())
    if np.isnan(value):
        return Coefficient(value=None, n=n, reason=why_no_alpha(counts, scale, metric))
    return Coefficient(value=value, n=n)


def fleiss_of(raters: Sequence[Ratings], scale: Scale) -> Coefficient:
    """Return Fleiss' κ over the items with the most usual number of ratings (``fleiss.usable_items``).

    Raises:
        ValueError: as ``cohen_kappa``.
    """
    counts = level_counts(_codes(raters, scale), len(scale.levels))
    value, n = float(fleiss_kappas(counts, np.ones((1, len(counts))))[0]), int(usable_items(counts).sum())
    if np.isnan(value):
        return Coefficient(value=None, n=n, reason=why_no_fleiss(counts))
    return Coefficient(value=value, n=n)


def weights_of(table: Floats, weighting: Weighting, levels: Levels) -> Floats:
    """Return the disagreements (K, K) of the levels that ``table`` (K, K) declares, or of those seen in it."""
    if levels is Levels.DECLARED:
        return distances(len(table), weighting)
    return distances_on_levels_seen((table.sum(axis=0) + table.sum(axis=1)) > 0, weighting)


def _table(first: Ratings, second: Ratings, scale: Scale) -> Floats:
    codes = _codes((first, second), scale)
    return np.asarray(pair_tables(codes, [(0, 1)], len(scale.levels), np.ones((1, codes.shape[1])))[0, 0])


def _codes(raters: Sequence[Ratings], scale: Scale) -> Codes:
    """Return (n_raters, n_items) positions on the scale. Raises ValueError."""
    n_items = {len(ratings) for ratings in raters}
    if len(n_items) > 1:
        raise ValueError(f"raters have {sorted(n_items)} items; give each the same, None where there is no rating")
    codes = [[scale.code(rating) for rating in ratings] for ratings in raters]
    return np.array(codes, dtype=np.int64).reshape(len(raters), max(n_items, default=0))


def _coefficient(value: float, n: int, statistic: Statistic) -> Coefficient:
    if np.isnan(value):
        return Coefficient(value=None, n=n, reason=why_undefined(statistic, n))
    return Coefficient(value=value, n=n)
