"""What a campaign tried of all it could try: the coverage grids, with what was never tried.

It computes nothing; the grids are ``analysis.coverage``'s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hairpin.analysis.coverage_model import Axis, Coverage, CoverageCell, CoverageGrid
from hairpin.analysis.model import CampaignAnalysis
from hairpin.reports.cells import arm_word, count, counts, missing, percents, text, words
from hairpin.reports.glossary import Glossary
from hairpin.reports.tables import Cell, CellKind, Column, IntegerCell, PercentCell, Section, Table
from hairpin.reports.wording import kind_words

MOST_COLUMNS = 16
"""A grid whose shorter axis has more levels is a list of what was never tried, not a table to look at."""

NEVER = "never tried"
_NOT_LISTED = "one of too many to list"


def coverage_section(analysis: CampaignAnalysis, titles: Glossary) -> Section:
    """Return what each arm tried, over all assistants."""
    grids = [each for each in analysis.coverage if each.scope.sut is None]
    tables = [_totals(grids)]
    for each in grids:
        arm = arm_word(each.scope.arm)
        shown = [grid for grid in _told(each.pairs) if min(map(len, grid.levels)) <= MOST_COLUMNS]
        tables += [_grid(grid, arm, titles) for grid in shown]
        tables.append(_never(each.full, arm, titles))
    return Section(
        id="coverage",
        title="What was tried, and what never",
        text=(
            "Combinations of what a campaign varies. A conversation counts where at least one of its turns is in the "
            "combination; depth is how far into the conversation a turn is; turns are numbered from 0. A cell counts "
            "conversations that passed or failed.",
        ),
        parts=tuple(tables),
    )


def _totals(grids: Sequence[Coverage]) -> Table:
    return Table(
        id="coverage",
        title="Combinations tried",
        columns=(
            words("Arm", header=True),
            words("Combination of"),
            counts("Possible"),
            counts("Tried"),
            counts("Never tried"),
            percents("Tried, share"),
        ),
        rows=tuple(
            _total_row(arm_word(each.scope.arm), grid) for each in grids for grid in _told((each.full, *each.pairs))
        ),
    )


def _told(grids: Sequence[CoverageGrid]) -> list[CoverageGrid]:
    """Leave out the pairs with an axis that says nothing, as strategies do where none is used."""
    return [grid for grid in grids if len(grid.axes) > 2 or ("",) not in grid.levels]


def _total_row(arm: str, grid: CoverageGrid) -> tuple[Cell, ...]:
    possible, tried = grid.combinations, grid.tried
    return (
        text(arm),
        text(_axes(grid)),
        count(possible),
        count(tried),
        count(possible - tried),
        PercentCell(share=tried / possible) if possible else missing("there is no combination"),
    )


def _grid(grid: CoverageGrid, arm: str, titles: Glossary) -> Table:
    """Return a pair of axes, the one with fewer levels across."""
    turned = len(grid.levels[0]) < len(grid.levels[1])
    down, across = (1, 0) if turned else (0, 1)
    found = {cell.levels: cell for cell in grid.cells}
    most = max((cell.conversations for cell in grid.cells), default=1)
    never = frozenset(grid.never_tried)
    return Table(
        id=f"coverage-{arm}-{grid.axes[0]}-{grid.axes[1]}",
        title=f"{_axes(grid)}, {arm}",
        note="Conversations; the darker, the more.",
        empty="Nothing was planned.",
        folded=True,
        columns=(
            words(grid.axes[down].value.capitalize(), header=True),
            *(
                Column(name=_level(grid.axes[across], level, titles), kind=CellKind.INTEGER)
                for level in grid.levels[across]
            ),
        ),
        rows=tuple(
            (
                text(_level(grid.axes[down], row, titles)),
                *(
                    _tries((column, row) if turned else (row, column), found, most, never)
                    for column in grid.levels[across]
                ),
            )
            for row in grid.levels[down]
        ),
    )


def _tries(
    levels: tuple[str, ...], found: Mapping[tuple[str, ...], CoverageCell], most: int, never: frozenset[tuple[str, ...]]
) -> Cell:
    cell = found.get(levels)
    if cell is not None:
        return IntegerCell(value=cell.conversations, heat=cell.conversations / most)
    return missing(NEVER if levels in never else _NOT_LISTED)


def _never(grid: CoverageGrid, arm: str, titles: Glossary) -> Table:
    left_out = grid.never_tried_left_out
    return Table(
        id=f"never-tried-{arm}",
        title=f"Never tried: {_axes(grid)}, {arm}",
        note=f"{left_out:,} more are not listed." if left_out else "",
        empty="Every combination was tried.",
        folded=True,
        columns=tuple(words(axis.value.capitalize()) for axis in grid.axes),
        rows=tuple(
            tuple(text(_level(axis, level, titles)) for axis, level in zip(grid.axes, levels, strict=True))
            for levels in grid.never_tried
        ),
    )


def _axes(grid: CoverageGrid) -> str:
    return " × ".join(axis.value for axis in grid.axes)


def _level(axis: Axis, level: str, titles: Glossary) -> str:
    if not level:
        return f"no {axis.value}"
    if axis is Axis.STRATEGY:
        return titles.strategy(level).title
    if axis is Axis.PERSONA:
        return titles.persona(level).title
    return kind_words(level) if axis is Axis.TASK else level
