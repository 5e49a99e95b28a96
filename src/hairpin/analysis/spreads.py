"""Mean, sample standard deviation and median of a group of values.

It must not decide which values belong to the group.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from hairpin.analysis.model import Spread


def spread(values: Sequence[float], *, reason: str = "no values") -> Spread:
    """Return location and spread of finite ``values``; ``reason`` is stated when there are none."""
    n = len(values)
    if n == 0:
        return Spread(n=0, mean=None, sd=None, median=None, reason=reason)
    mean, sd = mean_sd(values)
    return Spread(
        n=n,
        mean=mean,
        sd=sd,
        median=float(statistics.median(values)),
        reason="" if n > 1 else "one value has no spread",
    )


def mean_sd(values: Sequence[float]) -> tuple[float, float | None]:
    """Return the mean of at least one value and the sample's standard deviation, ``None`` for one value."""
    n = len(values)
    mean = math.fsum(values) / n
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (n - 1)) if n > 1 else None
