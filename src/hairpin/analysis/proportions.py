"""Shares with their Wilson intervals.

It must not decide what is counted.
"""

from __future__ import annotations

from hairpin.analysis.model import Proportion
from hairpin.domain.intervals import wilson


def proportion(successes: int, n: int, *, reason: str = "nothing to count") -> Proportion:
    """Return ``successes / n`` with its 95 % Wilson interval; ``reason`` is stated when ``n`` is 0.

    Raises:
        ValueError: not 0 ≤ successes ≤ n.
    """
    low, high = wilson(successes, n)
    if n == 0:
        return Proportion(successes=0, n=0, rate=None, low=low, high=high, reason=reason)
    return Proportion(successes=successes, n=n, rate=successes / n, low=low, high=high)
