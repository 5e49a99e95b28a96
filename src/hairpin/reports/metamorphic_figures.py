"""The figures of replays: what is found at other thresholds.

They compute nothing; ``analysis.metamorphic.sensitivity`` does.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.analysis.metamorphic.model import MetamorphicAnalysis, ThresholdPoint
from hairpin.domain.relations import MetamorphicSpec
from hairpin.reports.cells import count, counts, number, numbers, percents, text, words
from hairpin.reports.charts import MOST_SERIES, Chart, Panel, Series
from hairpin.reports.metamorphic_tables import share_cell
from hairpin.reports.plotting import draw
from hairpin.reports.tables import Figure, Section, Table


def sensitivity_section(analysis: MetamorphicAnalysis, spec: MetamorphicSpec) -> Section:
    """Return what MORTAR finds at other ε and, where contexts are checked by similarity, at other ε_EC."""
    found = [
        _figure("epsilon", "Bugs by the similarity from which answers are alike (ε)", "ε", analysis.epsilon),
    ]
    if analysis.epsilon_ec:
        title = "Bugs by the similarity from which contexts are equivalent (ε_EC)"
        found.append(_figure("epsilon-ec", title, "ε_EC", analysis.epsilon_ec))
    return Section(
        id="sensitivity",
        title="Sensitivity to thresholds",
        text=(
            f"The run was made with ε = {spec.epsilon:g} and ε_EC = {spec.epsilon_ec:g}. Every other point is decided "
            "anew from stored rows; contexts that a short cut decided without answers drop out where it is not exact.",
        ),
        parts=tuple(found),
    )


def _figure(figure_id: str, title: str, symbol: str, points: Sequence[ThresholdPoint]) -> Figure:
    suts = tuple(dict.fromkeys(point.sut for point in points))[:MOST_SERIES]
    lines = tuple(_line(sut, [point for point in points if point.sut == sut], n) for n, sut in enumerate(suts))
    panel = Panel(y_label="Rate⁺ of MORTAR", percent=True, series=lines)
    return Figure(
        id=figure_id,
        title=title,
        svg=draw(Chart(id=figure_id, label=title, x_label=symbol, panels=(panel,))),
        data=Table(
            id=figure_id,
            title=title,
            columns=(
                words("Assistant", header=True),
                numbers(symbol),
                counts("Checks"),
                counts("Bugs"),
                percents("Rate⁺"),
            ),
            rows=tuple(
                (text(p.sut), number(p.threshold), count(p.checks), count(p.bugs), share_cell(p.rate)) for p in points
            ),
        ),
    )


def _line(sut: str, points: Sequence[ThresholdPoint], colour: int) -> Series:
    drawn = [(point.threshold, point.rate.value) for point in points if point.rate.value is not None]
    return Series(
        name=sut,
        x=tuple(x for x, _ in drawn),
        y=tuple(y for _, y in drawn),
        colour=colour,
        dashed=bool(colour % 2),
    )
