"""Limits per minute, kept over every sliding window: so many requests, so many tokens in any sixty seconds.

It never waits; it says when there is room.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Final

WINDOW_S: Final = 60.0


class RequestWindow:
    """So many requests in any window; ``None`` is no limit."""

    __slots__ = ("_limit", "_starts")

    def __init__(self, limit: int | None) -> None:
        self._limit = limit
        self._starts: deque[float] = deque(maxlen=limit or 1)

    def free_at_s(self) -> float:
        """Return from when on one more request fits."""
        if self._limit is None or len(self._starts) < self._limit:
            return -math.inf
        return self._starts[0] + WINDOW_S

    def take(self, now_s: float) -> None:
        """Count a request that starts now."""
        if self._limit is not None:
            self._starts.append(now_s)


@dataclass(slots=True)
class TokenCharge:
    """What one request is charged in the window of tokens."""

    at_s: float
    tokens: int


class TokenWindow:
    """So many tokens in any window; ``None`` is no limit.

    What is charged beforehand is an estimate. The charge is put right when the usage is known, at the time of the
    request, so that an estimate too low delays those after it. A request larger than the limit goes alone.
    """

    __slots__ = ("_charges", "_limit", "_total")

    def __init__(self, limit: int | None) -> None:
        self._limit = limit
        self._charges: deque[TokenCharge] = deque()
        self._total = 0

    def free_at_s(self, tokens: int, now_s: float) -> float:
        """Return from when on ``tokens`` more fit, as far as is known now."""
        if self._limit is None:
            return -math.inf
        self._forget(now_s)
        excess = self._total + min(tokens, self._limit) - self._limit
        free_at_s = -math.inf
        for charge in self._charges:
            if excess <= 0:
                break
            excess -= charge.tokens
            free_at_s = charge.at_s + WINDOW_S
        return free_at_s

    def take(self, tokens: int, now_s: float) -> TokenCharge | None:
        """Charge a request that starts now; ``None`` when nothing is counted."""
        if self._limit is None:
            return None
        charge = TokenCharge(now_s, tokens)
        self._charges.append(charge)
        self._total += tokens
        return charge

    def correct(self, charge: TokenCharge, tokens: int, now_s: float) -> None:
        """Put a charge right."""
        if charge.at_s + WINDOW_S > now_s:
            self._forget(now_s)
            self._total += tokens - charge.tokens
            charge.tokens = tokens

    def _forget(self, now_s: float) -> None:
        while self._charges and self._charges[0].at_s + WINDOW_S <= now_s:
            self._total -= self._charges.popleft().tokens
