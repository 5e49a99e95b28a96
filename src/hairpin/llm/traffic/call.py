"""One call to a model as its HTTP requests: the only place where a request is tried again.

When a request may start, ``traffic.gate`` decides; what is sent and what is made of the answer, the caller.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from random import Random

import anyio
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_exponential

from hairpin.domain.llm_calls import CallOutcome
from hairpin.domain.model_spec import ModelLimits
from hairpin.llm.completion import CallError, Completion
from hairpin.llm.traffic.effects import asked_wait_s
from hairpin.llm.traffic.gate import Gate, Passage
from hairpin.llm.traffic.policy import RequestEnd, RequestHook, RequestTiming, Send, Sleep, TrafficPolicy
from hairpin.llm.traffic.waiting import Deadline, Waiter
from hairpin.ports import Clock


class TrafficCall:
    """Everything one call sends, one request after the other: retries, repairs, finding out what the endpoint takes.

    They share ``limits.attempts``. ``traffic.endpoint`` makes one per call.
    """

    def __init__(
        self,
        number: int,
        gate: Gate,
        limits: ModelLimits,
        *,
        deadline: Deadline,
        clock: Clock,
        rng: Random,
        sleep: Sleep,
        policy: TrafficPolicy,
    ) -> None:
        self._number = number
        self._gate = gate
        self._limits = limits
        self._deadline = deadline
        self._clock = clock
        self._rng = rng
        self._sleep = sleep
        self._policy = policy
        self._backed_off_s = 0.0
        self._last: CallError | None = None
        self.requests_made = 0

    @property
    def requests_left(self) -> int:
        """How many HTTP requests this call may still make."""
        return self._limits.attempts - self.requests_made

    async def request(self, send: Send, *, estimated_tokens: int, on_request: RequestHook) -> Completion:
        """Make a request when the endpoint has room for it, and again while it fails for the moment and may be retried.

        Args:
            send: makes one HTTP request. A CallError with an ``outcome`` that is not transient tells that the endpoint
                works; it is never tried again.
            estimated_tokens: prompt and answer, until the usage is known.
            on_request: told of every HTTP request.

        Raises:
            CallError: of the last request, when it was not to be tried again or no request is left; ``out_of_time``,
                ``circuit_open`` or the provider's own when the wait before the next would be too long.
        """
        if self.requests_left <= 0:
            raise self._used_up()
        attempt = partial(self._attempt, send, estimated_tokens, on_request)
        try:
            return await attempt()
        except CallError as error:
            if not self._is_worth_another(error):
                raise
            failed = error
        return await self._retry(failed, attempt)

    async def _retry(self, failed: CallError, attempt: Callable[[], Awaitable[Completion]]) -> Completion:
        """Go on after the first failure. Tenacity costs more than all else here, so calls that succeed do without."""
        known = iter((failed,))

        async def next_attempt() -> Completion:
            if error := next(known, None):
                raise error
            return await attempt()

        retrying = AsyncRetrying(
            sleep=self._back_off,
            wait=self._back_off_s,
            stop=lambda _: self.requests_left <= 0,
            retry=retry_if_exception(self._is_worth_another),
            reraise=True,
        )
        return await retrying(next_attempt)

    async def _attempt(self, send: Send, tokens: int, on_request: RequestHook) -> Completion:
        passage = await self._gate.admit(call=self._number, tokens=tokens, deadline=self._deadline)
        self.requests_made += 1
        sent_s = self._clock.monotonic()
        try:
            completion = await send()
        except BaseException as error:
            await self._ended(passage, sent_s, error, on_request)
            raise
        await self._ended(passage, sent_s, completion, on_request)
        return completion

    async def _ended(self, passage: Passage, sent_s: float, end: RequestEnd, on_request: RequestHook) -> None:
        timing = RequestTiming(
            queue_wait_s=passage.queue_wait_s,
            retry_wait_s=passage.retry_wait_s + self._backed_off_s,
            latency_s=self._clock.monotonic() - sent_s,
        )
        self._backed_off_s = 0.0
        self._last = end if isinstance(end, CallError) else None
        self._gate.settle(passage, end)
        if isinstance(end, GeneratorExit):
            return  # the coroutine is being thrown away, it cannot wait any more
        with anyio.CancelScope(shield=True):
            await on_request(self.requests_made, timing, end)

    def _is_worth_another(self, error: BaseException) -> bool:
        """Whether it is the error of a request, not of waiting for one, and may pass."""
        return error is self._last and self._last.outcome.is_transient and self.requests_left > 0

    def _back_off_s(self, state: RetryCallState) -> float:
        if self._last is not None and asked_wait_s(self._last) > 0:
            return 0.0  # the gate keeps the wait that the server asked for, for all calls
        exponential = wait_exponential(multiplier=self._policy.back_off_s, max=self._policy.back_off_max_s)
        jitter = 0.5 + self._rng.random() / 2
        return min(exponential(state) * jitter, self._limits.max_wait_s)

    async def _back_off(self, duration_s: float) -> None:
        waiter = Waiter(self._sleep)
        started_s = now_s = self._clock.monotonic()
        until_s = started_s + duration_s
        self._deadline.watch(waiter)
        try:
            while now_s < until_s:
                if until_s >= self._deadline.at_s:
                    raise self._out_of_time() from self._last
                await waiter.pause(until_s - now_s)
                now_s = self._clock.monotonic()
        finally:
            self._deadline.unwatch(waiter)
        self._backed_off_s = now_s - started_s

    def _out_of_time(self) -> CallError:
        return CallError(CallOutcome.OUT_OF_TIME, f"no time is left to try again after {self._last}")

    def _used_up(self) -> CallError:
        return self._last or CallError(
            CallOutcome.NO_ANSWER, f"all {self._limits.attempts} requests that one call may make have been made"
        )
