"""Plain text for the conformance of an assistant: one row per check, and a line that sums it up.

It returns text and judges nothing. Every mark is ASCII, so a console without UTF-8 loses no meaning.
"""

from __future__ import annotations

from typing import Final

from hairpin.reports.terminal import DEFAULT_WIDTH
from hairpin.reports.text import wrap
from hairpin.sut.conformance.report import CheckStatus, ConformanceReport, Finding

_MARKS: Final = {
    CheckStatus.OK: "ok",
    CheckStatus.FAILED: "FAILED",
    CheckStatus.SKIPPED: "skipped",
    CheckStatus.NOTE: "note",
}
_ID_COLUMNS: Final = 17
_MARK_COLUMNS: Final = 9


def finding_row(finding: Finding, *, width: int = DEFAULT_WIDTH) -> str:
    """Return a check as a row: its id, how it came out, and what was seen, with its title for what failed."""
    first = f"{finding.id:<{_ID_COLUMNS}}{_MARKS[finding.status]:<{_MARK_COLUMNS}}"
    shown = f"{finding.title}: " if finding.status is CheckStatus.FAILED else ""
    return "\n".join(
        line.rstrip()
        for line in wrap(f"{shown}{finding.detail}", width=width, first=first, rest=" " * (_ID_COLUMNS + _MARK_COLUMNS))
    )


def conformance_summary(report: ConformanceReport) -> str:
    """Return one line: how many checks came out how, and what they took."""
    counts = {status: sum(f.status is status for f in report.findings) for status in CheckStatus}
    told = ", ".join(f"{counts[status]} {_MARKS[status]}" for status in CheckStatus if counts[status])
    verdict = "fit for a campaign" if report.passed else "not fit for a campaign"
    return (
        f"{report.sut.name}: {verdict}: {told} ({report.n_sessions} sessions, {report.n_turns} turns, "
        f"{report.elapsed_s:.1f} s)"
    )
