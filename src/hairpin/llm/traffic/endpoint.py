"""All traffic to one endpoint: shared by every worker and role that talks to it.

It knows no HTTP; it is handed what sends.
"""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Final

import anyio
from structlog.typing import FilteringBoundLogger

from hairpin.domain.model_spec import ModelLimits
from hairpin.llm.traffic.breaker import BreakerState
from hairpin.llm.traffic.call import TrafficCall
from hairpin.llm.traffic.gate import Gate
from hairpin.llm.traffic.policy import Sleep, TrafficPolicy
from hairpin.llm.traffic.waiting import Deadline
from hairpin.ports import Clock

_DEFAULT_POLICY: Final = TrafficPolicy()


class EndpointTraffic:
    """One per endpoint and run. Not for threads; on one event loop at a time.

    Args:
        name: how messages call the endpoint; without credentials.
        limits: of all roles that share it (``traffic.policy.strictest_limits``).
        clock: its monotonic seconds are those of deadlines.
        rng: for jitter.
        logger: told when it is spared, and when no longer.
        sleep: on that clock.
        policy: how it is spared when it has trouble.
    """

    def __init__(
        self,
        name: str,
        limits: ModelLimits,
        *,
        clock: Clock,
        rng: Random,
        logger: FilteringBoundLogger,
        sleep: Sleep = anyio.sleep,
        policy: TrafficPolicy = _DEFAULT_POLICY,
    ) -> None:
        self._name = name
        self._limits = limits
        self._clock = clock
        self._rng = rng
        self._sleep = sleep
        self._policy = policy
        self._numbers = count(1)
        self._gate = Gate(name, limits, clock=clock, rng=rng, sleep=sleep, policy=policy, logger=logger)

    def call(self, deadline: Deadline | None = None) -> TrafficCall:
        """Return a new call; ``deadline``: of the run, it may be moved at any time."""
        return TrafficCall(
            next(self._numbers),
            self._gate,
            self._limits,
            deadline=deadline or Deadline(),
            clock=self._clock,
            rng=self._rng,
            sleep=self._sleep,
            policy=self._policy,
        )

    @property
    def words(self) -> str:
        """How it fares, in words."""
        waiting = f", {self.n_waiting} waiting" if self.n_waiting else ""
        troubled = "" if self.breaker is BreakerState.CLOSED else f", circuit {self.breaker.value.replace('_', ' ')}"
        return f"{self._name}: {self.n_in_flight} of {self.concurrency} in flight{waiting}{troubled}"

    @property
    def n_in_flight(self) -> int:
        """How many requests are on their way."""
        return self._gate.slots.in_flight

    @property
    def n_waiting(self) -> int:
        """How many requests wait to start."""
        return self._gate.n_waiting

    @property
    def concurrency(self) -> int:
        """How many requests may be on their way at a time, as learnt so far."""
        return self._gate.slots.limit

    @property
    def breaker(self) -> BreakerState:
        """Where its circuit breaker stands."""
        return self._gate.breaker.state
