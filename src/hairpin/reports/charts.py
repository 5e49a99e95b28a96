"""Line charts, and charts of intervals, as values: what is drawn, not how.

They compute nothing; drawing is ``reports.plotting``'s.
"""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from hairpin.domain.base import Value

MOST_SERIES = 8
"""So many colours can be told apart, also by the colour-blind."""


class Series(Value):
    """A line, with a band around it where ``low`` and ``high`` are given. ``colour`` counts from 0.

    ``name``: what the legend calls it; ``""`` keeps it out of the legend.
    ``thin``: drawn light, for the single runs behind a mean. ``dashed``: told apart without colours too.
    ``step``: a value holds until the next x.
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    colour: int = Field(default=0, ge=0, lt=MOST_SERIES)
    thin: bool = False
    dashed: bool = False
    step: bool = False

    @model_validator(mode="after")
    def _matching(self) -> Self:
        sizes = {len(self.x), len(self.y), *(len(bound) for bound in (self.low, self.high) if bound)}
        if len(sizes) > 1 or bool(self.low) is not bool(self.high):
            raise ValueError(f"series {self.name!r}: x, y and the bounds have different lengths")
        return self


class Mark(Value):
    """A horizontal line to compare with."""

    name: str
    y: float


class Panel(Value):
    """One set of axes. ``percent``: y is a share, from 0 to 1."""

    title: str = ""
    y_label: str
    series: tuple[Series, ...]
    marks: tuple[Mark, ...] = ()
    percent: bool = False


class Chart(Value):
    """Panels under each other over one x-axis. ``label``: what it shows, for those who cannot see it."""

    id: str
    label: str
    x_label: str
    panels: tuple[Panel, ...] = Field(min_length=1)


class Whisker(Value):
    """A value with its interval, drawn in the row ``row`` of a chart; without an interval it is a point alone."""

    row: int = Field(ge=0)
    value: float
    low: float | None = None
    high: float | None = None


class WhiskerSeries(Value):
    """The values of one colour."""

    name: str
    whiskers: tuple[Whisker, ...]
    colour: int = Field(default=0, ge=0, lt=MOST_SERIES)


class IntervalChart(Value):
    """Values with intervals from left to right, in named rows from top to bottom; ``mark``: a line to compare with."""

    id: str
    label: str
    x_label: str
    rows: tuple[str, ...] = Field(min_length=1)
    series: tuple[WhiskerSeries, ...] = Field(min_length=1)
    mark: Mark | None = None
