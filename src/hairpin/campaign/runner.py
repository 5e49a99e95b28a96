"""Runs a plan: a fixed number of workers on a bounded stream.

It must not know how a conversation works; ``campaign.conversation`` does.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from hairpin.campaign.conduct import Conduct, RunEnd, admitted, beating, conduct_of
from hairpin.campaign.conversation import Terms, Worker
from hairpin.campaign.events import ConversationEnd
from hairpin.campaign.job import RunJob
from hairpin.campaign.sut_gates import SutGate
from hairpin.campaign.sut_health import BreakerRules
from hairpin.domain.plan import PlannedConversation
from hairpin.errors import EndsRunError, StoreError, UserError
from hairpin.graph.machine import build_machine
from hairpin.graph.state import SutContact

_BREAKER_RULES = BreakerRules()


async def run_plan(
    job: RunJob, plan: Iterable[PlannedConversation], *, breaker: BreakerRules = _BREAKER_RULES
) -> RunEnd:
    """Run the planned conversations, ``job.concurrency`` at a time, and return how the run ended.

    A limit of sessions that an adapter declares is kept per assistant. An assistant whose conversations end with errors
    in a row is left alone for a while and, if it errs then too, for good (``breaker``): the conversations left are not
    run, those of other assistants are, and the run counts as stopped. Sessions are closed and attempts without an
    outcome are aborted before this returns, also when it is cancelled.
    """
    run = conduct_of(job, breaker)
    machine = build_machine()
    contacts = {label: SutContact() for label in job.adapters}
    limiters = {
        label: anyio.CapacityLimiter(limit)
        for label, adapter in job.adapters.items()
        if (limit := adapter.capabilities.max_sessions) is not None
    }
    send, receive = anyio.create_memory_object_stream[PlannedConversation](job.concurrency)
    async with beating(job), anyio.create_task_group() as group:
        for number in range(job.concurrency):
            worker = Worker(name=f"worker-{number}", job=job, machine=machine, contacts=contacts)
            group.start_soon(_work, run, worker, receive.clone(), limiters)
        receive.close()
        await _feed(run, plan, send)
    return run.closing()


async def _feed(
    run: Conduct, plan: Iterable[PlannedConversation], stream: MemoryObjectSendStream[PlannedConversation]
) -> None:
    async with stream:
        for planned in plan:
            if run.job.stop.reason is not None:
                return
            with run.job.stop.guard():
                await stream.send(planned)


async def _work(
    run: Conduct,
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
    run: Conduct, worker: Worker, planned: PlannedConversation, limiters: dict[str, anyio.CapacityLimiter]
) -> None:
    """Run a conversation as soon as its assistant may be talked to and has a session free; or not at all."""
    gate = run.gates[planned.sut]
    try:
        while await gate.wait():
            async with limiters.get(planned.sut) or nullcontext():
                # The gate may have closed while this waited for a session.
                if gate.is_open():
                    async with admitted(run.job, planned) as allowed:
                        if allowed:
                            run.met(planned, await _passing(gate, worker, planned))
                    return
    except (StoreError, UserError, EndsRunError) as error:
        run.stop(str(error), error)


async def _passing(gate: SutGate, worker: Worker, planned: PlannedConversation) -> ConversationEnd | None:
    end: ConversationEnd | None = None
    probe = gate.begin()
    try:
        end = await worker.run(planned, Terms(stop=worker.job.stop))
    finally:
        gate.end(end.outcome.stop if end is not None else None, probe=probe)
    return end
