"""Failures over time, run by run and on average (Fig. 1).

It computes nothing; the curves are ``analysis.curves``'.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from hairpin.analysis.curves import count_at
from hairpin.analysis.model import CampaignAnalysis, CumulativeCurves, Curve, CurvePoint
from hairpin.domain.arm import Arm
from hairpin.reports.cells import arm_colour, arm_word, number, numbered, numbers, spreads, whose
from hairpin.reports.charts import Chart, Panel, Series
from hairpin.reports.plotting import draw
from hairpin.reports.tables import Cell, Figure, Section, SpreadCell, Table


class _Unit(NamedTuple):
    """The unit of a time axis; ``up_to_s``: the longest time that it is good for."""

    up_to_s: float
    seconds: float
    word: str
    short: str


_UNITS = (
    _Unit(180, 1, "seconds", "s"),
    _Unit(3 * 3600, 60, "minutes", "min"),
    _Unit(math.inf, 3600, "hours", "h"),
)


def curves_section(analysis: CampaignAnalysis) -> Section | None:
    """Return failures over time, for all assistants and each; ``None`` where no conversation has a time."""
    figures = []
    for index, sut in enumerate((None, *analysis.suts) if len(analysis.suts) > 1 else (None,)):
        curves = [curves for curves in analysis.curves if curves.scope.sut == sut and curves.failed.points]
        if curves:
            figures += [
                _failed(curves, numbered("failures-over-time", index)),
                _distinct(curves, numbered("distinct-over-time", index)),
            ]
    return Section(id="over-time", title="Failures over time", parts=tuple(figures)) if figures else None


def _failed(curves: Sequence[CumulativeCurves], figure_id: str) -> Figure:
    unit = _unit(curves[0].failed)
    title = f"Failed conversations over time, {whose(curves[0].scope.sut)}"
    panels = (
        Panel(
            title="each run",
            y_label="failed",
            series=tuple(line for each in curves for line in _runs(each.failed, unit)),
        ),
        Panel(title="mean ± sd over runs", y_label="failed", series=tuple(_mean(each.failed, unit) for each in curves)),
    )
    return Figure(
        id=figure_id,
        title=title,
        note="Cumulative counts over the active time of each arm. With one run there is no standard deviation.",
        svg=draw(Chart(id=figure_id, label=title, x_label=f"Active time ({unit.word})", panels=panels)),
        data=_points(figure_id, title, [each.failed for each in curves], unit),
    )


def _distinct(curves: Sequence[CumulativeCurves], figure_id: str) -> Figure:
    unit = _unit(curves[0].distinct)
    title = f"Distinct failures over time, {whose(curves[0].scope.sut)}"
    panel = Panel(y_label="distinct failures", series=tuple(_mean(each.distinct, unit) for each in curves))
    return Figure(
        id=figure_id,
        title=title,
        note="Failures that differ in assistant, mode, kind of target or strategy; the baseline has no strategies. "
        "Mean ± sd over runs.",
        svg=draw(Chart(id=figure_id, label=title, x_label=f"Active time ({unit.word})", panels=(panel,))),
        data=_points(figure_id, title, [each.distinct for each in curves], unit),
    )


def _unit(curve: Curve) -> _Unit:
    """Return the unit in which the longest time has a readable number; curves of a campaign share their times."""
    return next(unit for unit in _UNITS if curve.points[-1].time_s <= unit.up_to_s)


def _runs(curve: Curve, unit: _Unit) -> list[Series]:
    """Return each run's counts at the times of the mean: a path that does not grow with the run."""
    times = tuple(point.time_s for point in curve.points)
    return [
        Series(
            name=arm_word(curve.scope.arm) if not index else "",
            x=tuple(time_s / unit.seconds for time_s in times),
            y=tuple(float(count_at(run, time_s)) for time_s in times),
            thin=True,
            step=True,
            colour=arm_colour(curve.scope.arm),
            dashed=curve.scope.arm is Arm.BASELINE,
        )
        for index, run in enumerate(curve.runs)
    ]


def _mean(curve: Curve, unit: _Unit) -> Series:
    points = curve.points
    banded = all(point.sd is not None for point in points)
    return Series(
        name=arm_word(curve.scope.arm),
        x=tuple(point.time_s / unit.seconds for point in points),
        y=tuple(point.mean for point in points),
        low=tuple(max(0.0, point.mean - (point.sd or 0.0)) for point in points) if banded else (),
        high=tuple(point.mean + (point.sd or 0.0) for point in points) if banded else (),
        colour=arm_colour(curve.scope.arm),
        dashed=curve.scope.arm is Arm.BASELINE,
    )


def _points(table_id: str, title: str, curves: Sequence[Curve], unit: _Unit) -> Table:
    rows = zip(*(curve.points for curve in curves), strict=True)
    return Table(
        id=table_id,
        title=title,
        columns=(numbers("Active time", unit.short), *(spreads(arm_word(curve.scope.arm)) for curve in curves)),
        rows=tuple(_point_row(points, unit) for points in rows),
    )


def _point_row(points: Sequence[CurvePoint], unit: _Unit) -> tuple[Cell, ...]:
    return (
        number(points[0].time_s / unit.seconds),
        *(SpreadCell(mean=point.mean, sd=point.sd, digits=1) for point in points),
    )
