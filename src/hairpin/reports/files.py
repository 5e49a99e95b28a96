"""The files of a report, by format: their names and their text in parts.

It writes none of them; whoever asks decides where they go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from hairpin.reports.csv_tables import to_csv
from hairpin.reports.html import render_html
from hairpin.reports.json_report import json_parts
from hairpin.reports.junit import junit_parts
from hairpin.reports.markdown import FIGURES_FOLDER, render_markdown
from hairpin.reports.model import ConversationReport, ReportModel
from hairpin.reports.relation_rows import Families, context_checks_csv, relation_checks_csv
from hairpin.reports.run_tables import run_section
from hairpin.reports.svg import standalone
from hairpin.reports.tables import Figure, all_tables

TABLES_FOLDER = "tables"


class ReportFormat(StrEnum):
    """What a report can be written as."""

    HTML = "html"
    JSON = "json"
    CSV = "csv"
    JUNIT = "junit"
    MARKDOWN = "md"

    @property
    def has_figures(self) -> bool:
        """Whether the tables and figures of a campaign are in it."""
        return self in (ReportFormat.HTML, ReportFormat.CSV, ReportFormat.MARKDOWN)


Conversations: TypeAlias = Callable[[str | None], Iterable[ConversationReport]]
"""Gives all conversations in plan order, or those of one assistant by its label; may be a stream."""


@dataclass(frozen=True, slots=True)
class ReportFile:
    """One file: its path under the folder of the report, with ``/``, and its text in parts, to be written as UTF-8."""

    path: str
    parts: Iterable[str]


def report_files(
    report: ReportModel, wanted: ReportFormat, conversations: Conversations, families: Families = tuple
) -> Iterator[ReportFile]:
    """Yield the files of one format; JSON and JUnit hold all of ``conversations``, whatever the page shows.

    JSON and CSV hold every check of ``families``, those of the run's replays, JUnit a test case for each test seed.

    ``html``: ``report.html``. ``json``: ``report.json``. ``junit``: ``junit.xml``. ``csv``: ``tables/<id>.csv``, one
    for each table and for the numbers of each figure, and ``relation-checks`` and ``context-checks`` of replays.
    ``md``: ``report.md`` with ``figures/<id>.svg`` beside it.
    """
    match wanted:
        case ReportFormat.HTML:
            yield ReportFile("report.html", (render_html(report),))
        case ReportFormat.JSON:
            yield ReportFile("report.json", json_parts(report, conversations(None), families()))
        case ReportFormat.JUNIT:
            yield ReportFile("junit.xml", junit_parts(report, conversations, families))
        case ReportFormat.CSV:
            for table in all_tables((run_section(report), *report.sections)):
                yield ReportFile(f"{TABLES_FOLDER}/{table.id}.csv", (to_csv(table),))
            if report.summary.metamorphic.sources:
                yield ReportFile(f"{TABLES_FOLDER}/relation-checks.csv", relation_checks_csv(families()))
                yield ReportFile(f"{TABLES_FOLDER}/context-checks.csv", context_checks_csv(families()))
        case ReportFormat.MARKDOWN:
            yield from _markdown_files(report)


def _markdown_files(report: ReportModel) -> Iterator[ReportFile]:
    whole = report.model_copy(update={"sections": (run_section(report), *report.sections)})
    yield ReportFile("report.md", (render_markdown(whole),))
    for section in report.sections:
        for part in section.parts:
            if isinstance(part, Figure):
                yield ReportFile(f"{FIGURES_FOLDER}/{part.id}.svg", (standalone(part.svg),))
