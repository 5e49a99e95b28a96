"""Running from the command line: progress, signals, and what is printed at the end.

It must not know what a run is made of; ``app`` does.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any, Self

from hairpin.cli.console import note

if TYPE_CHECKING:
    from hairpin.app.request import FinishedRun
    from hairpin.campaign.events import RunListener
    from hairpin.graph.stopping import StopToken


class Signals:
    """Ctrl-C and its kin. Handlers of Python's own also run while user code or a pattern keeps the event loop busy."""

    def __init__(self, stop: Callable[[], None], *, ending: str) -> None:
        self.first: int | None = None
        self._stop = stop
        self._told = f"\nhairpin: interrupted, ending {ending}; a second signal ends at once\n".encode()
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self._received) for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _received(self, number: int, _: object) -> None:
        if self.first is not None:
            # What is stored is stored: rows are committed before they are acknowledged.
            os._exit(128 + number)
        self.first = number
        # Not through sys.stderr: it may be in the middle of a line, and is not made to be entered twice.
        os.write(2, self._told)
        self._stop()


def run_to_end(
    play: Callable[[RunListener], Awaitable[FinishedRun]], token: StopToken, *, campaign: bool = False
) -> tuple[FinishedRun, int]:
    """Run with progress on stderr; return the run and the exit code, 130 or 143 after a signal.

    What user code prints goes to stderr: stdout is for results.

    Args:
        play: runs, and tells the listener that it is given.
        token: ends it.
        campaign: it is a campaign.

    Raises:
        HairpinError: nothing could be run.
    """
    from hairpin.app.loop import run_in_loop
    from hairpin.app.system import SystemClock
    from hairpin.cli.progress import RunProgress
    from hairpin.domain.outcome import StopReason

    loops: list[asyncio.AbstractEventLoop] = []

    def stop() -> None:
        if loops:
            loops[0].call_soon_threadsafe(token.set, StopReason.INTERRUPTED)
            loops[0].call_soon_threadsafe(progress.ending)
        else:
            token.set(StopReason.INTERRUPTED)

    async def main() -> FinishedRun:
        loops.append(asyncio.get_running_loop())
        return await play(progress)

    with (
        RunProgress(SystemClock().monotonic, campaign=campaign) as progress,
        Signals(stop, ending="the conversations") as signals,
        redirect_stdout(sys.stderr),
    ):
        finished = run_in_loop(main)
    if finished.error is not None:
        note(f"hairpin: {finished.error}")
    elif finished.report.summary.status_detail and signals.first is None:
        note(f"hairpin: {finished.report.summary.status_detail}")
    for problem in finished.notes:
        note(f"hairpin: {problem}")
    return finished, finished.exit_code if signals.first is None else 128 + signals.first
