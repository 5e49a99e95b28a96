"""Tables and figures as values: what any renderer needs to lay them out, and nothing of how.

They compute nothing; numbers come from ``analysis``, text of cells is ``reports.cell_text``'s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, ClassVar, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from hairpin.domain.base import Value

ID_PATTERN = r"^[a-z][a-z0-9-]*$"
"""What an id may look like: it becomes a file name and an anchor."""


class CellKind(StrEnum):
    """What a cell holds.

    ``PERCENT``: a share, shown as a percentage. ``INTERVAL``: a share with its bounds. ``SPREAD``: a mean with its
    standard deviation.
    """

    TEXT = "text"
    INTEGER = "integer"
    FLOAT = "float"
    PERCENT = "percent"
    INTERVAL = "interval"
    SPREAD = "spread"
    MISSING = "missing"


class _Cell(Value):
    """``heat``: how dark the cell is drawn where a table is coloured, from 0 to 1."""

    heat: float | None = Field(default=None, ge=0, le=1)


class TextCell(_Cell):
    """Words; may come from a model or an assistant, so every renderer escapes them.

    ``anchor``: what they link to on the page that they stand on.
    """

    kind: Literal[CellKind.TEXT] = CellKind.TEXT
    text: str
    anchor: str | None = None


class IntegerCell(_Cell):
    """A count."""

    kind: Literal[CellKind.INTEGER] = CellKind.INTEGER
    value: int


class FloatCell(_Cell):
    """A number with so many digits after the point."""

    kind: Literal[CellKind.FLOAT] = CellKind.FLOAT
    value: float
    digits: int = Field(default=2, ge=0, le=12)


class PercentCell(_Cell):
    """A share: 0.25 is shown as 25.0 %."""

    kind: Literal[CellKind.PERCENT] = CellKind.PERCENT
    share: float
    digits: int = Field(default=1, ge=0, le=6)


class IntervalCell(_Cell):
    """A share with the bounds of its interval; ``low`` ≤ ``high``."""

    kind: Literal[CellKind.INTERVAL] = CellKind.INTERVAL
    share: float
    low: float
    high: float
    digits: int = Field(default=1, ge=0, le=6)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.low > self.high:
            raise ValueError(f"the lower bound {self.low} is above the upper bound {self.high}; swap them")
        return self


class SpreadCell(_Cell):
    """A mean with its standard deviation; ``sd`` is ``None`` where one value has none."""

    kind: Literal[CellKind.SPREAD] = CellKind.SPREAD
    mean: float
    sd: float | None = Field(default=None, ge=0)
    digits: int = Field(default=2, ge=0, le=12)


class MissingCell(_Cell):
    """There is no value; ``reason`` says why."""

    kind: Literal[CellKind.MISSING] = CellKind.MISSING
    reason: str = Field(min_length=1)


Cell: TypeAlias = Annotated[
    TextCell | IntegerCell | FloatCell | PercentCell | IntervalCell | SpreadCell | MissingCell,
    Field(discriminator="kind"),
]


class Align(StrEnum):
    """Words stand at the start of a line, numbers at its end."""

    START = "start"
    END = "end"


class Column(Value):
    """A column: its cells are of ``kind``, or missing.

    ``header``: its cells name their rows. ``written``: its words are numbers written out, as ``0.62 [0.40, 0.75]`` is.
    """

    name: str = Field(min_length=1)
    kind: CellKind = CellKind.TEXT
    unit: str = ""
    header: bool = False
    written: bool = False

    @property
    def align(self) -> Align:
        """Where its cells stand."""
        return Align.START if self.kind is CellKind.TEXT and not self.written else Align.END


class Table(Value):
    """A table. ``id`` is unique in a report; ``note`` says how to read it; ``empty`` is shown where it has no rows.

    ``folded``: a page shows its title only, until it is opened.
    """

    kind: ClassVar[str] = "table"
    id: str = Field(pattern=ID_PATTERN)
    title: str
    note: str = ""
    columns: tuple[Column, ...] = Field(min_length=1)
    rows: tuple[tuple[Cell, ...], ...] = ()
    empty: str = "Nothing to show."
    folded: bool = False

    @model_validator(mode="after")
    def _rectangular(self) -> Self:
        for number, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.id}: row {number} has {len(row)} cells for {len(self.columns)} columns")
            for column, cell in zip(self.columns, row, strict=True):
                if cell.kind not in (column.kind, CellKind.MISSING):
                    where = f"table {self.id}: row {number}"
                    raise ValueError(f"{where} has {cell.kind} in the column {column.name!r} of {column.kind}")
        return self

    @property
    def reasons(self) -> Mapping[str, str]:
        """The reasons for which values are missing, each with its mark: a, b, …, z, a1, b1, …"""
        found = dict.fromkeys(cell.reason for row in self.rows for cell in row if isinstance(cell, MissingCell))
        return {reason: _mark(number) for number, reason in enumerate(found)}


class Figure(Value):
    """A figure: a clean SVG drawing (``reports.svg``) and the numbers in it."""

    kind: ClassVar[str] = "figure"
    id: str = Field(pattern=ID_PATTERN)
    title: str
    note: str = ""
    svg: str
    data: Table


class Section(Value):
    """A part of a report: paragraphs, then tables and figures in order."""

    id: str = Field(pattern=ID_PATTERN)
    title: str
    text: tuple[str, ...] = ()
    parts: tuple[Table | Figure, ...] = ()

    @property
    def tables(self) -> tuple[Table, ...]:
        """Its tables, those behind figures included, in order."""
        return tuple(part if isinstance(part, Table) else part.data for part in self.parts)


def all_tables(sections: Sequence[Section]) -> tuple[Table, ...]:
    """Return every table of ``sections``, those behind figures included.

    Raises:
        ValueError: two have the same id: one file would overwrite the other.
    """
    tables = tuple(table for section in sections for table in section.tables)
    names = [table.id for table in tables]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"several tables are called {', '.join(twice)}")
    return tables


def _mark(number: int) -> str:
    turn, letter = divmod(number, 26)
    return f"{chr(ord('a') + letter)}{turn or ''}"
