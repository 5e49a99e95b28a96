"""The whole report as JSON, for programs.

It only writes down a ``ReportModel``; the short form for pipelines is ``summary.json``.
"""

from __future__ import annotations

import json

from hairpin.reports.model import ReportModel


def render_json(report: ReportModel) -> str:
    """Return the report as JSON with the texts as they were said, to be written as UTF-8; ends with a newline."""
    return json.dumps(report.model_dump(mode="json"), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
