"""What a conformance check found, as values.

They say what was seen; how it is shown is ``reports.conformance``.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.sut import SutIdentity
from hairpin.domain.users import Context


class CheckStatus(StrEnum):
    """How a check came out. Only ``failed`` counts against the assistant."""

    OK = "ok"
    FAILED = "failed"
    SKIPPED = "skipped"
    NOTE = "note"


class Finding(Value):
    """One check: ``detail`` names the evidence and what it means for a campaign."""

    id: str
    title: str
    status: CheckStatus
    detail: str


class ConformanceReport(Value):
    """All checks of one assistant, in the order in which they were made."""

    schema_version: int = 1
    sut: SutIdentity
    findings: tuple[Finding, ...]
    n_sessions: int
    n_turns: int
    elapsed_s: float

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not any(finding.status is CheckStatus.FAILED for finding in self.findings)

    def finding(self, check_id: str) -> Finding:
        """Return the finding of a check. Raises KeyError when it was not made."""
        for finding in self.findings:
            if finding.id == check_id:
                return finding
        raise KeyError(check_id)


class ConformanceSettings(Value):
    """How hard an assistant is tried.

    Attributes:
        timeout_s: for one turn, and for opening a session.
        close_timeout_s: for closing a session or the adapter.
        n_sessions: how many are open at once under load; fewer if the adapter says so.
        total_s: when it is over, checks that are left are skipped.
        context: what sessions are opened with.
    """

    timeout_s: float = Field(default=60.0, gt=0)
    close_timeout_s: float = Field(default=5.0, gt=0)
    n_sessions: int = Field(default=8, ge=2, le=256)
    total_s: float = Field(default=900.0, gt=0)
    rng_seed: int = 1
    context: Context = Context()
