"""Where a conversation is: which node runs since when, and when the assistant last answered.

It must not act; ``campaign.watchdog`` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count


@dataclass(slots=True)
class Pulse:
    """The pulse of one conversation; times are seconds on the caller's monotonic clock.

    ``answered_s``: when the last exchange was stored, ``None`` before the first.
    """

    answered_s: float | None = None
    _running: dict[int, tuple[str, float]] = field(default_factory=dict)
    _numbers: count[int] = field(default_factory=count)

    @contextmanager
    def inside(self, node: str, now_s: float) -> Iterator[None]:
        """Note that ``node`` runs for the time of the block; the same node may run several times at once."""
        number = next(self._numbers)
        self._running[number] = (node, now_s)
        try:
            yield
        finally:
            del self._running[number]

    def longest(self, now_s: float) -> tuple[str, float] | None:
        """Return the node that has been running longest and for how many seconds; ``None``: none runs."""
        if not self._running:
            return None
        node, since_s = min(self._running.values(), key=lambda entry: entry[1])
        return node, now_s - since_s
