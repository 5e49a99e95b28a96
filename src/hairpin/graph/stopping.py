"""The stop token: how a deadline or an interrupt reaches a running conversation, as data.

It never cancels a graph; it ends the I/O that nodes put under its care.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

import anyio

from hairpin.domain.outcome import Stop, StopReason, first_reason


class StopToken:
    """Why conversations must end: of a whole run, of one of its arms, or of one conversation.

    A deadline or a spent budget only ends speaking: nodes ask for ``reason`` before each utterance, and what exists is
    still judged. What must end ``at_once`` also ends I/O; an interrupt always does. A token that has a parent ends when
    the parent does.
    """

    def __init__(self, parent: StopToken | None = None) -> None:
        self._parent = parent
        self._stop: Stop | None = None
        self._at_once: Stop | None = None
        self._scopes: set[anyio.CancelScope] = set()
        self._children: set[StopToken] = set()

    @property
    def reason(self) -> StopReason | None:
        """Why conversations must end, the reason that is checked first; ``None`` while they need not."""
        own = self._stop.reason if self._stop else None
        above = self._parent.reason if self._parent else None
        return first_reason({reason for reason in (own, above) if reason is not None})

    @property
    def at_once(self) -> Stop | None:
        """What everything must end with now, I/O included; ``None`` while nothing must."""
        above = self._parent.at_once if self._parent else None
        if above is not None and (self._at_once is None or above.reason is StopReason.INTERRUPTED):
            return above
        return self._at_once

    @property
    def interrupted(self) -> bool:
        """Whether the user ended the run."""
        return self.reason is StopReason.INTERRUPTED

    def set(self, reason: StopReason, *, detail: str = "", at_once: bool = False) -> None:
        """Ask conversations to end; an interrupt overrides a gentler reason and is never taken back."""
        if self.interrupted:
            return
        self._stop = Stop(reason=reason, detail=detail)
        if at_once or reason is StopReason.INTERRUPTED:
            self._at_once = self._stop
            self._cancel()

    def branch(self) -> Self:
        """Return a token that ends when this one does."""
        child = type(self)(self)
        self._children.add(child)
        return child

    @contextmanager
    def child(self) -> Iterator[Self]:
        """Return a token that ends when this one does, for the time of the block."""
        child = self.branch()
        try:
            yield child
        finally:
            self._children.discard(child)

    @contextmanager
    def guard(self) -> Iterator[anyio.CancelScope]:
        """Run I/O that may be cut short; ask the scope's ``cancelled_caught`` afterwards."""
        with anyio.CancelScope() as scope:
            self._scopes.add(scope)
            if self.at_once is not None:
                scope.cancel()
            try:
                yield scope
            finally:
                self._scopes.discard(scope)

    def _cancel(self) -> None:
        for scope in self._scopes:
            scope.cancel()
        for child in tuple(self._children):
            child._cancel()
