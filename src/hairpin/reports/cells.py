"""Cells from results of the analysis; a figure that is undefined becomes a missing cell with its reason.

It computes nothing.
"""

from __future__ import annotations

from hairpin.analysis.model import Proportion, Spread
from hairpin.domain.arm import Arm
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
    TextCell,
)

EVERYTHING = "all"
NOTHING = "nothing to count"


def text(value: str) -> Cell:
    """Return words."""
    return TextCell(text=value)


def count(value: int) -> Cell:
    """Return a count."""
    return IntegerCell(value=value)


def number(value: float | None, reason: str = "", *, digits: int = 2) -> Cell:
    """Return a number."""
    return missing(reason) if value is None else FloatCell(value=value, digits=digits)


def missing(reason: str) -> Cell:
    """Return a missing value."""
    return MissingCell(reason=reason or NOTHING)


def interval(share: Proportion) -> Cell:
    """Return a share with its interval."""
    if share.rate is None:
        return missing(share.reason)
    return IntervalCell(share=share.rate, low=share.low, high=share.high)


def percent(share: Proportion, *, darkest: float | None = None) -> Cell:
    """Return a share; ``darkest``: the share at which its cell is as dark as can be, for coloured tables."""
    if share.rate is None:
        return missing(share.reason)
    return PercentCell(share=share.rate, heat=share.rate / darkest if darkest else None)


def share(value: float | None, reason: str = "") -> Cell:
    """Return a share without an interval."""
    return missing(reason) if value is None else PercentCell(share=value)


def spread(values: Spread, *, digits: int = 2) -> Cell:
    """Return a mean with its standard deviation."""
    if values.mean is None:
        return missing(values.reason)
    return SpreadCell(mean=values.mean, sd=values.sd, digits=digits)


def sut_text(sut: str | None) -> Cell:
    """Return an assistant's label, or the word for all."""
    return text(EVERYTHING if sut is None else sut)


def whose(sut: str | None) -> str:
    """Return whom a title speaks of."""
    return "all assistants" if sut is None else sut


def arm_word(arm: Arm | None) -> str:
    """Return an arm's name, or the word for all."""
    return EVERYTHING if arm is None else arm.value


def arm_text(arm: Arm | None) -> Cell:
    """Return an arm's name, or the word for all."""
    return text(arm_word(arm))


def arm_colour(arm: Arm | None) -> int:
    """Return the colour of an arm, the same in every figure."""
    return {Arm.BASELINE: 1, Arm.LEARNED: 2}.get(arm or Arm.GUIDED, 0)


def numbered(stem: str, index: int) -> str:
    """Return the id of the ``index``-th table or figure of a kind; the first goes without a number."""
    return f"{stem}-{index}" if index else stem


def words(name: str, *, header: bool = False) -> Column:
    """Return a column of words."""
    return Column(name=name, header=header)


def written(name: str) -> Column:
    """Return a column of numbers written out as words, such as ``0.62 [0.40, 0.75]``."""
    return Column(name=name, written=True)


def counts(name: str) -> Column:
    """Return a column of counts."""
    return Column(name=name, kind=CellKind.INTEGER)


def numbers(name: str, unit: str = "") -> Column:
    """Return a column of numbers."""
    return Column(name=name, kind=CellKind.FLOAT, unit=unit)


def percents(name: str) -> Column:
    """Return a column of shares."""
    return Column(name=name, kind=CellKind.PERCENT)


def intervals(name: str) -> Column:
    """Return a column of shares with their intervals."""
    return Column(name=name, kind=CellKind.INTERVAL)


def spreads(name: str, unit: str = "") -> Column:
    """Return a column of means with standard deviations."""
    return Column(name=name, kind=CellKind.SPREAD, unit=unit)
