"""Whether an assistant still works, told by how its conversations end: it serves, is paused, is tried again, is broken.

Pure values; time is passed in. Holding conversations back is ``campaign.sut_gates``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

from hairpin.domain.outcome import Stop, StopReason


@dataclass(frozen=True, slots=True)
class BreakerRules:
    """After ``max_errors`` errors in a row an assistant is left alone for ``pause_s`` seconds, then tried once more."""

    max_errors: int = 5
    pause_s: float = 30.0


class Phase(StrEnum):
    """How an assistant is treated."""

    SERVING = "serving"
    PAUSED = "paused"
    PROBED = "probed"
    BROKEN = "broken"


class Sign(StrEnum):
    """What the end of a conversation says of the assistant: it errs, it works, or nothing."""

    ERROR = "error"
    WORKS = "works"
    NONE = "none"


_WORKED = frozenset(
    {
        StopReason.CHECK_FAULT,
        StopReason.JUDGE_FAULT,
        StopReason.TARGETS_RESOLVED,
        StopReason.SUT_ENDED,
        StopReason.REPETITION,
        StopReason.SCRIPT_EXHAUSTED,
        StopReason.TURNS_EXHAUSTED,
    }
)
"""What only happens after replies. All else but an error may end a conversation before the assistant was asked."""


def sign_of(stop: Stop | None) -> Sign:
    """Return what the end of a conversation says; ``None``: it was interrupted."""
    if stop is not None and stop.reason is StopReason.SUT_ERROR:
        return Sign.ERROR
    return Sign.WORKS if stop is not None and stop.reason in _WORKED else Sign.NONE


@dataclass(frozen=True, slots=True)
class SutHealth:
    """What is known of one assistant.

    Attributes:
        phase: how it is treated.
        n_errors: conversations that ended with an error since one showed that it works.
        last_error: of the last of them.
        paused_until_s: when a paused one may be tried again, on the caller's clock.
    """

    phase: Phase = Phase.SERVING
    n_errors: int = 0
    last_error: str = ""
    paused_until_s: float = -math.inf

    def wait_s(self, now_s: float) -> float:
        """Return for how long no conversation may begin: 0 is not at all, infinity until something happens."""
        match self.phase:
            case Phase.SERVING:
                return 0.0
            case Phase.PAUSED:
                return max(0.0, self.paused_until_s - now_s)
            case _:
                return math.inf

    def begun(self) -> SutHealth:
        """Return what is known once a conversation begins; the one that begins after a pause is the probe."""
        return replace(self, phase=Phase.PROBED) if self.phase is Phase.PAUSED else self

    def ended(self, sign: Sign, detail: str, *, probe: bool, now_s: float, rules: BreakerRules) -> SutHealth:
        """Return what is known once a conversation has ended; ``probe``: it was begun after a pause.

        Conversations that began before a pause and fail in it change nothing but the count. One that works ends the
        pause, whenever it began. A probe that says nothing is followed by another one.
        """
        decides = probe and self.phase is Phase.PROBED
        if self.phase is Phase.BROKEN:
            return self
        if sign is Sign.WORKS:
            return SutHealth()
        if sign is Sign.NONE:
            return replace(self, phase=Phase.PAUSED) if decides else self
        counted = replace(self, n_errors=self.n_errors + 1, last_error=detail)
        if decides:
            return replace(counted, phase=Phase.BROKEN)
        if self.phase is Phase.SERVING and counted.n_errors >= rules.max_errors:
            return replace(counted, phase=Phase.PAUSED, paused_until_s=now_s + rules.pause_s)
        return counted
