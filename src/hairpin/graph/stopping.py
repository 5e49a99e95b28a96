"""The stop token: how a deadline or an interrupt reaches a running conversation, as data.

It never cancels a graph; it ends the I/O that nodes put under its care.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import anyio

from hairpin.domain.outcome import StopReason


class StopToken:
    """Shared by all conversations of a run.

    An interrupt ends I/O at once. A deadline or a spent budget only ends speaking: nodes ask for ``reason`` between
    exchanges, and what exists is still judged.
    """

    def __init__(self) -> None:
        self._reason: StopReason | None = None
        self._scopes: set[anyio.CancelScope] = set()

    @property
    def reason(self) -> StopReason | None:
        """Why conversations must end, or ``None``."""
        return self._reason

    @property
    def interrupted(self) -> bool:
        """Whether everything must end at once."""
        return self._reason is StopReason.INTERRUPTED

    def set(self, reason: StopReason) -> None:
        """Ask conversations to end; an interrupt overrides a gentler reason and is never taken back."""
        if self.interrupted:
            return
        self._reason = reason
        if reason is StopReason.INTERRUPTED:
            for scope in self._scopes:
                scope.cancel()

    @contextmanager
    def guard(self) -> Iterator[anyio.CancelScope]:
        """Run I/O that an interrupt may cut short; ask the scope's ``cancelled_caught`` afterwards."""
        with anyio.CancelScope() as scope:
            self._scopes.add(scope)
            if self.interrupted:
                scope.cancel()
            try:
                yield scope
            finally:
                self._scopes.discard(scope)
