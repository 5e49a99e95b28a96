"""Tables in columns of plain text.

It computes nothing; the text of cells is ``reports.cell_text``'s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hairpin.reports.cell_text import cell_text, column_title
from hairpin.reports.tables import Align, Cell, MissingCell, Table
from hairpin.reports.text import display_width, one_line

_GAP = "  "


def table_lines(table: Table) -> list[str]:
    """Return a table in columns of plain text under its title; words at the start of their column, numbers at its end.

    A missing value has the mark of its reason, and the reasons follow.
    """
    if not table.rows:
        return [table.title, table.empty]
    marks = table.reasons
    header = [column_title(column) for column in table.columns]
    grid = [header, *([_shown(cell, marks) for cell in row] for row in table.rows)]
    widths = [max(map(display_width, column)) for column in zip(*grid, strict=True)]
    aligns = [column.align for column in table.columns]
    reasons = [f"({mark}) {reason}" for reason, mark in marks.items()]
    return [table.title, *(_line(cells, widths, aligns) for cells in grid), *reasons]


def _shown(cell: Cell, marks: Mapping[str, str]) -> str:
    mark = f" ({marks[cell.reason]})" if isinstance(cell, MissingCell) else ""
    return one_line(cell_text(cell)) + mark


def _line(cells: Sequence[str], widths: Sequence[int], aligns: Sequence[Align]) -> str:
    padded = []
    for cell, width, align in zip(cells, widths, aligns, strict=True):
        room = " " * (width - display_width(cell))
        padded.append(cell + room if align is Align.START else room + cell)
    return _GAP.join(padded).rstrip()
