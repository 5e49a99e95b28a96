"""Krippendorff's α of the ratings that raters gave, as a figure that says why there is none.

It resamples nothing. ``None`` is a rating that is missing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hairpin.analysis.agreement.krippendorff import Metric, krippendorff_alphas, why_no_alpha
from hairpin.analysis.agreement.model import Coefficient
from hairpin.analysis.agreement.scale import Codes, Scale
from hairpin.analysis.agreement.tables import level_counts

Ratings = Sequence[int | None]
"""Of one rater, item by item."""


def krippendorff_alpha(raters: Sequence[Ratings], scale: Scale, metric: Metric) -> Coefficient:
    """Return Krippendorff's α over the items with two ratings or more.

    Raises:
        ValueError: different numbers of items, or a rating that is not on the scale.
    """
    counts = level_counts(_codes(raters, scale), len(scale.levels))
    value = float(krippendorff_alphas(counts, scale, metric, np.ones((1, len(counts))))[0])
    n = int((counts.sum(axis=1) > 1).sum())
    if np.isnan(value):
        return Coefficient(value=None, n=n, reason=why_no_alpha(counts, scale, metric))
    return Coefficient(value=value, n=n)


def _codes(raters: Sequence[Ratings], scale: Scale) -> Codes:
    """Return (n_raters, n_items) positions on the scale. Raises ValueError."""
    n_items = {len(ratings) for ratings in raters}
    if len(n_items) > 1:
        raise ValueError(f"raters have {sorted(n_items)} items; give each the same, None where there is no rating")
    codes = [[scale.code(rating) for rating in ratings] for ratings in raters]
    return np.array(codes, dtype=np.int64).reshape(len(raters), max(n_items, default=0))
