"""A comparison of two runs, or of two assistants of one, as text, JSON, CSV and Markdown.

It computes nothing; the figures and tables are ``reports.comparison``'s.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from hairpin.reports.cell_text import cell_text, column_title
from hairpin.reports.comparison import ComparedRun, ComparisonReport, counts_table, results_table
from hairpin.reports.csv_tables import to_csv
from hairpin.reports.markdown import escaped, table_markdown
from hairpin.reports.tables import Align, Cell, MissingCell, Table
from hairpin.reports.text import display_width, one_line, wrap

SCHEMA_VERSION = 1
_GAP = "  "


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
        lines += ["", *table_lines(table), *wrap(table.note, width=width)]
    return "\n".join([*lines, "", *wrap(report.sentence, width=width)]) + "\n"


def _markdown(report: ComparisonReport) -> str:
    paragraphs = [f"# {escaped(report.scenario)}: {report.title}", f"**{escaped(report.sentence)}**"]
    paragraphs += [escaped(paragraph) for paragraph in _paragraphs(report)]
    tables = [table_markdown(table).rstrip("\n") for table in (counts_table(report), results_table(report))]
    return "\n\n".join([*paragraphs, *tables]) + "\n"


def _paragraphs(report: ComparisonReport) -> Iterator[str]:
    """Yield what was compared, what differs, and what a reader must not overlook."""
    yield f"A: {_run(report.first)}"
    yield f"B: {_run(report.second)}"
    own = [change.words for change in report.changes if change.of_assistant]
    yield f"Of the assistant differs: {'; '.join(own)}." if own else "Nothing is known to differ in the assistant."
    if others := [change.words for change in report.changes if not change.of_assistant]:
        yield f"Not of the assistant, and it differs all the same: {'; '.join(others)}. It may explain what was found."
    alone = (("A", report.comparison.only_first), ("B", report.comparison.only_second))
    for run, names in alone:
        if names:
            yield f"Only {run} has, and it is not compared: {'; '.join(names)}."
    if report.untested:
        one = "of one of the assistants" if report.within_one_run else "in one of the runs"
        yield f"Without a passed or failed conversation {one}: {'; '.join(report.untested)}."
    if report.too_small:
        yield f"Too few conversations for any difference to be significant: {'; '.join(report.too_small)}."


def _run(run: ComparedRun) -> str:
    suts = ", ".join(label if told == label else f"{label} ({told})" for label, told in run.suts.items())
    return f"{run.location}, begun {run.created_at}, {run.status.value}; {suts}"


def table_lines(table: Table) -> list[str]:
    """Return a table in columns of plain text under its title; words at the start of their column, numbers at its end.

    A missing value has the mark of its reason, and the reasons follow.
    """
    if not table.rows:
        return [table.title, table.empty]
    marks = table.reasons
    header = [column_title(column) for column in table.columns]
    grid = [header, *([_shown(cell, marks) for cell in row] for row in table.rows)]
    widths = [max(map(display_width, column)) for column in zip(*grid, strict=True)]
    aligns = [column.align for column in table.columns]
    reasons = [f"({mark}) {reason}" for reason, mark in marks.items()]
    return [table.title, *(_line(cells, widths, aligns) for cells in grid), *reasons]


def _shown(cell: Cell, marks: Mapping[str, str]) -> str:
    mark = f" ({marks[cell.reason]})" if isinstance(cell, MissingCell) else ""
    return one_line(cell_text(cell)) + mark


def _line(cells: Sequence[str], widths: Sequence[int], aligns: Sequence[Align]) -> str:
    padded = []
    for cell, width, align in zip(cells, widths, aligns, strict=True):
        room = " " * (width - display_width(cell))
        padded.append(cell + room if align is Align.START else room + cell)
    return _GAP.join(padded).rstrip()
