"""The circuit breaker of an endpoint: when its calls fail one after the other, it is left alone and then probed.

It never waits; it says from when on.
"""

from __future__ import annotations

import math
from enum import StrEnum

from hairpin.llm.traffic.policy import TrafficPolicy


class BreakerState(StrEnum):
    """``open``: no request may start before its time is up; ``probing``: one is on its way, the others wait for it."""

    CLOSED = "closed"
    OPEN = "open"
    PROBING = "probing"


class CircuitBreaker:
    """Opens when ``policy.breaker_calls`` different calls failed with no success in between; any success closes it."""

    __slots__ = ("_failed_calls", "_last", "_open_s", "_policy", "_state", "_until_s")

    def __init__(self, policy: TrafficPolicy) -> None:
        self._policy = policy
        self._state = BreakerState.CLOSED
        self._failed_calls: set[int] = set()
        self._open_s = policy.breaker_open_s
        self._until_s = -math.inf
        self._last = ""

    @property
    def state(self) -> BreakerState:
        """Where it stands."""
        return self._state

    def free_at_s(self) -> float:
        """Return from when on a request may start; ``inf`` while a probe is on its way."""
        if self._state is BreakerState.PROBING:
            return math.inf
        return self._until_s if self._state is BreakerState.OPEN else -math.inf

    def take(self) -> bool:
        """Note that a request starts now; return whether it is the probe."""
        if self._state is not BreakerState.OPEN:
            return False
        self._state = BreakerState.PROBING
        return True

    def succeeded(self) -> bool:
        """Note that the endpoint answered; return whether that closed the breaker."""
        was_closed = self._state is BreakerState.CLOSED
        self._state = BreakerState.CLOSED
        self._failed_calls.clear()
        self._open_s = self._policy.breaker_open_s
        return not was_closed

    def failed(self, error: str, now_s: float, *, call: int, probe: bool) -> bool:
        """Note that a request of ``call`` failed, in words; return whether that opened the breaker, also again."""
        self._last = error
        if probe and self._state is BreakerState.PROBING:
            self._open_s = min(self._open_s * 2, self._policy.breaker_open_max_s)
        elif self._state is BreakerState.CLOSED:
            self._failed_calls.add(call)
            if len(self._failed_calls) < self._policy.breaker_calls:
                return False
        else:
            return False  # a request from before it opened
        self._state = BreakerState.OPEN
        self._until_s = now_s + self._open_s
        return True

    def abandoned(self, *, probe: bool) -> None:
        """Note that a request ended without telling anything of the endpoint: another may probe at once."""
        if probe and self._state is BreakerState.PROBING:
            self._state = BreakerState.OPEN

    def describe(self) -> str:
        """Say why it is open."""
        last = f", lastly with {self._last!r}" if self._last else ""
        return f"{len(self._failed_calls)} calls in a row failed{last}"
