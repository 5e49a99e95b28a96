"""Draws charts with matplotlib as SVG: the only module that knows it, and only once a chart is drawn.

The same chart gives the same bytes: no date, no random ids. Words stay words; colours are the page's.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from hairpin.reports.charts import MOST_SERIES, Chart, IntervalChart, Panel, Series
from hairpin.reports.svg import clean
from hairpin.reports.text import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as MatplotlibFigure
    from matplotlib.lines import Line2D

WIDTH_IN: Final = 6.0
PANEL_HEIGHT_IN: Final = 2.4
COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f3c8d", "#5d636e")
"""Told apart by the colour-blind. Source: Okabe and Ito, Color Universal Design, 2008; the last two are Hairpin's."""

_INK, _LINE = "#010203", "#010204"
# Colours that nothing else has stand for those of the page while matplotlib draws.
_DRAWN = tuple(f"#0a0b{number:02x}" for number in range(MOST_SERIES))
_PAGE_COLOURS: Final = {
    _INK: "currentColor",
    _LINE: "var(--line, #e2dfd9)",
    **{drawn: f"var(--series-{n}, {colour})" for n, (drawn, colour) in enumerate(zip(_DRAWN, COLOURS, strict=True))},
}
_STYLE: Final[Any] = {  # matplotlib's type of it names each of its 300 settings
    "svg.fonttype": "none",
    "svg.hashsalt": "hairpin",
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "axes.edgecolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": _LINE,
    "axes.axisbelow": True,
    "path.simplify": True,
}


def draw(chart: Chart) -> str:
    """Return ``chart`` as a clean SVG drawing whose ids begin with the chart's."""

    def fill(figure: MatplotlibFigure) -> None:
        grid = figure.subplots(len(chart.panels), 1, sharex=True, squeeze=False)
        for panel, axes in zip(chart.panels, grid[:, 0], strict=True):
            _draw_panel(axes, panel)
        grid[-1, 0].set_xlabel(one_line(chart.x_label))

    return _drawn(chart, PANEL_HEIGHT_IN * len(chart.panels) + 0.5, fill)


def draw_intervals(chart: IntervalChart) -> str:
    """Return ``chart`` as a clean SVG drawing whose ids begin with the chart's; x is from 0, or below, to 1."""

    def fill(figure: MatplotlibFigure) -> None:
        axes = figure.subplots()
        step = 0.8 / len(chart.series)
        for number, series in enumerate(chart.series):
            shift = (number + 0.5) * step - 0.4
            points = axes.plot(
                [each.value for each in series.whiskers],
                [each.row + shift for each in series.whiskers],
                "o",
                color=_DRAWN[series.colour],
                markersize=4,
                label=one_line(series.name),
            )
            for each in series.whiskers:
                if each.low is not None and each.high is not None:
                    axes.hlines(each.row + shift, each.low, each.high, color=points[0].get_color(), linewidth=1.6)
        if chart.mark is not None:
            name = one_line(chart.mark.name)
            axes.axvline(chart.mark.y, color=_INK, linewidth=0.8, linestyle=(0, (1, 2)), label=name)
        axes.set_yticks(range(len(chart.rows)), [one_line(row) for row in chart.rows])
        axes.set_ylim(len(chart.rows) - 0.5, -0.5)
        axes.set_xlim(min(0.0, axes.get_xlim()[0]), 1.02)
        axes.set_xlabel(one_line(chart.x_label))
        axes.grid(visible=True, axis="x", linewidth=0.8)
        figure.legend(loc="outside upper left", ncols=2, frameon=False, fontsize=9)

    return _drawn(chart, 1.1 + 0.16 * len(chart.rows) * (len(chart.series) + 1), fill)


def _drawn(chart: Chart | IntervalChart, height_in: float, fill: Callable[[MatplotlibFigure], None]) -> str:
    import matplotlib  # loading it takes a good part of a second: only who draws pays
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE), warnings.catch_warnings():
        # The browser's fonts show the words; that matplotlib's own lack a character matters to no one.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure = Figure(figsize=(WIDTH_IN, height_in), layout="constrained")
        FigureCanvasSVG(figure)
        fill(figure)
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return clean(out.getvalue(), prefix=chart.id, label=one_line(chart.label), colours=_PAGE_COLOURS)


def _draw_panel(axes: Axes, panel: Panel) -> None:
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    lines = [(_draw_series(axes, series), series.name) for series in panel.series]
    lines += [(axes.axhline(m.y, color=_INK, linewidth=0.8, linestyle=(0, (1, 2))), m.name) for m in panel.marks]
    axes.grid(visible=True, axis="y", linewidth=0.8)
    axes.set_ylabel(one_line(panel.y_label))
    axes.set_title(one_line(panel.title), loc="left", fontsize=10)
    axes.margins(x=0.01)
    if panel.percent:
        axes.set_ylim(0, 1)
        axes.yaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=0))
    else:
        axes.set_ylim(0, max(1.0, axes.get_ylim()[1]))
        axes.yaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    named = [(line, one_line(name)) for line, name in lines if name]
    if named:
        axes.legend([line for line, _ in named], [name for _, name in named], frameon=False, fontsize=9)


def _draw_series(axes: Axes, series: Series) -> Line2D:
    colour = _DRAWN[series.colour]
    width, alpha = (0.9, 0.55) if series.thin else (1.8, 1.0)
    (line,) = axes.plot(
        series.x,
        series.y,
        color=colour,
        linewidth=width,
        alpha=alpha,
        linestyle=(0, (5, 2)) if series.dashed else "-",
        drawstyle="steps-post" if series.step else "default",
        marker="o" if len(series.x) == 1 else None,
        markersize=4,
    )
    if series.low:
        axes.fill_between(
            series.x,
            series.low,
            series.high,
            color=colour,
            alpha=0.18,
            linewidth=0,
            step="post" if series.step else None,
        )
    return line
