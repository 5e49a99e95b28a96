"""The pause that a server asked an endpoint for, and how requests start one by one after it.

It never waits; it says from when on.
"""

from __future__ import annotations

import math
from random import Random

from hairpin.llm.completion import CallError, EndpointClosedError


class Ramp:
    """Starts spread out from a moment on, with jitter, for a number of requests."""

    __slots__ = ("_gap_s", "_left", "_next_s", "_rng")

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._next_s = -math.inf
        self._gap_s = 0.0
        self._left = 0

    def begin(self, at_s: float, *, gap_s: float, starts: int) -> None:
        """Keep the next ``starts`` requests about ``gap_s`` apart, from ``at_s`` on."""
        self._gap_s = gap_s
        self._left = starts
        self._next_s = at_s + self._gap_s * self._rng.random()

    def free_at_s(self) -> float:
        """Return from when on the next request may start."""
        return self._next_s

    def take(self, now_s: float) -> None:
        """Note that a request starts now."""
        if self._left > 0:
            self._left -= 1
            self._next_s = now_s + self._gap_s * (0.5 + self._rng.random()) if self._left else -math.inf


class CoolDown:
    """Until when no request may start because the server asked for it, and what it said."""

    __slots__ = ("_asked_s", "_error", "_until_s")

    def __init__(self) -> None:
        self._until_s = -math.inf
        self._asked_s = 0.0
        self._error: CallError | None = None

    @property
    def until_s(self) -> float:
        """When it ends."""
        return self._until_s

    @property
    def asked_s(self) -> float:
        """The longest wait that was asked for."""
        return self._asked_s

    def begin(self, error: CallError, asked_s: float, now_s: float) -> bool:
        """Keep ``asked_s`` from now on; return whether that is longer than what was kept already."""
        if now_s + asked_s <= self._until_s:
            return False
        self._until_s, self._asked_s, self._error = now_s + asked_s, asked_s, error
        return True

    def refusal(self, max_wait_s: float) -> CallError:
        """Return the error of a call that cannot wait so long: the provider's own."""
        if self._error is None:
            raise ValueError("no wait has been asked for")
        kind: type[CallError] = EndpointClosedError
        too_much = f"more than max_wait_s {max_wait_s:g}"
        if self._asked_s <= max_wait_s:
            too_much, kind = f"not for the first time, in all {too_much}", CallError
        detail = f"{self._error.detail}; asked to wait {self._asked_s:g} s, {too_much}"
        return kind(self._error.outcome, detail, retry_after_s=self._error.retry_after_s)
