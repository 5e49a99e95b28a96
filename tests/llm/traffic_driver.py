"""Drives traffic in virtual time: an endpoint that fails as told, and callers that note what they saw."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random

import anyio
import structlog

from hairpin.domain.llm_calls import CallOutcome, TokenCounts
from hairpin.domain.model_spec import ModelLimits
from hairpin.llm.completion import CallError, Completion
from hairpin.llm.traffic.endpoint import EndpointTraffic
from hairpin.llm.traffic.policy import RequestEnd, RequestTiming, TrafficPolicy
from hairpin.llm.traffic.waiting import Deadline
from tests.virtual_time import VirtualClock

ANSWER = Completion(text="yes", tokens=TokenCounts(prompt_tokens=60, completion_tokens=40))
Behaviour = Callable[["Endpoint"], CallError | Completion]


def rate_limited(retry_after_s: float | None = None) -> CallError:
    return CallError(CallOutcome.RATE_LIMITED, "slow down", retry_after_s=retry_after_s)


def failed(outcome: CallOutcome) -> CallError:
    return CallError(outcome, "no luck")


@dataclass
class Endpoint:
    """Takes ``latency_s`` per request and ends it as ``behaviour`` says when it arrives."""

    behaviour: Behaviour = lambda _: ANSWER
    latency_s: float = 1.0
    started_at: list[float] = field(default_factory=list)
    in_flight: int = 0
    peak: int = 0
    n_answered: int = 0
    n_cut: int = 0

    async def send(self) -> Completion:
        self.started_at.append(anyio.current_time())
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        try:
            end = self.behaviour(self)
            await anyio.sleep(self.latency_s)
        except anyio.get_cancelled_exc_class():
            self.n_cut += 1
            raise
        finally:
            self.in_flight -= 1
        if isinstance(end, CallError):
            raise end
        self.n_answered += 1
        return end


@dataclass
class Seen:
    """What the hook was told, and how calls ended."""

    requests: list[tuple[int, RequestTiming, RequestEnd]] = field(default_factory=list)
    ends: list[CallOutcome] = field(default_factory=list)
    errors: list[CallError] = field(default_factory=list)
    made: list[int] = field(default_factory=list)

    async def hook(self, number: int, timing: RequestTiming, end: RequestEnd) -> None:
        await anyio.lowlevel.checkpoint()
        self.requests.append((number, timing, end))


def scripted(*ends: CallError | Completion) -> Behaviour:
    """Return a behaviour that goes through ``ends`` and answers well afterwards."""
    left = iter(ends)
    return lambda _: next(left, ANSWER)


def traffic_to(limits: ModelLimits | None = None, *, policy: TrafficPolicy | None = None) -> EndpointTraffic:
    return EndpointTraffic(
        "http://model",
        limits or ModelLimits(),
        clock=VirtualClock(),
        rng=Random(7),
        logger=structlog.wrap_logger(structlog.ReturnLogger()),
        policy=policy or TrafficPolicy(),
    )


async def call_once(
    traffic: EndpointTraffic,
    send: Callable[[], Awaitable[Completion]],
    seen: Seen,
    *,
    deadline: Deadline | None = None,
    tokens: int = 100,
) -> None:
    """Make one call of one request and note how it ended."""
    call = traffic.call(deadline)
    try:
        await call.request(send, estimated_tokens=tokens, on_request=seen.hook)
        seen.ends.append(CallOutcome.OK)
    except CallError as error:
        seen.ends.append(error.outcome)
        seen.errors.append(error)
    finally:
        seen.made.append(call.requests_made)


async def call_often(
    traffic: EndpointTraffic,
    send: Callable[[], Awaitable[Completion]],
    seen: Seen,
    *,
    workers: int,
    calls_each: int = 1,
    deadline: Deadline | None = None,
) -> None:
    """Let ``workers`` make their calls at the same time."""

    async def work() -> None:
        for _ in range(calls_each):
            await call_once(traffic, send, seen, deadline=deadline)

    async with anyio.create_task_group() as group:
        for _ in range(workers):
            group.start_soon(work)
