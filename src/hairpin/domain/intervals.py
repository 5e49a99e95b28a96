"""The 95 % interval of a share, and the quantile that 95 % intervals take.

It must not decide what is counted.
"""

from __future__ import annotations

import math
from typing import Final

Z_95: Final = 1.959963984540054
"""The two-sided 95 % quantile of the normal distribution."""


def wilson(hits: float, n: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of ``hits / n`` within [0, 1]; all of it where ``n`` is 0.

    The lower bound of no hits is exactly 0, the upper one of nothing but hits exactly 1. Hits need not be whole:
    something that was asked about several times may count by the share of its answers.

    Raises:
        ValueError: not 0 ≤ hits ≤ n.

    Source: Wilson, 1927.
    """
    if not 0 <= hits <= n:
        raise ValueError(f"{hits} of {n} is no share: the first must be from 0 to the second")
    if n == 0:
        return 0.0, 1.0
    z2 = Z_95 * Z_95
    rate, scale = hits / n, 1 + z2 / n
    centre = (rate + z2 / (2 * n)) / scale
    half = Z_95 / scale * math.sqrt(rate * (1 - rate) / n + z2 / (4 * n * n))
    return (0.0 if hits == 0 else max(0.0, centre - half)), (1.0 if hits == n else min(1.0, centre + half))
