"""The gate of an endpoint: requests wait here in order of arrival until one may start, whatever it is that holds them.

It sends nothing and tries nothing again; ``traffic.call`` does.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass
from random import Random
from typing import Final

from structlog.typing import FilteringBoundLogger

from hairpin.domain.llm_calls import CallOutcome
from hairpin.domain.model_spec import ModelLimits
from hairpin.llm.completion import CallError, EndpointClosedError
from hairpin.llm.traffic.adaptive import AdaptiveLimit
from hairpin.llm.traffic.breaker import CircuitBreaker
from hairpin.llm.traffic.cool_down import CoolDown, Ramp
from hairpin.llm.traffic.effects import Effect, asked_wait_s, charged_tokens, effect_of
from hairpin.llm.traffic.policy import RequestEnd, Sleep, TrafficPolicy
from hairpin.llm.traffic.waiting import Deadline, Waiter
from hairpin.llm.traffic.windows import RequestWindow, TokenCharge, TokenWindow
from hairpin.ports import Clock

_TOLERANCE_S: Final = 1e-6
"""Waits are compared with ``max_wait_s`` no finer than this: a wait of just that length is allowed."""


@dataclass(slots=True, eq=False)
class Passage:
    """One request: what it asks for, how long it waited (``traffic.policy.RequestTiming``), what it holds.

    ``server_wait_s``: how long it waited because the server asked for it or the circuit breaker was open.
    """

    call: int
    tokens: int
    deadline: Deadline
    waiter: Waiter
    queue_wait_s: float = 0.0
    retry_wait_s: float = 0.0
    server_wait_s: float = 0.0
    charge: TokenCharge | None = None
    is_probe: bool = False


class Gate:
    """Holds the limits of one endpoint together. First come, first served; only the first in the queue looks at them.

    What a request needs is taken in one go, by the task that goes on to send it, so a cancellation while waiting has
    nothing to give back.
    """

    def __init__(
        self,
        name: str,
        limits: ModelLimits,
        *,
        clock: Clock,
        rng: Random,
        sleep: Sleep,
        policy: TrafficPolicy,
        logger: FilteringBoundLogger,
    ) -> None:
        self._name = name
        self._max_wait_s = limits.max_wait_s
        self._n_starts = limits.concurrency
        self._clock = clock
        self._sleep = sleep
        self._policy = policy
        self._logger = logger
        self._queue: OrderedDict[Passage, None] = OrderedDict()
        self.slots = AdaptiveLimit(limits.concurrency)
        self.breaker = CircuitBreaker(policy)
        self._requests = RequestWindow(limits.requests_per_minute)
        self._tokens = TokenWindow(limits.tokens_per_minute)
        self._cool_down = CoolDown()
        self._ramp = Ramp(rng)

    @property
    def n_waiting(self) -> int:
        """How many requests wait."""
        return len(self._queue)

    async def admit(self, *, call: int, tokens: int, deadline: Deadline) -> Passage:
        """Return when a request of ``call`` may start; it has started then, and ``settle`` must follow.

        Raises:
            CallError: it would have to wait past the deadline (``out_of_time``), or longer than ``max_wait_s`` for the
                server (the provider's own error, or ``circuit_open``). Raised before waiting, where that is known.
        """
        passage = Passage(call, tokens, deadline, Waiter(self._sleep))
        now_s = self._clock.monotonic()
        if self._queue or self._opens_at_s(passage, now_s) > now_s:
            await self._queue_up(passage, now_s)
        else:
            self._start(passage, now_s)
        return passage

    def settle(self, passage: Passage, end: RequestEnd) -> None:
        """Give back what a request held, and learn from how it ended."""
        now_s = self._clock.monotonic()
        self._learn(passage, end, now_s)
        self.slots.give_back()
        if passage.charge is not None:
            self._tokens.correct(passage.charge, charged_tokens(end, estimate=passage.tokens), now_s)
        self._wake_first()

    async def _queue_up(self, passage: Passage, now_s: float) -> None:
        self._queue[passage] = None
        passage.deadline.watch(passage.waiter)
        try:
            while (opens_at_s := self._opens_in_turn_at_s(passage, now_s)) > now_s:
                now_s = await self._wait(passage, opens_at_s, now_s)
            self._start(passage, now_s)
        finally:
            passage.deadline.unwatch(passage.waiter)
            was_first = self._is_first(passage)
            del self._queue[passage]
            if was_first and self.slots.has_room:  # without room, the next request to end wakes the first
                self._wake_first()

    async def _wait(self, passage: Passage, opens_at_s: float, now_s: float) -> float:
        """Wait until there may be something new; return the time then."""
        cool_until_s, server_until_s = self._cool_down.until_s, self._server_opens_at_s()
        until_s = min(opens_at_s, passage.deadline.at_s)
        if server_until_s > now_s:
            until_s = min(until_s, now_s + self._max_wait_s - passage.server_wait_s)
        await passage.waiter.pause(max(until_s - now_s, 0.0))
        woken_s = self._clock.monotonic()
        retry_wait_s = max(min(woken_s, cool_until_s) - now_s, 0.0)
        passage.retry_wait_s += retry_wait_s
        passage.queue_wait_s += woken_s - now_s - retry_wait_s
        passage.server_wait_s += max(min(woken_s, server_until_s) - now_s, 0.0)
        return woken_s

    def _opens_in_turn_at_s(self, passage: Passage, now_s: float) -> float:
        if self._is_first(passage):
            return self._opens_at_s(passage, now_s)
        self._check_in_time(passage, self._server_opens_at_s(), now_s)
        return math.inf

    def _opens_at_s(self, passage: Passage, now_s: float) -> float:
        """Return from when on the first in the queue may start, ``inf`` if that depends on others. Raises CallError."""
        server_s = self._server_opens_at_s()
        own_s = max(self._ramp.free_at_s(), self._requests.free_at_s(), self._tokens.free_at_s(passage.tokens, now_s))
        self._check_in_time(passage, max(server_s, own_s), now_s)
        return max(server_s, own_s) if self.slots.has_room else math.inf

    def _server_opens_at_s(self) -> float:
        return max(self._cool_down.until_s, self.breaker.free_at_s())

    def _check_in_time(self, passage: Passage, opens_at_s: float, now_s: float) -> None:
        """Refuse a wait that cannot end well before it begins; ``opens_at_s`` ``inf`` is not known, so worth a try."""
        deadline_s = passage.deadline.at_s
        if now_s >= deadline_s or deadline_s <= opens_at_s < math.inf:
            raise self._out_of_time(now_s, deadline_s)
        server_s = self._server_opens_at_s()
        left_s = self._max_wait_s - passage.server_wait_s
        if server_s <= now_s or (server_s - now_s <= left_s + _TOLERANCE_S):
            return
        if server_s < math.inf or left_s <= _TOLERANCE_S:
            raise self._refusal(now_s)

    def _out_of_time(self, now_s: float, deadline_s: float) -> CallError:
        reasons = [f"{self._name}: no time is left for a request"]
        if self._cool_down.until_s > now_s:
            reasons.append(f"the endpoint asked to wait {self._cool_down.asked_s:g} s")
        if self.breaker.free_at_s() > now_s:
            reasons.append(self.breaker.describe())
        # What is over soon after the deadline is the end of a run that was going well, and no endpoint that is closed.
        closed = now_s < deadline_s and self._cool_down.until_s - now_s > self._max_wait_s
        kind = EndpointClosedError if closed else CallError
        return kind(CallOutcome.OUT_OF_TIME, "; ".join(reasons))

    def _refusal(self, now_s: float) -> CallError:
        if self._cool_down.until_s > now_s and self._cool_down.until_s >= self.breaker.free_at_s():
            return self._cool_down.refusal(self._max_wait_s)
        detail = (
            f"{self._name}: {self.breaker.describe()}; max_wait_s {self._max_wait_s:g} is over before it is tried again"
        )
        return CallError(CallOutcome.CIRCUIT_OPEN, detail)

    def _start(self, passage: Passage, now_s: float) -> None:
        self.slots.take()
        self._requests.take(now_s)
        self._ramp.take(now_s)
        passage.charge = self._tokens.take(passage.tokens, now_s)
        passage.is_probe = self.breaker.take()

    def _learn(self, passage: Passage, end: RequestEnd, now_s: float) -> None:
        match effect_of(end):
            case Effect.ANSWERED:
                self.slots.grow(wanted=bool(self._queue))
                self._learn_alive(now_s)
            case Effect.TURNED_AWAY:
                self.slots.shrink()
                if passage.is_probe:
                    self._learn_alive(now_s)
            case Effect.STRUGGLING:
                self.slots.shrink()
                self._learn_failure(end, passage, now_s)
            case Effect.LOST:
                self._learn_failure(end, passage, now_s)
            case Effect.NOTHING:
                self.breaker.abandoned(probe=passage.is_probe)
        asked_s = asked_wait_s(end)
        if isinstance(end, CallError) and asked_s > 0 and self._cool_down.begin(end, asked_s, now_s):
            self._cool_down_begun(asked_s)

    def _learn_alive(self, now_s: float) -> None:
        if self.breaker.succeeded():
            self._breaker_closed(now_s)

    def _learn_failure(self, end: RequestEnd, passage: Passage, now_s: float) -> None:
        if self.breaker.failed(str(end), now_s, call=passage.call, probe=passage.is_probe):
            left_s = self.breaker.free_at_s() - now_s
            self._logger.warning(
                "endpoint_left_alone", endpoint=self._name, for_s=left_s, reason=self.breaker.describe()
            )
            self._wake_all()

    def _breaker_closed(self, now_s: float) -> None:
        self._logger.warning("endpoint_answers_again", endpoint=self._name)
        self._begin_ramp(now_s, self._policy.breaker_open_s)

    def _begin_ramp(self, at_s: float, pause_s: float) -> None:
        """After a pause, as many as may have been held up start one by one."""
        gap_s = min(pause_s * self._policy.ramp_share / self._n_starts, self._policy.ramp_gap_max_s)
        self._ramp.begin(at_s, gap_s=gap_s, starts=self._n_starts)
        self._wake_all()

    def _cool_down_begun(self, asked_s: float) -> None:
        self._logger.info("endpoint_asked_to_wait", endpoint=self._name, for_s=asked_s)
        self._begin_ramp(self._cool_down.until_s, asked_s)

    def _is_first(self, passage: Passage) -> bool:
        return next(iter(self._queue), None) is passage

    def _wake_first(self) -> None:
        first = next(iter(self._queue), None)
        if first is not None:
            first.waiter.wake()

    def _wake_all(self) -> None:
        for passage in self._queue:
            passage.waiter.wake()
