"""Progress of a run: a live line on a terminal, plain lines elsewhere. Always on stderr.

It must not print results; those go to stdout.
"""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from hairpin.domain.outcome import Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import Outcome


class RunProgress:
    """A run listener that shows how many conversations ended, and how."""

    def __init__(self) -> None:
        self._console = Console(file=sys.stderr, highlight=False)
        self._live = self._console.is_terminal
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TextColumn("{task.fields[counts]}"),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
        )
        self._task: TaskID | None = None
        self._counts: dict[str, int] = {}
        self._n_planned = 0

    def __enter__(self) -> Self:
        if self._live:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._bar.stop()

    def run_started(self, *, n_planned: int) -> None:
        """Show how much there is to do."""
        self._n_planned = n_planned
        if self._live:
            self._task = self._bar.add_task("conversations", total=n_planned, counts="")

    def conversation_started(self, planned: PlannedConversation) -> None:
        """Show nothing: a conversation counts when it ends."""

    def conversation_ended(self, planned: PlannedConversation, outcome: Outcome | None) -> None:
        """Count it; without a terminal, print one line."""
        word = _word(outcome)
        self._counts[word] = self._counts.get(word, 0) + 1
        if self._live and self._task is not None:
            counts = ", ".join(f"{number} {name}" for name, number in sorted(self._counts.items()))
            self._bar.update(self._task, advance=1, counts=counts)
        else:
            done = sum(self._counts.values())
            self._console.print(
                f"{done}/{self._n_planned} {planned.id} {planned.sut}: {_ending(outcome)}", markup=False, soft_wrap=True
            )


def _word(outcome: Outcome | None) -> str:
    verdict = outcome.judgement.verdict if outcome else None
    return {Verdict.PASS: "passed", Verdict.FAIL: "failed"}.get(verdict, str(verdict)) if verdict else "interrupted"


def _ending(outcome: Outcome | None) -> str:
    if outcome is None:
        return "interrupted"
    score = outcome.judgement.success_score
    shown = "" if score is None else f", C = {score:.2f}"
    return f"{_word(outcome)}{shown} ({outcome.stop.reason})"
