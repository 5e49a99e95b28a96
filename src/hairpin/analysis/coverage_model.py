"""The results of coverage: grids of what a campaign varies, with what was tried and what never was.

It computes nothing; that is ``analysis.coverage``.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from hairpin.analysis.scope import Scope
from hairpin.domain.base import Value


class Axis(StrEnum):
    """What a campaign varies. Depth is how far into the conversation a turn is, in ranges of turns."""

    TASK = "task"
    PERSONA = "persona"
    STRATEGY = "strategy"
    CONTEXT = "context"
    DEPTH = "depth"


class CoverageCell(Value):
    """A combination that was tried.

    Attributes:
        levels: by axis, as in the grid.
        conversations: rated conversations with at least one turn in it.
        failed: how many of these failed.
        labelled: how many of these have a failure at a turn in it.
    """

    levels: tuple[str, ...]
    conversations: int = Field(ge=1)
    failed: int = Field(ge=0)
    labelled: int = Field(ge=0)


class CoverageGrid(Value):
    """Which combinations of ``axes`` were tried in rated conversations.

    Attributes:
        levels: by axis, all that the plan and the strategies hold, tried or not; ``""`` is a level without a name.
        combinations: how many there are; ``tried`` of them were.
        cells: the tried ones, in order of levels; ``cells_left_out`` more are over the bound.
        never_tried: the others, in order of levels; ``never_tried_left_out`` more are over the bound.
    """

    axes: tuple[Axis, ...]
    levels: tuple[tuple[str, ...], ...]
    combinations: int = Field(ge=0)
    tried: int = Field(ge=0)
    cells: tuple[CoverageCell, ...]
    cells_left_out: int = Field(default=0, ge=0)
    never_tried: tuple[tuple[str, ...], ...]
    never_tried_left_out: int = Field(default=0, ge=0)


class Coverage(Value):
    """The coverage of one arm, for one assistant or all: over all axes, and over each pair of them."""

    scope: Scope
    full: CoverageGrid
    pairs: tuple[CoverageGrid, ...]
