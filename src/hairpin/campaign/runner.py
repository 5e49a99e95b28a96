"""Runs a plan: a fixed number of workers that take from one agenda.

It must not know how a conversation works; ``campaign.conversation`` does.
"""

from __future__ import annotations

from collections.abc import Iterable

import anyio

from hairpin.campaign.agenda import Agenda, Task
from hairpin.campaign.changes import Changes
from hairpin.campaign.conduct import Conduct, RunEnd, admitted, beating, conduct_of
from hairpin.campaign.conversation import Terms, Worker
from hairpin.campaign.events import ConversationEnd
from hairpin.campaign.families import Families, families_of
from hairpin.campaign.job import RunJob
from hairpin.campaign.replaying import open_sources
from hairpin.campaign.sut_gates import SutGate
from hairpin.campaign.sut_health import BreakerRules
from hairpin.domain.plan import PlannedConversation
from hairpin.errors import EndsRunError, StoreError, UserError
from hairpin.graph.machine import build_machine
from hairpin.graph.state import SutContact

_BREAKER_RULES = BreakerRules()


async def run_plan(
    job: RunJob,
    plan: Iterable[PlannedConversation],
    *,
    open_families: Iterable[str] = (),
    asides: Iterable[PlannedConversation] = (),
    breaker: BreakerRules = _BREAKER_RULES,
) -> RunEnd:
    """Run the planned conversations, ``job.concurrency`` at a time, and return how the run ended.

    Args:
        job: what conversations work with.
        plan: the conversations, in order.
        open_families: ids of finished conversations whose follow-ups are gone on with first (``RunProgress``).
        asides: trials and canaries that are missing of conversations that have ended; they go before the plan.
        breaker: when an assistant that errs is left alone.

    With ``job.replaying`` each conversation that ends is replayed, and ``job.asides`` says which trials and canaries
    follow it: both go before what is left of the plan. A limit of sessions that an adapter declares is kept per
    assistant. An assistant whose conversations end with errors in a row is left alone for a while and, if it errs then
    too, for good (``breaker``): the conversations left are not run, those of other assistants are, and the run counts
    as stopped. Sessions are closed and attempts without an outcome are aborted before this returns, also when it is
    cancelled.
    """
    run, changes = conduct_of(job, breaker), Changes(job.stop)
    left = () if job.replaying is None else tuple(open_sources(job.store.conversation, open_families))
    machine = build_machine()
    contacts = {label: SutContact() for label in job.adapters}
    async with beating(job), families_of(run, changes) as families:
        families.go_on_with((planned, job.stop) for planned in left)
        agenda = Agenda(run, plan, families, changes, asides=asides)
        async with anyio.create_task_group() as group:
            for number in range(job.concurrency):
                worker = Worker(name=f"worker-{number}", job=job, machine=machine, contacts=contacts)
                group.start_soon(_work, run, worker, agenda, families)
    return run.closing()


async def _work(run: Conduct, worker: Worker, agenda: Agenda, families: Families) -> None:
    while (task := await agenda.next()) is not None:
        await _do(run, worker, task, agenda, families)


async def _do(run: Conduct, worker: Worker, task: Task, agenda: Agenda, families: Families) -> None:
    """Run a conversation if there is money for it and its assistant may still be talked to."""
    planned, gate, again = task.planned, run.gates[task.planned.sut], False
    try:
        async with admitted(run.job, planned) as allowed:
            # The gate may have closed while this waited for money.
            again = allowed and planned.asks_assistant and not gate.is_open()
            if allowed and not again:
                end = await _passing(gate, worker, planned)
                task.met(end)
                run.met(planned, end)
                families.ended(planned, end, run.job.stop)
                agenda.ended(planned, end)
    except (StoreError, UserError, EndsRunError) as error:
        run.stop(str(error), error)
    finally:
        agenda.done(task, again=again)


async def _passing(gate: SutGate, worker: Worker, planned: PlannedConversation) -> ConversationEnd | None:
    if not planned.asks_assistant:
        return await worker.run(planned, Terms(stop=worker.job.stop))
    end: ConversationEnd | None = None
    probe = gate.begin()
    try:
        end = await worker.run(planned, Terms(stop=worker.job.stop))
    finally:
        gate.end(end.outcome.stop if end is not None else None, probe=probe)
    return end
