"""Running from the command line: progress, signals, and what is printed at the end.

It must not know what a run is made of; ``app`` does.
"""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import anyio

from hairpin.cli.console import note
from hairpin.errors import HairpinError

if TYPE_CHECKING:
    from hairpin.app.run import FinishedRun, RunRequest


@dataclass(slots=True)
class _Signals:
    first: int | None = None


def run_to_end(request: RunRequest, *, quiet: bool = False) -> tuple[FinishedRun, int]:
    """Run with progress on stderr; return the run and the exit code, 130 or 143 after a signal.

    Raises:
        HairpinError: nothing could be run.
    """
    from hairpin.cli.progress import RunProgress

    with RunProgress(quiet=quiet) as progress:
        finished, signalled = anyio.run(partial(_run_with_signals, replace(request, listener=progress)))
    if finished.error is not None:
        note(f"hairpin: {finished.error}")
    elif finished.report.summary.status_detail and signalled is None:
        note(f"hairpin: {finished.report.summary.status_detail}")
    return finished, finished.exit_code if signalled is None else 128 + signalled


async def _run_with_signals(request: RunRequest) -> tuple[FinishedRun, int | None]:
    from hairpin.app.run import run_scenario

    signals = _Signals()
    outcome: FinishedRun | HairpinError
    async with anyio.create_task_group() as group:
        group.start_soon(_watch, request, signals)
        try:
            outcome = await run_scenario(request)
        except HairpinError as error:
            outcome = error
        group.cancel_scope.cancel()
    if isinstance(outcome, HairpinError):
        raise outcome
    return outcome, signals.first


async def _watch(request: RunRequest, signals: _Signals) -> None:
    from hairpin.domain.outcome import StopReason

    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as received:
        async for number in received:
            if signals.first is not None:
                # What is stored is stored: rows are committed before they are acknowledged.
                os._exit(128 + number)
            signals.first = number
            note("hairpin: interrupted, ending the conversations; a second signal ends at once")
            request.stop.set(StopReason.INTERRUPTED)
