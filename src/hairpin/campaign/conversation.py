"""One planned conversation from lease to outcome: open a session, run the state machine, close, store.

It decides nothing about the run; it says what it met.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import anyio

from hairpin.campaign.job import RunJob
from hairpin.domain.outcome import Stop, StopReason
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import Outcome
from hairpin.domain.scoring import judge
from hairpin.domain.sut import SessionStart
from hairpin.errors import StoreError, UserError
from hairpin.graph.machine import Machine, run_graph
from hairpin.graph.state import ConversationDeps, ConversationState, SutContact, first_stop
from hairpin.graph.sut_call import describe_error, stop_of_sut_error
from hairpin.ports import SutAdapter, SutSession


@dataclass(frozen=True, slots=True)
class Worker:
    """What runs conversations one after another; ``contacts`` remembers per assistant whether it has answered."""

    name: str
    job: RunJob
    machine: Machine
    contacts: dict[str, SutContact]

    async def run(self, planned: PlannedConversation) -> Outcome | None:
        """Run one conversation and store how it ended; ``None`` when it was interrupted.

        Raises:
            StoreError: a row could not be stored.
            UserError: the adapter says the user must mend something first.
            EndsRunError: a model that plays a role takes no call any more.
        """
        job = self.job
        attempt_id = job.new_id()
        await self._start(planned, attempt_id)
        job.listener.conversation_started(planned)
        started_s = job.clock.monotonic()
        outcome: Outcome | None = None
        try:
            stop, state = await self._converse(planned, attempt_id)
            stop = stop.model_copy(update={"detail": job.clean(stop.detail)})
            if stop.reason is not StopReason.INTERRUPTED:
                elapsed_s = job.clock.monotonic() - started_s
                outcome = _outcome(stop, state, job, elapsed_s=elapsed_s)
                await job.store.finish_attempt(attempt_id, outcome)
        finally:
            if outcome is None:
                with anyio.CancelScope(shield=True):
                    await job.store.abort_attempt(attempt_id, "interrupted")
            job.listener.conversation_ended(planned, outcome)
        return outcome

    async def _start(self, planned: PlannedConversation, attempt_id: str) -> None:
        store = self.job.store
        try:
            await store.start_attempt(planned.id, attempt_id=attempt_id, worker=self.name, lease_s=self.job.lease_s)
        except anyio.get_cancelled_exc_class():
            # Nobody knows whether the attempt was opened before the cancellation; if not, there is none to abort.
            with anyio.CancelScope(shield=True), suppress(StoreError):
                await store.abort_attempt(attempt_id, "interrupted")
            raise

    async def _converse(self, planned: PlannedConversation, attempt_id: str) -> tuple[Stop, ConversationState | None]:
        job, contact = self.job, self.contacts[planned.sut]
        start = SessionStart(conversation_id=planned.id, context=planned.context, rng_seed=planned.rng_seed)
        session = await open_session(job, job.adapters[planned.sut], start, contact)
        if isinstance(session, Stop):
            return session, None
        deps = ConversationDeps(
            planned=planned,
            scenario=job.scenario,
            roles=job.roles,
            session=session,
            log=job.store.log(attempt_id),
            clock=job.clock,
            stop=job.stop,
            turns=job.user_turns(planned),
            latencies_ms=job.recorded_latencies_ms(planned),
            contact=contact,
            checks=job.checks,
            turn_checks=job.turn_checks,
            attempt_id=attempt_id,
        )
        async with _closing(session, job, planned):
            state = await run_graph(self.machine, deps, tracing=job.tracing)
        return first_stop(state) or Stop(reason=StopReason.INTERNAL_ERROR, detail="ended without a reason"), state


async def open_session(job: RunJob, adapter: SutAdapter, start: SessionStart, contact: SutContact) -> SutSession | Stop:
    """Open a session within the turn's time-out, or say why there is none.

    Raises:
        UserError: the user must mend something first (a missing key, a missing file).
    """
    timeout_s = job.scenario.turn_timeout_s
    with job.stop.guard() as guard:
        try:
            with anyio.fail_after(timeout_s) as scope:
                return await adapter.open(start)
        except UserError:
            raise
        except TimeoutError as error:
            text = f"no session within {timeout_s:g} s" if scope.cancelled_caught else describe_error(error)
            return Stop(reason=StopReason.SUT_ERROR, detail=text)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the assistant raises is data
            return stop_of_sut_error(error, replied_before=contact.replied)
    assert guard.cancelled_caught
    return Stop(reason=StopReason.INTERRUPTED)


@asynccontextmanager
async def _closing(session: SutSession, job: RunJob, planned: PlannedConversation) -> AsyncIterator[None]:
    """Close the session whatever happens, shielded and in bounded time; what goes wrong in closing is logged."""
    try:
        yield
    finally:
        with anyio.move_on_after(job.close_timeout_s, shield=True) as scope:
            try:
                await session.close()
            except (Exception, SystemExit) as error:  # noqa: BLE001 - the conversation is over; closing must not undo it
                job.logger.warning("session_close_failed", conversation=planned.id, error=describe_error(error))
        if scope.cancelled_caught:
            job.logger.warning("session_close_timed_out", conversation=planned.id, after_s=job.close_timeout_s)


def _outcome(stop: Stop, state: ConversationState | None, job: RunJob, *, elapsed_s: float) -> Outcome:
    rubric = job.scenario.rubric
    verdict = state.get("verdict") if state else None
    if verdict is None:
        verdict = judge(
            stop=stop,
            scores=(),
            targets=(),
            weights=rubric.weights,
            threshold=rubric.threshold,
            scored=job.scenario.oracles.dimensions,
            check_failed=False,
        )
    pending = state["utterance"] if state else None
    return Outcome(
        stop=stop, judgement=verdict, pending_utterance=pending.text if pending else None, elapsed_s=elapsed_s
    )
