"""What MORTAR finds at other ratios of perturbation as a table and a figure (MORTAR, Fig. 7).

It computes nothing; ``analysis.metamorphic.ratios`` does.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.analysis.metamorphic.ratios import RatioPoint
from hairpin.reports.cells import count, counts, number, numbers, percents, text, words
from hairpin.reports.charts import MOST_SERIES, Chart, Panel, Series
from hairpin.reports.metamorphic_tables import share_cell
from hairpin.reports.plotting import draw
from hairpin.reports.tables import Figure, Section, Table

_ID = "bugs-by-ratio"
_TITLE = "Bugs by the share of questions that is left out or asked twice"


def ratios_section(points: Sequence[RatioPoint]) -> Section:
    """Return the figure with its numbers; lines are drawn for the first eight assistants."""
    suts = tuple(dict.fromkeys(point.sut for point in points))[:MOST_SERIES]
    lines = tuple(_line(sut, [point for point in points if point.sut == sut], n) for n, sut in enumerate(suts))
    panel = Panel(y_label="Rate⁺ of MORTAR", percent=True, series=lines)
    figure = Figure(
        id=_ID,
        title=_TITLE,
        note="As Fig. 7. RS shuffles whatever the ratio is.",
        svg=draw(Chart(id=_ID, label=_TITLE, x_label="ratio", panels=(panel,))),
        data=_table(points),
    )
    return Section(
        id="ratios",
        title="Sensitivity to the ratio of perturbation",
        text=("The runs differ in their ratio; all else that decides what is a bug is the same.",),
        parts=(figure,),
    )


def _table(points: Sequence[RatioPoint]) -> Table:
    return Table(
        id=_ID,
        title=_TITLE,
        note="Levels and what nobody else revealed are of MORTAR too.",
        columns=(
            words("Assistant", header=True),
            words("Here called"),
            numbers("Ratio"),
            counts("Checks"),
            counts("Bugs"),
            percents("Rate⁺"),
            counts("L1"),
            counts("L2"),
            counts("L3"),
            counts("Without gold"),
            percents("Unique"),
        ),
        rows=tuple(
            (
                text(point.sut),
                text(point.name),
                number(point.ratio),
                count(point.checks),
                count(point.bugs),
                share_cell(point.rate),
                count(point.levels.l1),
                count(point.levels.l2),
                count(point.levels.l3),
                count(point.levels.unclassed),
                share_cell(point.unique),
            )
            for point in points
        ),
        empty="Nothing was perturbed.",
    )


def _line(sut: str, points: Sequence[RatioPoint], colour: int) -> Series:
    drawn = [(point.ratio, point.rate.value) for point in points if point.rate.value is not None]
    return Series(
        name=sut,
        x=tuple(x for x, _ in drawn),
        y=tuple(y for _, y in drawn),
        colour=colour,
        dashed=bool(colour % 2),
    )
