"""Waking whoever waits for anything to change, in time for what changes without a word.

It must not know what changes.
"""

from __future__ import annotations

from typing import Final

import anyio

from hairpin.graph.stopping import StopToken

LOOK_AGAIN_S: Final = 0.5
"""A deadline is a flag that wakes nobody: who waits looks at it this often."""


class Changes:
    """What has changed is for those who wait to find out."""

    def __init__(self, stop: StopToken) -> None:
        self._stop = stop
        self._happened = anyio.Event()

    def notice(self) -> None:
        """Wake everybody who waits."""
        self._happened.set()
        self._happened = anyio.Event()

    async def wait(self, *, at_most_s: float = LOOK_AGAIN_S) -> None:
        """Wait until something changes, the run is interrupted, or it is time to look again."""
        happened = self._happened
        with self._stop.guard(), anyio.move_on_after(min(at_most_s, LOOK_AGAIN_S)):
            await happened.wait()
