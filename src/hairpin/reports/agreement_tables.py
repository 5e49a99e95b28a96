"""What a study of agreement found, as tables and figures (in-car paper, Table III).

It computes nothing; figures are ``analysis.agreement``'s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hairpin.analysis.agreement.bootstrap import Estimate
from hairpin.analysis.agreement.coefficients import Statistic
from hairpin.analysis.agreement.krippendorff import Metric
from hairpin.analysis.agreement.model import (
    RHO_REFERENCE,
    AgreementRow,
    AgreementStudy,
    Coefficient,
    ItemDisagreement,
    ManyRaters,
    RatingFigures,
    RowKind,
)
from hairpin.analysis.agreement.opinions import LabelPrecision
from hairpin.reports.cells import count, counts, interval, intervals, missing, number, numbers, text, words, written
from hairpin.reports.charts import MOST_SERIES, IntervalChart, Mark, Whisker, WhiskerSeries
from hairpin.reports.plotting import draw_intervals
from hairpin.reports.tables import Cell, Figure, Table

Titles = Mapping[str, str]
ITEMS_SHOWN: Final = 10
ALL: Final = "all"
ALL_MODES: Final = "all modes"
_NAMES: Final[Mapping[Statistic, str]] = {
    Statistic.KAPPA: "κ",
    Statistic.RHO: "ρ",
    Statistic.EXACT: "exact",
    Statistic.WITHIN_ONE: "within one",
}


def title_of(dimension: str, titles: Titles) -> str:
    """Return what a dimension is called."""
    return titles.get(dimension, dimension)


def overall_table(study: AgreementStudy) -> Table:
    """Return one row per judge, then people, then the constant guess: the paper's Table III."""
    return Table(
        id="agreement",
        title="Agreement with people",
        note="In brackets 95 % intervals over conversations. κ, ρ, exact and within one: means over all pairs of a "
        "rater with a person and all dimensions. F1: of a verdict against that of most people; of people, each against "
        "most of the others. Constant guess: for each figure the constant that does best.",
        columns=(
            words("Rater", header=True),
            *(written(name) for name in _NAMES.values()),
            written("F1 fail"),
            written("F1 pass"),
        ),
        rows=tuple(_overall_row(row) for row in study.rows),
    )


def _overall_row(row: AgreementRow) -> tuple[Cell, ...]:
    return (
        text(row.name),
        *_statistics(row.overall),
        estimate_cell(row.f1_fail),
        estimate_cell(row.f1_pass),
    )


def evenness_table(study: AgreementStudy) -> Table:
    """Return how much κ and ρ vary over dimensions, and on how much every row rests."""
    return Table(
        id="agreement-evenness",
        title="Evenness over dimensions, and what the rows rest on",
        note="CV: population standard deviation over mean, of the figures of the dimensions. Pairs: of a rater with a "
        "person on a dimension, with a κ; scores: pairs of them; verdicts: beside one of most people.",
        columns=(
            words("Rater", header=True),
            numbers("CV of κ"),
            numbers("CV of ρ"),
            counts("pairs"),
            counts("scores"),
            counts("verdicts"),
        ),
        rows=tuple(
            (
                text(row.name),
                _coefficient(row.cv_kappa),
                _coefficient(row.cv_rho),
                count(row.overall.kappa.n),
                count(row.overall.n_ratings),
                count(row.n_verdicts),
            )
            for row in study.rows
        ),
    )


def dimension_table(study: AgreementStudy, titles: Titles) -> Table:
    """Return every row's figures on every dimension."""
    return Table(
        id="agreement-by-dimension",
        title="Agreement by dimension",
        note="Pairs: of raters, with a κ; ratings: pairs of scores.",
        columns=(
            words("Dimension", header=True),
            words("Rater", header=True),
            *(written(name) for name in _NAMES.values()),
            counts("pairs"),
            counts("ratings"),
        ),
        rows=tuple(
            (
                text(title_of(figures.dimension or ALL, titles)),
                text(row.name),
                *_statistics(figures),
                count(figures.kappa.n),
                count(figures.n_ratings),
            )
            for number_of, _ in enumerate(study.dimensions)
            for row in study.rows
            for figures in [row.dimensions[number_of]]
        ),
    )


