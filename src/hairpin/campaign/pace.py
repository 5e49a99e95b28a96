"""What conversations of one arm take, learnt from those that have ended.

Pure values; time is passed in.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from typing import Final

REMEMBERED: Final = 50
"""The last so many conversations are learnt from: an assistant may become slower."""

QUANTILE: Final = 0.9
"""A conversation is expected to take what nine in ten of these took at most."""


@dataclass(slots=True)
class Pace:
    """Durations of whole conversations and of judging after the last exchange, in seconds; 0 while none is known."""

    _conversations: deque[float] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    _judgings: deque[float] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    def learn(self, *, elapsed_s: float, judging_s: float | None = None) -> None:
        """Learn from a conversation that went to its end; ``None``: nobody knows how long judging took."""
        self._conversations.append(elapsed_s)
        if judging_s is not None:
            self._judgings.append(judging_s)

    @property
    def conversation_s(self) -> float:
        """What a conversation is expected to take."""
        return _quantile(self._conversations)

    @property
    def judging_s(self) -> float:
        """What judging is expected to take once the last reply is there."""
        return _quantile(self._judgings)


def _quantile(durations_s: deque[float]) -> float:
    if not durations_s:
        return 0.0
    ordered = sorted(durations_s)
    return ordered[math.ceil(QUANTILE * len(ordered)) - 1]
