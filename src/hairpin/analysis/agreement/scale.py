"""The scale that ratings are on, and how far apart two of its levels are.

It must not know who rated what.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from hairpin.domain.base import Value

Floats: TypeAlias = NDArray[np.floating[Any]]
Codes: TypeAlias = NDArray[np.signedinteger[Any]]
"""Positions on a scale; ``MISSING`` where there is no rating."""

MISSING = -1


class Weighting(StrEnum):
    """What a disagreement counts: the same whatever it is, by ranks between the levels, or by their square."""

    NONE = "none"
    LINEAR = "linear"
    QUADRATIC = "quadratic"


class Levels(StrEnum):
    """Which levels have a rank in weighted κ: all of the declared scale, or those that the two raters use.

    R's ``irr`` takes those that occur; values differ where a level between two others does not.
    """

    DECLARED = "declared"
    SEEN = "seen"


class Scale(Value):
    """The levels that a rating may have, from low to high."""

    levels: tuple[int, ...] = Field(min_length=2)

    @model_validator(mode="after")
    def _ascending(self) -> Self:
        if any(low >= high for low, high in zip(self.levels, self.levels[1:], strict=False)):
            raise ValueError(f"the levels {self.levels} do not ascend; write each once, from low to high")
        return self

    @property
    def words(self) -> str:
        """The levels, for people."""
        return "/".join(map(str, self.levels))

    def code(self, rating: int | None) -> int:
        """Return where ``rating`` is on the scale, from 0; ``MISSING`` for ``None``.

        Raises:
            ValueError: it is not on the scale.
        """
        if rating is None:
            return MISSING
        if rating not in self.levels:
            raise ValueError(f"{rating} is not on the scale {self.words}; declare a scale that has it")
        return self.levels.index(rating)


ORDINAL_SCALE = Scale(levels=(0, 1, 2))
"""What dimensions are scored on (in-car paper, section III-D)."""


def distances(n_levels: int, weighting: Weighting) -> Floats:
    """Return (n_levels, n_levels) disagreements from 0 to 1: the weights of weighted κ, one minus Cohen's.

    Source: Cohen, 1968.
    """
    ranks = np.arange(n_levels, dtype=np.float64)
    apart = np.abs(ranks[:, None] - ranks[None, :]) / max(1, n_levels - 1)
    if weighting is Weighting.NONE:
        return (apart > 0).astype(np.float64)
    return apart if weighting is Weighting.LINEAR else apart**2


def distances_on_levels_seen(seen: NDArray[np.bool_], weighting: Weighting) -> Floats:
    """Return the disagreements of ``distances`` with ranks among the levels ``seen`` (n_levels,) alone.

    Levels that nobody uses are 0 apart from all: they never weigh anything.
    """
    used = np.flatnonzero(seen)
    found = np.zeros((len(seen), len(seen)))
    found[np.ix_(used, used)] = distances(len(used), weighting)
    return found
