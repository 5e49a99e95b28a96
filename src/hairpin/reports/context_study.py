"""The study of the context check as tables and figures (MORTAR, Fig. 6 and Table XII).

It computes nothing; figures are ``analysis.context_study``'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from hairpin.analysis.binary import ClassScores
from hairpin.analysis.calibration import ThresholdScore
from hairpin.analysis.context_study import ContextStudy, MethodStudy, Reading, SweepLine
from hairpin.domain.relations import ContextMethod, ContextReason
from hairpin.reports.calibration import agreement_cells, score_columns, score_row, threshold_line
from hairpin.reports.cells import (
    count,
    counts,
    interval,
    intervals,
    missing,
    number,
    numbers,
    percents,
    share,
    spread,
    spreads,
    text,
    words,
)
from hairpin.reports.charts import Chart, Mark, Panel, Series
from hairpin.reports.plotting import draw
from hairpin.reports.tables import Cell, Figure, Section, Table

METHOD_WORDS: Final[Mapping[ContextMethod, str]] = {
    ContextMethod.EC: "EC (rewrites and answers)",
    ContextMethod.LLM_JUDGE: "LLM as a judge",
}
READING_WORDS: Final[Mapping[Reading, str]] = {
    Reading.QUESTIONS: "questions only",
    Reading.ANSWERS: "answers only",
    Reading.BOTH: "questions and answers",
}
_REASON_WORDS: Final[Mapping[ContextReason, str]] = {
    ContextReason.NEEDS_REPLY: "the question needs the assistant's reply",
    ContextReason.NO_ANSWER: "a reference answer is blank",
    ContextReason.ROLE_FAILED: "an agent gave no usable answer",
    ContextReason.EQUAL_ANSWERS: "another fact with an equal answer",
}


def context_study_sections(study: ContextStudy) -> tuple[Section, ...]:
    """Return how context checks agree with labels, with which threshold, and with themselves."""
    return (_agreement(study), _threshold(study), _repeats(study.methods))


def _agreement(study: ContextStudy) -> Section:
    return Section(
        id="context-check",
        title="Context checks beside labels",
        text=(
            "First attempts only; what decided nothing is counted apart. Accuracy is what is called micro-F1 or "
            "F1 score elsewhere. Where most contexts are equivalent it praises whoever always says so: balanced "
            "accuracy and MCC do not.",
        ),
        parts=(_overall(study), _classes(study.methods), _undecided(study.methods)),
    )


def _overall(study: ContextStudy) -> Table:
    return Table(
        id="context-check",
        title=f"Agreement with labels (ε_EC = {study.epsilon_ec:g})",
        note="Majority: the accuracy of always saying the more frequent label.",
        columns=(
            words("Check", header=True),
            counts("Decided"),
            intervals("Accuracy (micro-F1)"),
            percents("Majority"),
            percents("Balanced accuracy"),
            numbers("MCC"),
            counts("Calls"),
        ),
        rows=tuple(_overall_row(each) for each in study.methods),
    )


def _overall_row(each: MethodStudy) -> tuple[Cell, ...]:
    scores = each.scores
    return (
        text(METHOD_WORDS[each.method]),
        count(scores.confusion.n),
        interval(scores.accuracy),
        share(scores.majority, scores.accuracy.reason),
        share(scores.balanced_accuracy, scores.balanced_reason),
        number(scores.mcc, scores.mcc_reason),
        count(each.n_calls),
    )


def _classes(methods: Sequence[MethodStudy]) -> Table:
    return Table(
        id="context-classes",
        title="Equivalent and inequivalent contexts",
        note="With 95 % Wilson intervals.",
        columns=(
            words("Check", header=True),
            words("Class", header=True),
            counts("Labelled so"),
            counts("Found so"),
            intervals("Precision"),
            intervals("Recall"),
            percents("F1"),
        ),
        rows=tuple(row for each in methods for row in _class_rows(each)),
    )


def _class_rows(each: MethodStudy) -> Iterable[tuple[Cell, ...]]:
    confusion = each.scores.confusion
    classes: tuple[tuple[str, ClassScores], ...] = (
        ("equivalent", each.scores.positive),
        ("inequivalent", each.scores.negative),
    )
    for (name, scores), labelled, found in zip(classes, confusion.labels, confusion.decisions, strict=True):
        yield (
            text(METHOD_WORDS[each.method]),
            text(name),
            count(labelled),
            count(found),
            interval(scores.precision),
            interval(scores.recall),
            share(scores.f1, "neither labelled nor found"),
        )


def _undecided(methods: Sequence[MethodStudy]) -> Table:
    return Table(
        id="context-undecided",
        title="Checks that decided nothing",
        note="Over all repeats.",
        columns=(words("Check", header=True), words("Reason"), counts("Checks"), counts("Of")),
        rows=tuple(
            (
                text(METHOD_WORDS[each.method]),
                text(_REASON_WORDS.get(reason, reason.value)),
                count(n),
                count(each.n_findings),
            )
            for each in methods
            for reason, n in each.not_applicable.items()
        ),
        empty="Every check decided.",
    )


def _threshold(study: ContextStudy) -> Section:
    left_out = f"; {study.n_left_out} that lack one or decided nothing are left out" if study.n_left_out else ""
    lines = [line for line in study.sweep if line.calibration is not None]
    return Section(
        id="context-threshold",
        title="What each similarity contributes, by threshold",
        text=(f"Over {study.n_swept} first checks of EC with the similarities that are compared{left_out}.",),
        parts=(_best(study), *([_sweep(lines, study)] if lines else [])),
    )


def _best(study: ContextStudy) -> Table:
    return Table(
        id="context-best-threshold",
        title="Best thresholds",
        note="By balanced accuracy; of equally good thresholds the nearest to the one in use.",
        columns=(
            words("Similarity of", header=True),
            numbers("ε_EC in use"),
            percents("Accuracy"),
            percents("Balanced accuracy"),
            numbers("Best ε_EC"),
            percents("Accuracy there"),
            percents("Balanced accuracy there"),
        ),
        rows=tuple(_best_row(line) for line in study.sweep),
    )


def _best_row(line: SweepLine) -> tuple[Cell, ...]:
    name, found = text(READING_WORDS[line.reading]), line.calibration
    if found is None:
        return (name, *[missing(line.reason)] * 6)
    in_use = (number(found.default.threshold), *agreement_cells(found.default.confusion))
    if found.best is None:
        return (name, *in_use, *[missing(found.reason)] * 3)
    return (name, *in_use, number(found.best.threshold), *agreement_cells(found.best.confusion))


def _sweep(lines: Sequence[SweepLine], study: ContextStudy) -> Figure:
    found = [(READING_WORDS[line.reading], line.calibration.scores) for line in lines if line.calibration is not None]
    title = "Agreement with labels by threshold"
    majority = next((each.scores.majority for each in study.methods if each.method is ContextMethod.EC), None)
    marks = (Mark(name="always the more frequent label", y=majority),) if majority is not None else ()
    panels = (
        Panel(y_label="accuracy", percent=True, series=_lines(found, accuracy=True), marks=marks),
        Panel(y_label="balanced accuracy", percent=True, series=_lines(found, accuracy=False)),
    )
    return Figure(
        id="context-by-threshold",
        title=title,
        note="Contexts are equivalent where the similarity reaches the threshold.",
        svg=draw(Chart(id="context-by-threshold", label=title, x_label="ε_EC", panels=panels)),
        data=Table(
            id="context-by-threshold",
            title=title,
            columns=(words("Similarity of"), *score_columns("ε_EC")),
            rows=tuple((text(name), *score_row(score)) for name, scores in found for score in scores),
            folded=True,
        ),
    )


def _lines(found: Sequence[tuple[str, Sequence[ThresholdScore]]], *, accuracy: bool) -> tuple[Series, ...]:
    return tuple(
        threshold_line(
            name,
            [
                (score.threshold, score.confusion.accuracy if accuracy else score.confusion.balanced_accuracy)
                for score in scores
            ],
            colour,
        )
        for colour, (name, scores) in enumerate(found)
    )


def _repeats(methods: Sequence[MethodStudy]) -> Section:
    return Section(
        id="context-repeats",
        title="The same check again",
        text=("Over the checks that decided each time. κ is Fleiss', the repeats taken for raters.",),
        parts=(
            Table(
                id="context-repeats",
                title="Agreement of repeats",
                columns=(
                    words("Check", header=True),
                    counts("Repeats"),
                    counts("Items"),
                    counts("Incomplete"),
                    percents("Equal to the first"),
                    counts("Never changed"),
                    numbers("κ"),
                    spreads("Accuracy"),
                ),
                rows=tuple(_repeats_row(each) for each in methods),
            ),
        ),
    )


def _repeats_row(each: MethodStudy) -> tuple[Cell, ...]:
    found = each.repeats
    return (
        text(METHOD_WORDS[each.method]),
        count(found.n_repeats),
        count(found.n_items),
        count(found.n_incomplete),
        share(found.equal_share, "nothing was repeated"),
        count(found.n_steady),
        number(found.kappa.value, found.kappa.reason),
        spread(found.accuracy, digits=3),
    )
