"""Shares with their Wilson intervals.

It must not decide what is counted.
"""

from __future__ import annotations

from functools import lru_cache

from scipy import stats  # type: ignore[import-untyped]

from hairpin.analysis.model import Proportion


def proportion(successes: int, n: int, confidence: float = 0.95, *, reason: str = "nothing to count") -> Proportion:
    """Return ``successes / n`` with its Wilson interval at ``confidence``; ``reason`` is stated when ``n`` is 0.

    Raises:
        ValueError: not 0 ≤ successes ≤ n.

    Source: Wilson, 1927; scipy's ``binomtest``.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} is no share: successes must be from 0 to n")
    if n == 0:
        return Proportion(successes=0, n=0, rate=None, low=0, high=1, confidence=confidence, reason=reason)
    low, high = _wilson(successes, n, confidence)
    return Proportion(
        successes=successes,
        n=n,
        rate=successes / n,
        low=low,
        high=high,
        confidence=confidence,
    )


@lru_cache(maxsize=4096)
def _wilson(successes: int, n: int, confidence: float) -> tuple[float, float]:
    interval = stats.binomtest(successes, n).proportion_ci(confidence_level=confidence, method="wilson")
    return max(0.0, float(interval.low)), min(1.0, float(interval.high))