def interval_figure(study: AgreementStudy, statistic: Statistic, titles: Titles) -> Figure | None:
    """Return a drawing of κ or ρ by dimension with intervals; ``None`` where there is nothing to draw."""
    rows = [row for row in study.rows if row.kind is not RowKind.CONSTANT][-MOST_SERIES:]
    series = tuple(
        WhiskerSeries(name=row.name, colour=colour, whiskers=whiskers)
        for colour, row in enumerate(rows)
        if (whiskers := _whiskers(row, statistic))
    )
    if not series:
        return None
    name, chart_id = _NAMES[statistic], f"agreement-{statistic.value}"
    label = f"{name} by dimension, with 95 % intervals"
    mark = Mark(name=f"{name} = {RHO_REFERENCE:.2f}", y=RHO_REFERENCE) if statistic is Statistic.RHO else None
    rows_named = tuple(title_of(dimension, titles) for dimension in study.dimensions)
    chart = IntervalChart(id=chart_id, label=label, x_label=name, rows=rows_named, series=series, mark=mark)
    data = Table(
        id=f"{chart_id}-drawn",
        title=label,
        columns=(words("Dimension", header=True), *(written(row.name) for row in rows)),
        rows=tuple(
            (text(title), *(estimate_cell(row.dimensions[d].of(statistic)) for row in rows))
            for d, title in enumerate(rows_named)
        ),
        folded=True,
    )
    return Figure(id=chart_id, title=label, svg=draw_intervals(chart), data=data)


def _whiskers(row: AgreementRow, statistic: Statistic) -> tuple[Whisker, ...]:
    found = [(d, figures.of(statistic)) for d, figures in enumerate(row.dimensions)]
    return tuple(
        Whisker(row=d, value=each.value, low=each.low, high=each.high) for d, each in found if each.value is not None
    )


def people_table(study: AgreementStudy, titles: Titles) -> Table:
    """Return how far all people agree at once, on each dimension and in the mean."""
    return Table(
        id="agreement-of-people",
        title="People among themselves, all at once",
        note="Light: the mean κ of all pairs, with the weights of κ and with none; Fleiss: levels as categories, over "
        "the n conversations with the most usual number of ratings.",
        columns=(
            words("Dimension", header=True),
            written("Light's κ"),
            written("Light's κ, unweighted"),
            written("Fleiss' κ"),
            counts("n"),
        ),
        rows=tuple(
            (
                _dimension_or_mean(each, titles),
                estimate_cell(each.light),
                estimate_cell(each.light_unweighted),
                estimate_cell(each.fleiss),
                count(each.n_fleiss),
            )
            for each in study.many
        ),
    )


def alphas_table(study: AgreementStudy, titles: Titles) -> Table:
    """Return Krippendorff's α of all people at once, by what the distance of two scores rests on."""
    return Table(
        id="agreement-alphas",
        title="Krippendorff's α of people",
        note="Over every conversation with two ratings or more. Scores of 0, 1 and 2 are ordinal.",
        columns=(words("Dimension", header=True), *(written(metric.value) for metric in Metric)),
        rows=tuple(
            (_dimension_or_mean(each, titles), *(estimate_cell(each.alphas[metric]) for metric in Metric))
            for each in study.many
        ),
    )


def _dimension_or_mean(found: ManyRaters, titles: Titles) -> Cell:
    return text("mean" if found.dimension is None else title_of(found.dimension, titles))


