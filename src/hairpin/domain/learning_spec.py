"""How an arm learns across conversations.

Values only; what follows from them is ``learning``'s.
"""

from __future__ import annotations

import math

from pydantic import Field

from hairpin.domain.base import Value


class LearningSpec(Value):
    """How an arm learns.

    Attributes:
        epsilon: the probability with which a choice is made at random, in place of the most promising one.
        optimism: of a strategy that was never used, so many times the mean of all is expected.
        task_optimism: the same of a task combination; there are many, and one alone is chosen: all are to be tried.
        tolerance: a strategy that is worth at least so many times what the best is worth counts as equal to it.
        decay: what was found counts so many times less with every later conversation: 1 forgets nothing.
        share: which share of the pool of strategies a conversation prefers; at least one is preferred.
    """

    epsilon: float = Field(default=0.1, ge=0, le=1)
    optimism: float = Field(default=1.0, ge=0)
    task_optimism: float = Field(default=3.0, ge=0)
    tolerance: float = Field(default=0.5, ge=0, le=1)
    decay: float = Field(default=0.985, gt=0, le=1)
    share: float = Field(default=0.5, gt=0, le=1)

    def n_preferred(self, n_strategies: int) -> int:
        """Return how many of so many strategies a conversation prefers."""
        return min(n_strategies, max(1, math.ceil(self.share * n_strategies)))
