"""Runs a plan: a fixed number of workers on a bounded stream.

It must not know how a conversation works; ``campaign.conversation`` does.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass, field

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from hairpin.campaign.conversation import Worker
from hairpin.campaign.job import RunJob
from hairpin.campaign.sut_gates import SutGate, SutGates
from hairpin.campaign.sut_health import BreakerRules
from hairpin.domain.outcome import StopReason
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import Outcome, RunStatus
from hairpin.errors import EndsRunError, HairpinError, StoreError, SutError, UserError
from hairpin.graph.machine import build_machine
from hairpin.graph.state import SutContact

_BREAKER_RULES = BreakerRules()


@dataclass(slots=True)
class RunEnd:
    """How a run ended. ``error``: what stopped it, for the caller to raise or report."""

    status: RunStatus = RunStatus.FINISHED
    detail: str = ""
    error: HairpinError | None = None


@dataclass(slots=True)
class _Run:
    job: RunJob
    gates: SutGates
    end: RunEnd = field(default_factory=RunEnd)

    def stop(self, detail: str, error: HairpinError | None = None) -> None:
        """End the run early; the first cause is kept."""
        if self.end.status is RunStatus.FINISHED:
            self.end = RunEnd(status=RunStatus.STOPPED, detail=detail, error=error)
        self.job.stop.set(StopReason.INTERRUPTED)

    async def may_start(self, planned: PlannedConversation) -> bool:
        """Whether a conversation may begin; waits while that depends on others. False when the run ends meanwhile."""
        allowed = False
        if self.job.stop.reason is None:
            with self.job.stop.guard():
                allowed = await self.job.may_start(planned)
        return allowed and self.job.stop.reason is None

    def met(self, planned: PlannedConversation, outcome: Outcome | None) -> None:
        """Look at an outcome for what concerns the whole run."""
        if outcome is not None and outcome.stop.reason is StopReason.SUT_UNREACHABLE:
            self.stop(f"the assistant {planned.sut!r} cannot be reached: {outcome.stop.detail}")
        if self.gates.all_broken:
            self.stop(*self._broken())

    def closing(self) -> RunEnd:
        """Return how the run ended, now that nothing runs any more."""
        if self.end.status is not RunStatus.FINISHED:
            return self.end
        if self.job.stop.interrupted:
            return RunEnd(status=RunStatus.INTERRUPTED)
        if self.gates.errors:
            detail, error = self._broken()
            return RunEnd(status=RunStatus.STOPPED, detail=detail, error=error)
        return self.end

    def _broken(self) -> tuple[str, SutError]:
        error = SutError("; ".join(str(error) for error in self.gates.errors))
        return str(error), error


async def run_plan(
    job: RunJob, plan: Iterable[PlannedConversation], *, breaker: BreakerRules = _BREAKER_RULES
) -> RunEnd:
    """Run the planned conversations, ``job.concurrency`` at a time, and return how the run ended.

    A limit of sessions that an adapter declares is kept per assistant. An assistant whose conversations end with errors
    in a row is left alone for a while and, if it errs then too, for good (``breaker``): the conversations left are not
    run, those of other assistants are, and the run counts as stopped. Sessions are closed and attempts without an
    outcome are aborted before this returns, also when it is cancelled.
    """
    run = _Run(job, gates=_gates(job, breaker))
    machine = build_machine()
    contacts = {label: SutContact() for label in job.adapters}
    limiters = {
        label: anyio.CapacityLimiter(limit)
        for label, adapter in job.adapters.items()
        if (limit := adapter.capabilities.max_sessions) is not None
    }
    send, receive = anyio.create_memory_object_stream[PlannedConversation](job.concurrency)
    async with anyio.create_task_group() as group:
        for number in range(job.concurrency):
            worker = Worker(name=f"worker-{number}", job=job, machine=machine, contacts=contacts)
            group.start_soon(_work, run, worker, receive.clone(), limiters)
        receive.close()
        await _feed(run, plan, send)
    return run.closing()


def _gates(job: RunJob, rules: BreakerRules) -> SutGates:
    return SutGates(
        (label, SutGate(label, rules, clock=job.clock, stop=job.stop, logger=job.logger)) for label in job.adapters
    )


async def _feed(
    run: _Run, plan: Iterable[PlannedConversation], stream: MemoryObjectSendStream[PlannedConversation]
) -> None:
    async with stream:
        for planned in plan:
            if run.job.stop.reason is not None:
                return
            with run.job.stop.guard():
                await stream.send(planned)


async def _work(
    run: _Run,
    worker: Worker,
    stream: MemoryObjectReceiveStream[PlannedConversation],
    limiters: dict[str, anyio.CapacityLimiter],
) -> None:
    async with stream:
        async for planned in stream:
            if not run.gates.put_off(planned):
                await _converse(run, worker, planned, limiters)
            while (due := run.gates.due()) is not None:
                await _converse(run, worker, due, limiters)
    while (left := run.gates.left()) is not None:
        await _converse(run, worker, left, limiters)


async def _converse(
    run: _Run, worker: Worker, planned: PlannedConversation, limiters: dict[str, anyio.CapacityLimiter]
) -> None:
    """Run a conversation as soon as its assistant may be talked to and has a session free; or not at all."""
    gate = run.gates[planned.sut]
    try:
        while await gate.wait():
            async with limiters.get(planned.sut) or nullcontext():
                # The gate may have closed while this waited for a session.
                if gate.is_open():
                    if await run.may_start(planned):
                        run.met(planned, await _passing(gate, worker, planned))
                    return
    except (StoreError, UserError, EndsRunError) as error:
        run.stop(str(error), error)


async def _passing(gate: SutGate, worker: Worker, planned: PlannedConversation) -> Outcome | None:
    outcome: Outcome | None = None
    probe = gate.begin()
    try:
        outcome = await worker.run(planned)
    finally:
        gate.end(outcome.stop if outcome is not None else None, probe=probe)
    return outcome
