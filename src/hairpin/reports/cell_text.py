"""The text of cells as people read it, in every locale the same.

It escapes nothing; that is the renderers'.
"""

from __future__ import annotations

from hairpin.reports.tables import (
    Cell,
    Column,
    FloatCell,
    IntegerCell,
    IntervalCell,
    MissingCell,
    PercentCell,
    SpreadCell,
)

NO_VALUE = "–"


def cell_text(cell: Cell) -> str:
    """Return what a cell shows: ``1,024``, ``0.71 ± 0.12``, ``25.0 % [20.1, 30.6]``; a missing value is a dash."""
    match cell:
        case MissingCell():
            return NO_VALUE
        case IntegerCell(value=value):
            return f"{value:,}"
        case FloatCell(value=value, digits=digits):
            return _number(value, digits)
        case PercentCell(share=share, digits=digits):
            return f"{_number(100 * share, digits)} %"
        case IntervalCell(share=share, low=low, high=high, digits=digits):
            bounds = f"{_number(100 * low, digits)}, {_number(100 * high, digits)}"
            return f"{_number(100 * share, digits)} % [{bounds}]"
        case SpreadCell(mean=mean, sd=sd, digits=digits):
            return _number(mean, digits) + ("" if sd is None else f" ± {sd:,.{digits}f}")
        case _:
            return cell.text


def column_title(column: Column) -> str:
    """Return a column's name with its unit."""
    return f"{column.name} ({column.unit})" if column.unit else column.name


def _number(value: float, digits: int) -> str:
    """Return ``value`` with ``digits`` digits; one too small for them but above 0 as ``< 0.01``."""
    least = 10.0**-digits
    if digits and 0 < value < least / 2:
        return f"< {least:.{digits}f}"
    shown = f"{value:,.{digits}f}"
    return shown.removeprefix("-") if float(shown.replace(",", "")) == 0 else shown
