from __future__ import annotations

import csv
import io
from collections.abc import Iterable

import pytest

from hairpin.reports.files import ReportFormat, report_files
from hairpin.reports.html import render_html
from hairpin.reports.model import ConversationReport, ReportModel
from hairpin.reports.tables import Figure
from tests.reports.sample_campaign import some_sections
from tests.reports.sample_run import a_report
from tests.reports.whole_reports import json_of, junit_of

REPORT = a_report()


def conversations(sut: str | None) -> Iterable[ConversationReport]:
    return (conversation for conversation in REPORT.conversations if sut in (None, conversation.sut))


def files(report: ReportModel, wanted: ReportFormat) -> dict[str, str]:
    return {file.path: "".join(file.parts) for file in report_files(report, wanted, conversations)}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (ReportFormat.HTML, {"report.html": render_html(REPORT)}),
        (ReportFormat.JSON, {"report.json": json_of(REPORT)}),
        (ReportFormat.JUNIT, {"junit.xml": junit_of(REPORT)}),
    ],
)
def test_a_format_is_one_file(wanted: ReportFormat, expected: dict[str, str]) -> None:
    assert files(REPORT, wanted) == expected


def test_any_run_has_tables() -> None:
    assert set(files(REPORT, ReportFormat.CSV)) == {
        f"tables/{name}.csv" for name in ("assistants", "failures-by-mode", "stop-reasons")
    }
    assert set(files(REPORT, ReportFormat.MARKDOWN)) == {"report.md"}


def test_a_campaign_has_a_file_for_each_table_and_the_numbers_of_each_figure() -> None:
    report = REPORT.model_copy(update={"sections": some_sections()})
    tables = files(report, ReportFormat.CSV)
    assert {"tables/outcomes.csv", "tables/arms-compared.csv", "tables/failures-over-time.csv"} <= set(tables)
    for text in tables.values():
        header, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
        assert {len(row) for row in rows} <= {len(header)}


def test_every_image_of_the_markdown_is_beside_it() -> None:
    report = REPORT.model_copy(update={"sections": some_sections()})
    written = files(report, ReportFormat.MARKDOWN)
    drawn = [part.id for section in some_sections() for part in section.parts if isinstance(part, Figure)]
    assert set(written) == {"report.md", *(f"figures/{name}.svg" for name in drawn)}
    for name in drawn:
        assert f"(figures/{name}.svg)" in written["report.md"]
