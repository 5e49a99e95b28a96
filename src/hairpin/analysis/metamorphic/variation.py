"""The coefficient of variation, with the population's standard deviation, as MORTAR's tables have it.

It must not decide what varies.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from hairpin.analysis.metamorphic.model import Figure


def coefficient_of_variation(values: Sequence[float]) -> Figure:
    """Return σ / μ of finite ``values`` with the population's σ (ddof = 0); undefined for fewer than two or μ = 0.

    Source: MORTAR, section IV-E; Tables VII and IX.
    """
    if len(values) < 2:
        return Figure(value=None, reason="fewer than two values do not vary")
    mean = math.fsum(values) / len(values)
    if mean == 0:
        return Figure(value=None, reason="the mean is zero")
    return Figure(value=math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values)) / mean)