def raters_table(study: AgreementStudy) -> Table:
    """Return each person among the others, who agrees least first."""
    return Table(
        id="agreement-raters",
        title="Which raters drive disagreement",
        note="κ: the mean with the other people; without: what the others' is without this rater.",
        columns=(
            words("Rater", header=True),
            counts("scores"),
            counts("not given"),
            numbers("κ with others"),
            numbers("without"),
            numbers("change"),
        ),
        rows=tuple(
            (
                text(each.name),
                count(each.n_ratings),
                count(each.n_missing),
                _coefficient(each.kappa),
                _coefficient(each.without),
                _coefficient(each.change),
            )
            for each in study.raters
        ),
    )


def items_table(study: AgreementStudy, titles: Titles) -> Table:
    """Return the conversations on which people disagree most."""
    shown = study.items[:ITEMS_SHOWN]
    more = f" The first {len(shown)} of {len(study.items)}." if len(study.items) > len(shown) else ""
    return Table(
        id="agreement-items",
        title="Which conversations drive disagreement",
        note=f"Disagreement: the mean over pairs of people and dimensions, from 0 to 1, by the weights of κ.{more}",
        columns=(
            words("Conversation", header=True),
            numbers("disagreement"),
            words("most on"),
            counts("say fail"),
            counts("say pass"),
        ),
        rows=tuple(_item_row(each, titles) for each in shown),
    )


def _item_row(item: ItemDisagreement, titles: Titles) -> tuple[Cell, ...]:
    worst = "–" if item.worst_dimension is None else title_of(item.worst_dimension, titles)
    found = _coefficient(item.disagreement)
    return text(item.conversation), found, text(worst), count(item.fail), count(item.passed)


def departures_table(study: AgreementStudy) -> Table:
    """Return the conversations where a judge's verdict is not that of most people."""
    return Table(
        id="agreement-departures",
        title="Where a judge's verdict is not that of most people",
        columns=(
            words("Judge", header=True),
            words("Conversation", header=True),
            words("its verdict"),
            counts("people: fail"),
            counts("people: pass"),
        ),
        rows=tuple(
            (text(each.judge), text(each.conversation), text(each.verdict), count(each.fail), count(each.passed))
            for each in study.departures
        ),
        empty="Nowhere.",
    )


def labels_table(labels: Sequence[LabelPrecision], modes: Titles) -> Table:
    """Return how many of the failures that judges labelled people call genuine (MORTAR, Table VIII)."""
    return Table(
        id="agreement-labels",
        title="Labelled failures that people call genuine",
        note="Of those with a majority of people; ties and those nobody labelled are left out. Missed: seen by most "
        "people, not by the judge; people who look at labels only see few of them. α: of people among themselves.",
        columns=(
            words("Judge", header=True),
            words("Failure mode", header=True),
            intervals("genuine"),
            counts("of"),
            counts("ties"),
            counts("unlabelled"),
            counts("missed"),
            numbers("α"),
        ),
        rows=tuple(
            (
                text(each.judge),
                text(ALL_MODES if each.mode is None else title_of(each.mode, modes)),
                interval(each.genuine),
                count(each.genuine.n),
                count(each.ties),
                count(each.unlabelled),
                count(each.missed),
                _coefficient(each.alpha),
            )
            for each in labels
        ),
    )


def estimate_cell(found: Estimate, *, digits: int = 2) -> Cell:
    """Return a figure with its interval in brackets; one that is undefined has its reason."""
    if found.value is None:
        return missing(found.reason)
    value = signed(found.value, digits)
    if found.low is None or found.high is None:
        return text(value)
    return text(f"{value} [{signed(found.low, digits)}, {signed(found.high, digits)}]")


def signed(value: float, digits: int = 2) -> str:
    """Return a figure with a minus sign, not a hyphen, where it is below 0."""
    return f"{value:.{digits}f}".replace("-", "−")


def _statistics(figures: RatingFigures) -> tuple[Cell, ...]:
    return tuple(estimate_cell(figures.of(each)) for each in Statistic)


def _coefficient(found: Coefficient) -> Cell:
    return number(found.value, found.reason)
