"""A study of agreement as a page, plain text and JSON: what was compared, the tables, and what they cannot tell.

It computes nothing; tables are ``reports.agreement_tables``'s.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from pydantic import Field

from hairpin.analysis.agreement.coefficients import Statistic
from hairpin.analysis.agreement.model import F1_REFERENCE, RHO_REFERENCE, AgreementStudy, RowKind
from hairpin.analysis.agreement.opinions import LabelPrecision
from hairpin.analysis.agreement.scale import Levels, Weighting
from hairpin.domain.base import Value
from hairpin.reports.agreement_tables import (
    alphas_table,
    departures_table,
    dimension_table,
    evenness_table,
    interval_figure,
    items_table,
    labels_table,
    overall_table,
    people_table,
    raters_table,
    signed,
    title_of,
)
from hairpin.reports.cells import text, words
from hairpin.reports.pages import Page
from hairpin.reports.tables import Figure, Section, Table

SCHEMA_VERSION = 1
FEW: Final = 20
"""With fewer conversations than that the report says that intervals are too short."""
_WITHOUT: Final = "Left out"
_STATED: Final = "Stated verdicts"


class AgreementReport(Value):
    """What was compared and what came of it.

    Attributes:
        runs: their folders; ``judges``: what plays the judges of each.
        files: of annotations; ``n_annotations``: in them and in the runs, a rater and conversation counted once.
        n_unrated: conversations of the runs that no person rated.
        study: ``None`` where nobody rated a whole conversation.
        labels: how many labelled failures are genuine.
        titles: of dimensions; ``modes``: of failure modes.
        choices: which of several runs were taken.
    """

    runs: tuple[str, ...]
    judges: tuple[str, ...]
    files: tuple[str, ...]
    n_annotations: int = Field(ge=0)
    n_unrated: int = Field(ge=0)
    study: AgreementStudy | None
    labels: tuple[LabelPrecision, ...] = ()
    titles: Mapping[str, str] = Field(default_factory=dict)
    modes: Mapping[str, str] = Field(default_factory=dict)
    choices: tuple[str, ...] = ()


def agreement_json(report: AgreementReport) -> str:
    """Return all there is, ASCII with escapes as ``summary.json`` is."""
    told = {"schema_version": SCHEMA_VERSION, **report.model_dump(mode="json")}
    return json.dumps(told, indent=2, allow_nan=False) + "\n"


def agreement_page(report: AgreementReport) -> Page:
    """Return the report as a page with figures: what was found, the tables, and then what was compared and how."""
    return Page(title="Agreement", text=tuple(_paragraphs(report)), sections=tuple(_sections(report)))


def _paragraphs(report: AgreementReport) -> Iterator[str]:
    """Yield how much there is, what it comes to, and what a reader must not overlook."""
    study = report.study
    if study is None:
        yield "Nobody rated a whole conversation: there are labels of single failures alone."
        return
    yield (
        f"{_counted(len(study.people), 'person', 'people')}, {_counted(len(study.conversations), 'conversation')}, "
        f"{_counted(len(study.dimensions), 'dimension')}: {study.n_ratings:,} of {study.n_possible:,} possible scores."
    )
    yield from _finding(study)
    if len(study.conversations) < FEW:
        yield f"Intervals by resampling come out too short with so few conversations ({len(study.conversations)})."


def _compared(report: AgreementReport) -> Iterator[tuple[str, str]]:
    """Yield what was compared, how, and what was left out, each with its name."""
    for judge, run in zip(report.judges, report.runs, strict=True):
        yield "Judge", f"{judge}, run {_place(run)}"
    if report.files:
        yield "Annotations", ", ".join(map(_place, report.files))
    if report.study is None:
        return
    yield from _scale_words(report.study)
    yield from _verdict_words(report.study, report.titles)
    if report.n_unrated:
        yield _WITHOUT, f"{_counted(report.n_unrated, 'conversation')} of the runs that nobody rated"
    yield from _left_out(report.study)
    yield from _undefined(report.study)


def _place(path: str) -> str:
    """Return a path as the user wrote it, but of an absolute one the last part alone: pages are passed on."""
    return Path(path).name if Path(path).is_absolute() else path


def _scale_words(study: AgreementStudy) -> Iterator[tuple[str, str]]:
    settings = study.settings
    weights = {
        Weighting.NONE: "without weights: every disagreement counts the same",
        Weighting.LINEAR: "linear weights",
        Weighting.QUADRATIC: "quadratic weights",
    }[settings.weighting]
    ranks = {
        Levels.DECLARED: f"on the declared scale {settings.scale.words}",
        Levels.SEEN: "on the levels that the two raters of each pair gave, ranked from 1",
    }[settings.levels]
    yield "κ", f"{weights}, {ranks}"
    resamples = f"{settings.n_resamples:,} resamples of conversations, {settings.interval.value}"
    yield "Intervals", f"{resamples}, random seed {settings.rng_seed}"


def _verdict_words(study: AgreementStudy, titles: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    rule, found = study.settings.rule, study.verdicts
    named = [f"{title_of(name, titles)} {weight:g}" for name, weight in rule.weights.dimensions.items()]
    t = (
        f"completion {rule.weights.targets:g} in the {found.with_targets} whose completion people rated"
        if found.with_targets
        else "completion left out, as no person rated it"
    )
    yield (
        "Verdict",
        f"fail where C < {rule.threshold:g}, by the same weights for people and judges ({rule.source}): "
        f"{', '.join(named)}, {t}",
    )
    yield "Most people", f"say fail of {found.fails} of {found.majorities} conversations"


def _left_out(study: AgreementStudy) -> Iterator[tuple[str, str]]:
    found = study.verdicts
    lack = "scores or completion lack for C"
    ignored = "stated otherwise than the same person's scores say: the scores count"
    parts = [
        (found.ties, _WITHOUT, "{} of which as many people say pass as fail: no majority, in no F1", "conversation"),
        (found.silent, _WITHOUT, "{} of which no person has a verdict: in no F1", "conversation"),
        (found.missing, _WITHOUT, f"{{}} of people without a verdict: {lack}", "rating"),
        (found.judges_missing, _WITHOUT, "{} without C: a dimension was not scored", "judgement"),
        (found.stated, _STATED, f"{{}} of people taken as stated, since {lack}", "verdict"),
        (found.overruled, _STATED, f"{{}} of people {ignored}", "verdict"),
    ]
    for number, name, said, what in parts:
        if number:
            yield name, said.format(_counted(number, what))


def _undefined(study: AgreementStudy) -> Iterator[tuple[str, str]]:
    if study.alone:
        yield _WITHOUT, f"rated nothing that another person rated: {', '.join(study.alone)}"
    for row in study.rows:
        if row.kind is not RowKind.CONSTANT and row.overall.kappa.n_undefined and row.overall.kappa.value is not None:
            n_all = row.overall.kappa.n + row.overall.kappa.n_undefined
            yield _WITHOUT, f"{row.name}: {row.overall.kappa.n_undefined} of {n_all} κ undefined, not in the mean"


def _finding(study: AgreementStudy) -> Iterator[str]:
    """Yield what the figures of each judge come to beside people and the reference lines."""
    people = study.row(RowKind.PEOPLE)
    for row in study.rows:
        if row.kind is RowKind.JUDGE:
            said = [
                _beside("κ", row.overall.kappa.value, people.overall.kappa.value, "people's"),
                _beside("ρ", row.overall.rho.value, RHO_REFERENCE, "G-Eval's"),
                _beside("F1 of fail", row.f1_fail.value, F1_REFERENCE, "STELLAR's"),
            ]
            yield f"{row.name}: {'; '.join(said)}."


def _beside(name: str, value: float | None, line: float | None, whose: str) -> str:
    if value is None:
        return f"{name} undefined"
    if line is None:
        return f"{name} {signed(value)}, and {whose} undefined"
    return f"{name} {signed(value)}, {'at or above' if value >= line else 'below'} {whose} {signed(line)}"


def _sections(report: AgreementReport) -> Iterator[Section]:
    study = report.study
    if study is not None:
        drawn = [interval_figure(study, each, report.titles) for each in (Statistic.KAPPA, Statistic.RHO)]
        yield Section(
            id="agreement-rows",
            title="Judges and people" if study.judges else "People",
            parts=(
                overall_table(study),
                evenness_table(study),
                dimension_table(study, report.titles),
                *(figure for figure in drawn if figure is not None),
            ),
        )
        at_once = (people_table(study, report.titles), alphas_table(study, report.titles))
        yield Section(id="agreement-people", title="How far people agree", parts=at_once)
        yield Section(id="agreement-drivers", title="What drives disagreement", parts=tuple(_drivers(study, report)))
    if report.labels:
        table = labels_table(report.labels, report.modes)
        yield Section(id="agreement-precision", title="Labelled failures", parts=(table,))
    yield Section(id="agreement-how", title="What was compared, and how", parts=(_how(report),))


def _how(report: AgreementReport) -> Table:
    return Table(
        id="agreement-compared",
        title="Judges, annotations and settings",
        columns=(words("What", header=True), words("How it is here")),
        rows=tuple((text(name), text(said)) for name, said in _compared(report)),
        empty="Nothing was compared.",
    )


def _drivers(study: AgreementStudy, report: AgreementReport) -> Iterator[Table | Figure]:
    if len(study.people) > 1:
        yield raters_table(study)
        yield items_table(study, report.titles)
    if study.judges:
        yield departures_table(study)


def _counted(number: int, what: str, several: str = "") -> str:
    return f"{number:,} {what if number == 1 else several or what + 's'}"
