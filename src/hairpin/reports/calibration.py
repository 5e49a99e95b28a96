"""Thresholds beside labels as a table and a figure (MORTAR, Table IV).

It computes nothing; figures are ``analysis.calibration``'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from hairpin.analysis.binary import Confusion
from hairpin.analysis.calibration import PAPER_GRID, Calibration, Goal, ThresholdScore
from hairpin.reports.cells import number, numbers, percents, share
from hairpin.reports.charts import Chart, Panel, Series
from hairpin.reports.plotting import draw
from hairpin.reports.tables import Cell, Column, Figure, Section, Table

_GOAL_WORDS: Final[Mapping[Goal, str]] = {
    Goal.F1: "F1",
    Goal.F1_NEGATIVE: "F1 of the others",
    Goal.BALANCED_ACCURACY: "balanced accuracy",
}
_ONE_LABEL: Final = "all labels are the same"
_NO_LABEL: Final = "no item"


def calibration_section(
    calibration: Calibration, *, symbol: str = "ε", positive: str = "answers labelled correct"
) -> Section:
    """Return the thresholds of ``calibration`` beside labels, as in MORTAR's Table IV.

    Args:
        calibration: what was found.
        symbol: what the threshold is called.
        positive: the class whose label is true, in words.
    """
    goal = _GOAL_WORDS[calibration.goal]
    best = calibration.best
    said = (
        f"There is no best {symbol}: {calibration.reason}."
        if best is None
        else f"{goal} is largest at {symbol} = {best.threshold:g}; {_range(calibration.equally_good)}. "
        f"In use: {calibration.default.threshold:g}."
    )
    table = Table(
        id="calibration",
        title=f"Agreement with labels by {symbol}",
        note=f"Positive: {positive}, found where the similarity reaches {symbol}.",
        columns=score_columns(symbol),
        rows=tuple(score_row(score) for score in _chosen(calibration)),
    )
    labels = f"{calibration.n_positive} {positive}, {calibration.n_negative} others."
    parts = (table, _curve(calibration, symbol)) if best is not None else (table,)
    return Section(id="calibration", title=f"Which {symbol} agrees with people", text=(labels, said), parts=parts)


def _chosen(calibration: Calibration) -> list[ThresholdScore]:
    """Return the scores of the paper's thresholds, of the one in use and of the best, in order."""
    shown = {score.threshold: score for score in calibration.scores if score.threshold in PAPER_GRID}
    for score in (calibration.default, calibration.best):
        if score is not None:
            shown[score.threshold] = score
    return [shown[threshold] for threshold in sorted(shown)]


def score_columns(symbol: str) -> tuple[Column, ...]:
    """Return the columns of ``score_row``; ``symbol``: what the threshold is called."""
    return (
        numbers(symbol),
        percents("F1"),
        percents("F1 of the others"),
        percents("Accuracy"),
        percents("Balanced accuracy"),
        numbers("MCC"),
    )


def score_row(score: ThresholdScore) -> tuple[Cell, ...]:
    """Return what one threshold makes of the items."""
    confusion = score.confusion
    return (
        number(score.threshold),
        share(confusion.f1(), _NO_LABEL),
        share(confusion.f1(positive=False), _NO_LABEL),
        *agreement_cells(confusion),
        number(confusion.mcc, "all labels or all decisions are the same"),
    )


def agreement_cells(confusion: Confusion) -> tuple[Cell, Cell]:
    """Return accuracy and balanced accuracy."""
    return share(confusion.accuracy, _NO_LABEL), share(confusion.balanced_accuracy, _ONE_LABEL)


def _curve(calibration: Calibration, symbol: str) -> Figure:
    title = f"Agreement with labels by {symbol}"
    lines = (
        threshold_line("F1", [(score.threshold, score.confusion.f1()) for score in calibration.scores]),
        threshold_line(
            "F1 of the others", [(s.threshold, s.confusion.f1(positive=False)) for s in calibration.scores], 1
        ),
        threshold_line(
            "balanced accuracy", [(s.threshold, s.confusion.balanced_accuracy) for s in calibration.scores], 2
        ),
    )
    panel = Panel(y_label="agreement", percent=True, series=lines)
    return Figure(
        id="calibration-by-threshold",
        title=title,
        svg=draw(Chart(id="calibration-by-threshold", label=title, x_label=symbol, panels=(panel,))),
        data=Table(
            id="calibration-by-threshold",
            title=title,
            columns=score_columns(symbol),
            rows=tuple(score_row(score) for score in calibration.scores),
            folded=True,
        ),
    )


def threshold_line(name: str, points: Iterable[tuple[float, float | None]], colour: int = 0) -> Series:
    """Return a line by threshold, points without a value left out."""
    known = [(x, y) for x, y in points if y is not None]
    return Series(
        name=name,
        x=tuple(x for x, _ in known),
        y=tuple(y for _, y in known),
        colour=colour,
        dashed=bool(colour),
    )


def _range(thresholds: Sequence[float]) -> str:
    if len(thresholds) == 1:
        return "no other threshold is as good"
    return f"{len(thresholds)} thresholds from {thresholds[0]:g} to {thresholds[-1]:g} are as good"
