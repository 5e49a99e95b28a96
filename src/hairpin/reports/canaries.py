"""What canaries say of a run's judges, as a section with tables, and in words for the top of a page and for terminals.

It computes nothing; ``domain.canary_rates`` and ``analysis.corrected_rate`` do.
"""

from __future__ import annotations

from typing import Final

from hairpin.domain.canary_rates import CanarySummary, CorrectedRate, ErrorRate
from hairpin.domain.canary_words import MOST_WRONG, counted_line
from hairpin.domain.summary import Summary
from hairpin.reports.cells import count, counts, intervals, missing, percents, share, text, words
from hairpin.reports.glossary import Glossary
from hairpin.reports.model import ReportModel
from hairpin.reports.tables import Cell, IntervalCell, Section, Table

SECTION_ID: Final = "canaries"

_HOW: Final = (
    "Canaries are conversations whose right judgement is known. They are mixed into the run, and judges are not told."
    " A transcript that came several times counts once. They are in no other figure."
)
_CORRECTION: Final = (
    "The corrected failure rate is what the raw one would be if judges erred on conversations as they do on canaries"
    " (Rogan and Gladen), with a 95 % interval that knows how few both are (Lang and Reiczigel)."
)
_NONE: Final = "no such transcript was judged"


def with_canary_section(report: ReportModel, titles: Glossary) -> ReportModel:
    """Return ``report`` with what canaries say, and why its failure rate is not to be believed, if there were any."""
    found = report.summary.canaries
    if found is None:
        return report
    section = canary_section(report.summary, found, titles)
    return report.model_copy(update={"doubt": doubt_of(report.summary), "sections": (section, *report.sections)})


def canary_section(summary: Summary, found: CanarySummary, titles: Glossary) -> Section:
    """Return the tables of errors and of corrected failure rates."""
    parts = [_errors(found)]
    if found.by_mode:
        parts.append(_modes(found, titles))
    if found.failure_rate is not None:
        parts.append(_rates(summary, found, found.failure_rate))
    return Section(
        id=SECTION_ID,
        title="Canaries: how often the judges are wrong",
        text=(_HOW, *found.findings),
        parts=tuple(parts),
    )


def doubt_of(summary: Summary) -> str:
    """Say why the failure rate is not to be believed; ``""`` where nothing is against it."""
    found = summary.canaries
    if found is None or found.trusted is not False:
        return ""
    return (
        f"Do not trust the failure rate of this run: more than {100 * MOST_WRONG:.0f} % of its judges' verdicts on"
        f" known conversations are wrong. {' '.join(found.findings)}"
    )


def canary_pairs(found: CanarySummary) -> list[tuple[str, str]]:
    """Return the corrected failure rate and the errors, each with its name, for a terminal."""
    pairs = [] if found.failure_rate is None else [("corrected", corrected_words(found.failure_rate))]
    # What makes the rate doubtful stands at the top already.
    told = () if found.trusted is False else found.findings
    counted = counted_line(found).removeprefix("canaries ")
    return [*pairs, ("canaries", ". ".join((counted, " ".join(told))) if told else counted)]


def corrected_words(rate: CorrectedRate) -> str:
    """Say in a line what the corrected rate is, or why there is none."""
    if rate.rate is None:
        return rate.reason
    clipped = ", at the end of what is possible" if rate.clipped else ""
    interval = f"95 % interval {100 * rate.low:.1f} to {100 * rate.high:.1f} %"
    return f"{100 * rate.rate:.1f} % ({interval}{clipped})"


def _errors(found: CanarySummary) -> Table:
    kinds = (
        ("verdict", "known-good, called a failure", found.failed_good),
        ("verdict", "known-bad, passed", found.passed_bad),
        ("turn judge", "known-good, given a label", found.made_up),
        ("turn judge", "known-bad, without the right label at the right exchange", found.missed),
    )
    return Table(
        id="canary-errors",
        title="Errors on canaries",
        note="Shares of different transcripts, with their 95 % Wilson intervals.",
        columns=(words("judge", header=True), words("error"), counts("transcripts"), intervals("wrong")),
        rows=tuple(
            (text(judge), text(error), count(errors.n), _share(errors))
            for judge, error, errors in kinds
            if errors is not None
        ),
    )


def _modes(found: CanarySummary, titles: Glossary) -> Table:
    return Table(
        id="canary-modes",
        title="Errors of the turn judge by failure mode",
        note="Missed: of the known-bad transcripts of that mode. Made up: in known-good transcripts of any mode.",
        columns=(
            words("failure mode", header=True),
            counts("known-bad"),
            intervals("missed"),
            counts("known-good"),
            intervals("made up"),
        ),
        rows=tuple(
            (
                text(titles.mode(mode).title),
                count(errors.missed.n),
                _share(errors.missed),
                count(errors.made_up.n),
                _share(errors.made_up),
            )
            for mode, errors in found.by_mode.items()
        ),
    )


def _rates(summary: Summary, found: CanarySummary, total: CorrectedRate) -> Table:
    rows = [
        ("all", total),
        *((label, found.failure_rates[label]) for label in summary.suts if label in found.failure_rates),
    ]
    return Table(
        id="corrected-failure-rate",
        title="Failure rate, raw and corrected",
        note=_CORRECTION,
        columns=(
            words("assistant", header=True),
            counts("passed or failed"),
            percents("raw"),
            intervals("corrected"),
        ),
        rows=tuple((text(label), count(rate.n), share(rate.raw), _rate(rate)) for label, rate in rows),
    )


def _share(errors: ErrorRate) -> Cell:
    if errors.rate is None:
        return missing(_NONE)
    return IntervalCell(share=errors.rate, low=errors.low, high=errors.high, digits=0)


def _rate(rate: CorrectedRate) -> Cell:
    if rate.rate is None:
        return missing(rate.reason)
    return IntervalCell(share=rate.rate, low=rate.low, high=rate.high)
