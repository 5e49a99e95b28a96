"""Reports that show all of their conversations, as the JSON and the JUnit document that are written of them."""

from __future__ import annotations

from hairpin.reports.json_report import json_parts
from hairpin.reports.junit import junit_parts
from hairpin.reports.model import ReportModel


def json_of(report: ReportModel) -> str:
    """The report as JSON."""
    assert len(report.conversations) == report.n_conversations
    return "".join(json_parts(report, report.conversations))


def junit_of(report: ReportModel) -> str:
    """The report as a JUnit document."""
    assert len(report.conversations) == report.n_conversations
    return "".join(junit_parts(report, lambda label: (each for each in report.conversations if each.sut == label)))
