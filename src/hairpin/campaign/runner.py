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
from hairpin.domain.outcome import StopReason
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import Outcome, RunStatus
from hairpin.errors import EndsRunError, HairpinError, StoreError, UserError
from hairpin.graph.machine import build_machine
from hairpin.graph.state import SutContact


@dataclass(slots=True)
class RunEnd:
    """How a run ended. ``error``: what stopped it, for the caller to raise or report."""

    status: RunStatus = RunStatus.FINISHED
    detail: str = ""
    error: HairpinError | None = None


@dataclass(slots=True)
class _Run:
    job: RunJob
    end: RunEnd = field(default_factory=RunEnd)

    def stop(self, detail: str, error: HairpinError | None = None) -> None:
        """End the run early; the first cause is kept."""
        if self.end.status is RunStatus.FINISHED:
            self.end = RunEnd(status=RunStatus.STOPPED, detail=detail, error=error)
        self.job.stop.set(StopReason.INTERRUPTED)

    def met(self, planned: PlannedConversation, outcome: Outcome | None) -> None:
        """Look at an outcome for what concerns the whole run."""
        if outcome is not None and outcome.stop.reason is StopReason.SUT_UNREACHABLE:
            self.stop(f"the assistant {planned.sut!r} cannot be reached: {outcome.stop.detail}")


async def run_plan(job: RunJob, plan: Iterable[PlannedConversation]) -> RunEnd:
    """Run the planned conversations, ``job.concurrency`` at a time, and return how the run ended.

    A limit of sessions that an adapter declares is kept per assistant. Sessions are closed and attempts without an
    outcome are aborted before this returns, also when it is cancelled.
    """
    run = _Run(job)
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
    if job.stop.interrupted and run.end.status is RunStatus.FINISHED:
        return RunEnd(status=RunStatus.INTERRUPTED)
    return run.end


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
            try:
                async with limiters.get(planned.sut) or nullcontext():
                    if run.job.stop.reason is None:
                        run.met(planned, await worker.run(planned))
            except (StoreError, UserError, EndsRunError) as error:
                run.stop(str(error), error)
