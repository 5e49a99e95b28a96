"""A stored run as Python code gets it, and reading one.

It runs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hairpin.analysis.judge_differences import JudgeDifferences
from hairpin.app.request import FinishedRun
from hairpin.app.stored import open_stored
from hairpin.domain.gate import Gate, parse_fail_on
from hairpin.domain.records import ConversationRecord
from hairpin.domain.summary import Summary
from hairpin.reports.model import ReportModel


@dataclass(frozen=True, slots=True)
class RunResult:
    """A run that is stored.

    Attributes:
        path: its folder, with ``report.html``, ``summary.json`` and the rows.
        summary: the figures of ``summary.json``.
        exit_code: 0 gate passed, 1 gate failed, 3 too little was valid to say.
        sentence: why, in one sentence.
        judge_differences: of a run that judges another's conversations again: what is judged differently.
    """

    path: Path
    summary: Summary
    exit_code: int
    sentence: str
    judge_differences: JudgeDifferences | None = None

    @property
    def passed(self) -> bool:
        """Whether the gate passed."""
        return self.exit_code == 0

    def conversations(self) -> Iterator[ConversationRecord]:
        """Yield every planned conversation with all that was stored about it, in plan order."""
        with open_stored(self.path) as stored:
            yield from stored.conversations()


def load_run(path: str | Path, *, fail_on: str = "any") -> RunResult:
    """Read a stored run and judge it by ``fail_on``.

    Raises:
        UserError: there is no such run.
        StoreError: its database cannot be read.
    """
    gate: Gate = parse_fail_on(fail_on, where="fail_on")
    with open_stored(path) as stored:
        report = stored.report(gate)
        return _result(stored.directory.path, report)


def result_of(finished: FinishedRun) -> RunResult:
    """Return the result of a run that ended; raises what stopped it early."""
    require_unbroken(finished)
    return _result(finished.directory.path, finished.report)


def require_unbroken(finished: FinishedRun) -> None:
    """Raise what stopped a run early, if anything did."""
    if finished.error is not None:
        raise finished.error


def _result(path: Path, report: ReportModel) -> RunResult:
    return RunResult(
        path=path,
        summary=report.summary,
        exit_code=report.exit_code,
        sentence=report.sentence,
        judge_differences=report.judge_differences,
    )
