"""Tables in columns of plain text, no wider than they may be.

It computes nothing; the text of cells is ``reports.cell_text``'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from hairpin.reports.cell_text import cell_text, column_title
from hairpin.reports.tables import Align, Cell, CellKind, MissingCell, Table
from hairpin.reports.text import broken, display_width, one_line, wrap

_GAP: Final = "  "
_LEAST_WORDS: Final = 16
"""Words are not squeezed into less than that: rather some columns follow below."""


class _Column(NamedTuple):
    """A column as text. ``least``: how narrow it may become; figures are not broken, words and titles are."""

    title: str
    cells: tuple[str, ...]
    align: Align
    header: bool
    least: int
    natural: int


def table_lines(table: Table, *, width: int | None = None) -> list[str]:
    """Return a table in columns of plain text under its title; words at the start of their column, numbers at its end.

    A missing value has the mark of its reason, and the reasons follow.

    Args:
        table: what to show.
        width: columns of the terminal. In a wider table words and titles are broken over lines; where that is not
            enough, columns that have no room follow below, beside those that name the rows.
    """
    if not table.rows:
        return [*_wrapped(table.title, width), *_wrapped(table.empty, width)]
    marks = table.reasons
    lines = _wrapped(table.title, width)
    for number, group in enumerate(_groups(_columns(table, marks), width)):
        lines += [*([""] if number else []), *_grid(group, width)]
    for reason, mark in marks.items():
        lines += _wrapped(f"({mark}) {reason}", width)
    return lines


def _wrapped(text: str, width: int | None) -> list[str]:
    return [text] if width is None else wrap(text, width=width)


def _columns(table: Table, marks: Mapping[str, str]) -> list[_Column]:
    made = []
    for at, column in enumerate(table.columns):
        title = one_line(column_title(column))
        cells = tuple(_shown(row[at], marks) for row in table.rows)
        breakable = column.kind is CellKind.TEXT and not column.written
        widest = max(map(display_width, cells))
        least = min(widest, max(_LEAST_WORDS, *map(_longest, cells))) if breakable else widest
        made.append(
            _Column(
                title=title,
                cells=cells,
                align=column.align,
                header=column.header,
                least=max(least, _longest(title)),
                natural=max(widest, display_width(title)),
            )
        )
    return made


def _shown(cell: Cell, marks: Mapping[str, str]) -> str:
    mark = f" ({marks[cell.reason]})" if isinstance(cell, MissingCell) else ""
    return one_line(cell_text(cell)) + mark


def _longest(text: str) -> int:
    """Return how wide the longest word is."""
    return max(map(display_width, text.split()), default=0)


def _groups(columns: Sequence[_Column], width: int | None) -> Iterator[list[_Column]]:
    """Yield the columns in groups that have room, each with those that name the rows in front."""
    lead = [column for column in columns if column.header]
    group = list(lead)
    for column in (each for each in columns if not each.header):
        if width is not None and len(group) > len(lead) and _total([each.least for each in (*group, column)]) > width:
            yield group
            group = list(lead)
        group.append(column)
    yield group


def _grid(columns: Sequence[_Column], width: int | None) -> Iterator[str]:
    widths = _widths(columns, width)
    yield from _row([column.title for column in columns], columns, widths, bottom=True)
    for cells in zip(*(column.cells for column in columns), strict=True):
        yield from _row(cells, columns, widths)


def _widths(columns: Sequence[_Column], width: int | None) -> list[int]:
    """Return how wide each column is: the widest give way until all have room, or none can."""
    widths = [column.natural for column in columns]
    while width is not None and _total(widths) > width:
        spare = [at for at, column in enumerate(columns) if widths[at] > column.least]
        if not spare:
            break
        widths[max(spare, key=widths.__getitem__)] -= 1
    return widths


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _row(
    cells: Sequence[str], columns: Sequence[_Column], widths: Sequence[int], *, bottom: bool = False
) -> Iterator[str]:
    """Yield one row, of several lines where a cell is broken; ``bottom``: short cells stand in the last of them."""
    parts = [broken(cell, room) for cell, room in zip(cells, widths, strict=True)]
    if bottom:
        tallest = max(map(len, parts))
        parts = [[""] * (tallest - len(part)) + part for part in parts]
    for line in zip_longest(*parts, fillvalue=""):
        padded = [_padded(cell, room, column.align) for cell, room, column in zip(line, widths, columns, strict=True)]
        yield _GAP.join(padded).rstrip()


def _padded(cell: str, room: int, align: Align) -> str:
    blank = " " * (room - display_width(cell))
    return cell + blank if align is Align.START else blank + cell
