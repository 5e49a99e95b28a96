"""A comparison of two runs, or of two assistants of one, as text, JSON, CSV and Markdown.

It computes nothing; the figures and tables are ``reports.comparison``'s.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import StrEnum

from hairpin.reports.comparison import ComparedRun, ComparisonReport, counts_table, results_table
from hairpin.reports.csv_tables import to_csv
from hairpin.reports.judge_differences import difference_lines
from hairpin.reports.markdown import escaped, section_lines, table_markdown
from hairpin.reports.table_text import table_lines
from hairpin.reports.text import wrap

SCHEMA_VERSION = 1


class ComparisonFormat(StrEnum):
    """How a comparison is written."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    MD = "md"


def render_comparison(report: ComparisonReport, form: ComparisonFormat, *, width: int) -> str:
    """Return ``report`` in a format, ending with a newline; ``width``: columns of paragraphs in plain text."""
    match form:
        case ComparisonFormat.TEXT:
            return _text(report, width)
        case ComparisonFormat.JSON:
            return _json(report)
        case ComparisonFormat.CSV:
            return to_csv(results_table(report))
    return _markdown(report)


def _json(report: ComparisonReport) -> str:
    """Return all there is, ASCII with escapes as ``summary.json`` is."""
    told = {
        "schema_version": SCHEMA_VERSION,
        "sentence": report.sentence,
        **report.model_dump(mode="json"),
        "regressions": [test.model_dump(mode="json") for test in report.regressions],
        "improvements": [test.model_dump(mode="json") for test in report.improvements],
        "untested": list(report.untested),
        "too_small": list(report.too_small),
    }
    return json.dumps(told, indent=2, allow_nan=False) + "\n"


def _text(report: ComparisonReport, width: int) -> str:
    lines = [line for paragraph in _paragraphs(report) for line in wrap(paragraph, width=width, rest="  ")]
    for table in (counts_table(report), results_table(report)):
        lines += ["", *table_lines(table, width=width), *wrap(table.note, width=width)]
    judged = () if report.judged is None else difference_lines(report.judged, width=width)
    return "\n".join([*lines, "", *wrap(report.sentence, width=width), *judged]) + "\n"


def _markdown(report: ComparisonReport) -> str:
    paragraphs = [f"# {escaped(report.scenario)}: {report.title}", f"**{escaped(report.sentence)}**"]
    paragraphs += [escaped(paragraph) for paragraph in _paragraphs(report)]
    tables = [table_markdown(table).rstrip("\n") for table in (counts_table(report), results_table(report))]
    judged = [] if report.judged is None else ["\n".join(section_lines(report.judged)).rstrip("\n")]
    return "\n\n".join([*paragraphs, *tables, *judged]) + "\n"


def _paragraphs(report: ComparisonReport) -> Iterator[str]:
    """Yield what was compared, what differs, and what a reader must not overlook."""
    yield f"A: {_run(report.first)}"
    yield f"B: {_run(report.second)}"
    yield from _changes(report)
    alone = (("A", report.comparison.only_first), ("B", report.comparison.only_second))
    for run, names in alone:
        if names:
            yield f"Only {run} has, and it is not compared: {'; '.join(names)}."
    if report.untested:
        one = "of one of the assistants" if report.within_one_run else "in one of the runs"
        yield f"Without a passed or failed conversation {one}: {'; '.join(report.untested)}."
    if report.too_small:
        yield f"Too few conversations for any difference to be significant: {'; '.join(report.too_small)}."


def _changes(report: ComparisonReport) -> Iterator[str]:
    """Yield what differs: in the assistant, and in how it was tested; over the same transcripts, in who judges."""
    own = [change.words for change in report.changes if change.of_assistant]
    others = "; ".join(change.words for change in report.changes if not change.of_assistant)
    if report.judged is not None:
        yield "Both judge the same transcripts, so that only what judges say can differ."
        yield f"The judging differs in: {others}." if others else "Nothing is known to differ in the judging."
        return
    yield f"The assistant differs in: {'; '.join(own)}." if own else "Nothing is known to differ in the assistant."
    if others:
        yield f"The testing differs, too, in: {others}. That may explain what was found."


def _run(run: ComparedRun) -> str:
    suts = ", ".join(label if told == label else f"{label} ({told})" for label, told in run.suts.items())
    return f"{run.location}, begun {run.created_at}, {run.status.value}; {suts}"
