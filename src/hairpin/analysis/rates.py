"""Counts per 100 with their exact 95 % Poisson intervals.

It must not decide what is counted.
"""

from __future__ import annotations

from functools import lru_cache

from scipy import stats  # type: ignore[import-untyped]

from hairpin.analysis.fault_benchmark_model import Rate


def rate_per_100(events: int, n: int) -> Rate:
    """Return how many ``events`` there are per 100 of ``n``, in which any number can happen.

    With ``n`` = 0 there is no rate, and the interval has no upper bound.

    Raises:
        ValueError: a negative number.

    Source: Garwood, 1936, by quantiles of χ².
    """
    if events < 0 or n < 0:
        raise ValueError(f"{events} in {n} is no rate: both must be 0 or more")
    if n == 0:
        return Rate(events=events, n=0, per_100=None, low=0, high=None)
    low, high = _garwood(events)
    scale = 100 / n
    return Rate(events=events, n=n, per_100=events * scale, low=low * scale, high=high * scale)


@lru_cache(maxsize=4096)
def _garwood(events: int) -> tuple[float, float]:
    beyond = 0.025
    low = float(stats.chi2.ppf(beyond, 2 * events)) / 2 if events else 0.0
    return low, float(stats.chi2.ppf(1 - beyond, 2 * events + 2)) / 2
