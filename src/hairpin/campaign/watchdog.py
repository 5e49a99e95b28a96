"""Conversations that are under way, each with what ends it: a node that is stuck is named and ended.

It ends what can be cancelled; code that blocks the event loop nobody can end from inside.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from structlog.typing import FilteringBoundLogger

from hairpin.domain.outcome import StopReason
from hairpin.domain.plan import PlannedConversation
from hairpin.graph.pulse import Pulse
from hairpin.graph.stopping import StopToken


@dataclass(frozen=True, slots=True)
class _Watched:
    conversation: str
    stop: StopToken
    pulse: Pulse


class Watchdog:
    """Ends conversations of which a node has been running for more than ``limit_s`` seconds."""

    def __init__(self, *, limit_s: float, logger: FilteringBoundLogger) -> None:
        self.limit_s = limit_s
        self._logger = logger
        self._watched: dict[int, _Watched] = {}

    @contextmanager
    def watching(self, planned: PlannedConversation, stop: StopToken) -> Iterator[Pulse]:
        """Watch a conversation for the time of the block; ``stop`` is its own token."""
        entry = _Watched(planned.id, stop, Pulse())
        self._watched[id(entry)] = entry
        try:
            yield entry.pulse
        finally:
            del self._watched[id(entry)]

    def look(self, now_s: float) -> None:
        """End what is stuck; a conversation that is ending already is left alone."""
        for entry in tuple(self._watched.values()):
            longest = entry.pulse.longest(now_s)
            if longest is None or longest[1] <= self.limit_s or entry.stop.at_once is not None:
                continue
            node, running_s = longest
            detail = f"node {node!r} was stuck: still running after {running_s:.0f} s (limit {self.limit_s:g} s)"
            self._logger.error("node_stuck", conversation=entry.conversation, node=node, running_s=round(running_s, 1))
            entry.stop.set(StopReason.INTERNAL_ERROR, detail=detail, at_once=True)
