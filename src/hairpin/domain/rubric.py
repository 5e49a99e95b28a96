"""A rubric: which failures exist, which dimensions are scored, and when a conversation passes.

It must not judge anything; ``domain.scoring`` computes, the judges decide.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Self

from pydantic import Field, model_validator

from hairpin.domain.base import Value
from hairpin.domain.failures import FailureMode


class Dimension(Value):
    """A quality dimension d_j with a text per score 0, 1 and 2."""

    id: str
    title: str
    question: str
    anchors: tuple[str, str, str]


class Weights(Value):
    """w_j per dimension id, and w_T for target completion (in-car paper, eq. 1). Not negative, not all zero."""

    dimensions: Mapping[str, float]
    targets: float = 1.0

    @model_validator(mode="after")
    def _usable(self) -> Self:
        values = [*self.dimensions.values(), self.targets]
        if any(value < 0 or not math.isfinite(value) for value in values):
            raise ValueError("weights must be finite and not negative")
        if not any(values):
            raise ValueError("all weights are zero, so no success score exists; give at least one weight above 0")
        return self


class Rubric(Value):
    """Failure modes, dimensions, weights, threshold θ and the modes that are critical whatever C says."""

    id: str
    title: str
    modes: tuple[FailureMode, ...] = Field(min_length=1)
    dimensions: tuple[Dimension, ...] = Field(min_length=1)
    weights: Weights
    threshold: float = Field(default=0.75, ge=0, le=1)
    critical_modes: tuple[str, ...] = ()

    def mode(self, mode_id: str) -> FailureMode | None:
        """Return the mode called ``mode_id``, or ``None``."""
        return next((mode for mode in self.modes if mode.id == mode_id), None)
