"""A table as CSV (RFC 4180), for spreadsheets and programs.

Nothing is rounded here. Text that a spreadsheet would take for a formula is made harmless.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hairpin.reports.cell_text import column_title
from hairpin.reports.tables import (
    Cell,
    CellKind,
    Column,
    FloatCell,
    IntegerCell,
    IntervalCell,
    MissingCell,
    PercentCell,
    SpreadCell,
    Table,
)
from hairpin.reports.text import visible

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What text must not begin with: spreadsheets run it. Such a cell gets a ``'`` in front.

Source: OWASP, CSV Injection.
"""

_FIELDS = {CellKind.INTERVAL: ("", " low", " high"), CellKind.SPREAD: ("", " sd")}
_NOTES = "notes"


def to_csv(table: Table) -> str:
    """Return ``table`` as CSV with one header line and ``\\r\\n`` line ends, to be written as UTF-8.

    Shares are numbers from 0 to 1. An interval takes three fields, a mean with its standard deviation two. A missing
    value is an empty field; the last column, ``notes``, which is there only where something is missing, says why.
    """
    return "".join(csv_parts(table.columns, table.rows, notes=bool(table.reasons)))


def csv_parts(columns: Sequence[Column], rows: Iterable[Sequence[Cell]], *, notes: bool = False) -> Iterator[str]:
    """Yield CSV as ``to_csv`` returns it, line by line, for tables too big to be held; ``notes``: with that column."""
    header = [name for column in columns for name in _names(column)] + [_NOTES] * notes
    yield _ended(_quoted(name) for name in header)
    for row in rows:
        fields = [field for column, cell in zip(columns, row, strict=True) for field in _fields(column, cell)]
        yield _ended(fields + [_quoted(_why(columns, row))] * notes)


def _ended(fields: Iterable[str]) -> str:
    return ",".join(fields) + "\r\n"


def _names(column: Column) -> list[str]:
    return [f"{column_title(column)}{ending}" for ending in _FIELDS.get(column.kind, ("",))]


def _fields(column: Column, cell: Cell) -> list[str]:
    match cell:
        case MissingCell():
            return [""] * len(_names(column))
        case IntegerCell(value=value):
            return [str(value)]
        case FloatCell(value=number) | PercentCell(share=number):
            return [repr(number)]
        case IntervalCell(share=share, low=low, high=high):
            return [repr(share), repr(low), repr(high)]
        case SpreadCell(mean=mean, sd=sd):
            return [repr(mean), "" if sd is None else repr(sd)]
        case _:
            return [_quoted(cell.text)]


def _why(columns: Sequence[Column], row: Sequence[Cell]) -> str:
    return "; ".join(
        f"{column.name}: {cell.reason}"
        for column, cell in zip(columns, row, strict=True)
        if isinstance(cell, MissingCell)
    )


def _quoted(text: str) -> str:
    """Return a text field: always in quotes, so that no other separator of a spreadsheet's locale splits it."""
    harmless = f"'{text}" if text.startswith(FORMULA_STARTS) else text
    return '"' + visible(harmless).replace('"', '""') + '"'
