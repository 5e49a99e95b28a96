"""The figures that traffic to an endpoint is steered by, and what is measured of each request, as values.

What a user sets is ``domain.model_spec.ModelLimits``; here is the rest.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from hairpin.domain.model_spec import ModelLimits
from hairpin.llm.completion import Completion


@dataclass(frozen=True, slots=True)
class TrafficPolicy:
    """How an endpoint is spared when it has trouble.

    Attributes:
        back_off_s: after the first failed request; it doubles with every further one.
        back_off_max_s: the longest back-off.
        breaker_calls: the breaker opens when so many different calls failed with no success in between.
        breaker_open_s: how long it stays open at first; it doubles with every probe that fails.
        breaker_open_max_s: the longest that it stays open before the next probe.
        ramp_share: after a pause, the requests that wait start one by one, spread over this share of its length.
        ramp_gap_max_s: the longest time between two of them.
    """

    back_off_s: float = 0.5
    back_off_max_s: float = 30.0
    breaker_calls: int = 5
    breaker_open_s: float = 5.0
    breaker_open_max_s: float = 60.0
    ramp_share: float = 0.25
    ramp_gap_max_s: float = 0.25


@dataclass(frozen=True, slots=True)
class RequestTiming:
    """Where the time of one HTTP request went.

    Attributes:
        queue_wait_s: waited for a free slot, for the limits per minute, for the circuit breaker.
        retry_wait_s: backed off after the request before, or kept a wait that the server asked this endpoint for.
        latency_s: from sending to the whole answer, or to the error.
    """

    queue_wait_s: float
    retry_wait_s: float
    latency_s: float


RequestEnd = Completion | BaseException
"""A completion, or what was raised: a CallError, the cancellation, anything else that ``send`` let pass."""

RequestHook = Callable[[int, RequestTiming, RequestEnd], Awaitable[None]]
"""Told of every HTTP request when it has ended: its number within the call (1, 2, …), its timing, its end.

Awaited shielded and with the slot given back already; what it raises ends the call.
"""

Send = Callable[[], Awaitable[Completion]]
"""Makes one HTTP request, exactly once."""

Sleep = Callable[[float], Awaitable[None]]
"""Sleeps so many seconds, on the clock that goes with it."""


def strictest_limits(limits: Iterable[ModelLimits]) -> ModelLimits:
    """Return the limits of an endpoint that several roles share: the smallest of each figure.

    Raises:
        ValueError: no limits at all.
    """
    every = tuple(limits)
    return ModelLimits(
        concurrency=min(each.concurrency for each in every),
        requests_per_minute=_smallest(each.requests_per_minute for each in every),
        tokens_per_minute=_smallest(each.tokens_per_minute for each in every),
        attempts=min(each.attempts for each in every),
        timeout_s=min(each.timeout_s for each in every),
        max_wait_s=min(each.max_wait_s for each in every),
    )


def _smallest(figures: Iterable[int | None]) -> int | None:
    return min((figure for figure in figures if figure is not None), default=None)
