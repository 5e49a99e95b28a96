"""Intervals of figures by resampling conversations, all resamples at once.

It must not know what is resampled: a figure is a function of how often each conversation is counted.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from pydantic import Field
from scipy import stats  # type: ignore[import-untyped]

from hairpin.analysis.agreement.scale import Floats
from hairpin.domain.base import Value

CONFIDENCE = 0.95
_LEAST_DEFINED = 0.5
"""With a smaller share of resamples in which a figure is defined, their spread says nothing of it."""


class IntervalMethod(StrEnum):
    """How an interval was found: bias-corrected and accelerated, or by the percentiles of the resamples alone."""

    BCA = "bca"
    PERCENTILE = "percentile"


class Estimate(Value):
    """A figure with its interval at 95 %.

    Attributes:
        value: ``None`` where it is undefined; ``reason`` says why.
        n: how many values it is the mean of; of a figure that is no mean, how many conversations it is over.
        n_undefined: values that are left out of the mean, because they are undefined.
        low: lower bound, ``None`` without an interval; ``high``: upper one.
        method: how the interval was found.
        interval_reason: why there is no interval, or why it is not by the method that was asked for.
        n_dropped: resamples in which the figure is undefined; they are left out.
    """

    value: float | None
    n: int = Field(default=0, ge=0)
    n_undefined: int = Field(default=0, ge=0)
    reason: str = ""
    low: float | None = None
    high: float | None = None
    method: IntervalMethod | None = None
    interval_reason: str = ""
    n_dropped: int = Field(default=0, ge=0)


def resample_weights(n_items: int, n_resamples: int, rng_seed: int) -> Floats:
    """Return how often each item is counted: once; then with each one left out; then in each resample.

    Returns:
        (1 + n_items + n_resamples, n_items).
    """
    rng = np.random.default_rng(rng_seed)
    drawn = rng.multinomial(n_items, np.full(n_items, 1 / n_items), size=n_resamples) if n_items else np.zeros((0, 0))
    return np.vstack([np.ones((1, n_items)), 1.0 - np.eye(n_items), drawn.astype(np.float64)])


def estimate(
    values: Floats, n_items: int, method: IntervalMethod, *, n: int, n_undefined: int = 0, reason: str = ""
) -> Estimate:
    """Return the figure and its interval from its value under every row of ``resample_weights``.

    Args:
        values: (1 + n_items + n_resamples,); NaN where it is undefined.
        n_items: how many items were resampled.
        method: how the interval is wanted.
        n: how many values the figure is the mean of.
        n_undefined: how many were left out of it.
        reason: why it is undefined, should it be.
    """
    point, left_out, resampled = float(values[0]), values[1 : n_items + 1], values[n_items + 1 :]
    if np.isnan(point):
        return Estimate(value=None, n_undefined=n_undefined, reason=reason or "undefined")
    base = Estimate(value=point, n=n, n_undefined=n_undefined)
    defined = resampled[~np.isnan(resampled)]
    without = _why_no_interval(n_items, len(resampled), len(defined))
    if without:
        return base.model_copy(update={"interval_reason": without, "n_dropped": len(resampled) - len(defined)})
    low, high, used, why = _bounds(point, left_out, defined, method)
    return base.model_copy(
        update={
            "low": low,
            "high": high,
            "method": used,
            "interval_reason": why,
            "n_dropped": len(resampled) - len(defined),
        }
    )


def _why_no_interval(n_items: int, n_resamples: int, n_defined: int) -> str:
    if n_items < 2:
        return "with fewer than two conversations there is nothing to resample"
    if not n_resamples:
        return "no resamples were asked for"
    if n_defined < _LEAST_DEFINED * n_resamples:
        return f"it is undefined in {n_resamples - n_defined:,} of {n_resamples:,} resamples"
    return ""


def _bounds(
    point: float, left_out: Floats, resampled: Floats, method: IntervalMethod
) -> tuple[float, float, IntervalMethod, str]:
    tails = np.array([(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    why = ""
    if method is IntervalMethod.BCA:
        corrected, why = _bca_tails(point, left_out, resampled, tails)
        tails = tails if corrected is None else corrected
    low, high = np.quantile(resampled, tails)
    return float(low), float(high), IntervalMethod.PERCENTILE if why else method, why


def _bca_tails(point: float, left_out: Floats, resampled: Floats, tails: Floats) -> tuple[Floats | None, str]:
    """Return the shares of resamples below the bounds, or ``None`` and why there are none.

    Source: Efron, Better Bootstrap Confidence Intervals, 1987.
    """
    below = ((resampled < point).mean() + (resampled <= point).mean()) / 2
    known = left_out[~np.isnan(left_out)]
    if not 0 < below < 1:
        return None, "percentiles: all resamples lie on one side of the value"
    if len(known) < len(left_out):
        return None, "percentiles: the figure is undefined without one of the conversations"
    apart = known.mean() - known
    spread = float((apart**2).sum())
    if spread <= 1e-24:  # rounding alone
        return None, "percentiles: no single conversation changes the value"
    bias, acceleration = stats.norm.ppf(below), float((apart**3).sum()) / (6 * spread**1.5)
    shifted = bias + stats.norm.ppf(tails)
    return np.asarray(stats.norm.cdf(bias + shifted / (1 - acceleration * shifted))), ""
