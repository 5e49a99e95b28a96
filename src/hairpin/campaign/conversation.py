"""One planned conversation from lease to outcome: open a session, run the state machine, close, store.

It decides nothing about the run; it says what it met.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import anyio

from hairpin.campaign.events import ConversationEnd
from hairpin.campaign.job import RunJob
from hairpin.campaign.opening import closing, open_played
from hairpin.campaign.playing import playing_of
from hairpin.domain.outcome import Stop, StopReason
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import Outcome
from hairpin.domain.scoring import Judgement, judge, unjudged
from hairpin.domain.summary import RETRIED
from hairpin.errors import StoreError
from hairpin.graph.machine import Machine, run_conversation
from hairpin.graph.pulse import Pulse
from hairpin.graph.state import ConversationDeps, ConversationState, SutContact, first_stop
from hairpin.graph.stopping import StopToken


def _never(_: Outcome) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms a conversation runs: what ends it, whether what broke it is tried again, and its arm's clock."""

    stop: StopToken
    may_retry: Callable[[Outcome], bool] = _never
    active_s: Callable[[], float] | None = None


@dataclass(frozen=True, slots=True)
class Worker:
    """What runs conversations one after another; ``contacts`` remembers per assistant whether it has answered."""

    name: str
    job: RunJob
    machine: Machine
    contacts: dict[str, SutContact]

    async def run(self, planned: PlannedConversation, terms: Terms) -> ConversationEnd | None:
        """Run one conversation and store how it ended; ``None`` when it was interrupted.

        Raises:
            StoreError: a row could not be stored.
            UserError: the adapter says the user must mend something first.
            EndsRunError: a model that plays a role takes no call any more.
        """
        listener = self.job.listener
        tell_start, tell_end = listener.conversation_started, listener.conversation_ended
        if planned.is_follow_up:
            tell_start, tell_end = listener.follow_up_started, listener.follow_up_ended
        elif planned.is_aside:
            tell_start, tell_end = listener.aside_started, listener.aside_ended
        tell_start(planned)
        end: ConversationEnd | None = None
        try:
            again = True
            while again:
                end, again = await self._attempt(planned, terms)
        finally:
            tell_end(planned, end)
        return end

    async def _attempt(self, planned: PlannedConversation, terms: Terms) -> tuple[ConversationEnd | None, bool]:
        """Try once; return how it ended, and whether the conversation is to be tried again."""
        job, attempt_id = self.job, self.job.new_id()
        given_up = "interrupted"
        await self._lease(planned, attempt_id)
        stored = False
        try:
            with terms.stop.child() as stop, job.watchdog.watching(planned, stop) as pulse:
                end = await self._converse(planned, attempt_id, _Cues(stop, pulse), terms)
            if end is None:
                return None, False
            if terms.may_retry(end.outcome):
                given_up = f"{RETRIED}: {end.outcome.stop.reason}: {end.outcome.stop.detail}"
                job.listener.conversation_retried(planned, end.outcome.stop)
                return None, True
            await job.store.finish_attempt(attempt_id, end.outcome)
            stored = True
            return end, False
        finally:
            job.holding.discard(attempt_id)
            if not stored:
                with anyio.CancelScope(shield=True):
                    await job.store.abort_attempt(attempt_id, given_up)

    async def _lease(self, planned: PlannedConversation, attempt_id: str) -> None:
        job = self.job
        try:
            await job.store.lease(planned, attempt_id=attempt_id, worker=self.name, lease_s=job.lease_s)
            job.holding.add(attempt_id)
        except anyio.get_cancelled_exc_class():
            # Nobody knows whether the attempt was opened before the cancellation; if not, there is none to abort.
            with anyio.CancelScope(shield=True), suppress(StoreError):
                await job.store.abort_attempt(attempt_id, "interrupted")
            raise

    async def _converse(
        self, planned: PlannedConversation, attempt_id: str, cues: _Cues, terms: Terms
    ) -> ConversationEnd | None:
        """Hold the conversation; ``None``: it was interrupted."""
        job, started_s = self.job, self.job.clock.monotonic()
        stop, state = await self._played(planned, attempt_id, cues)
        stop = stop.model_copy(update={"detail": job.clean(stop.detail)})
        if stop.reason is StopReason.INTERRUPTED:
            return None
        now_s = job.clock.monotonic()
        outcome = _outcome(planned, stop, state, job).model_copy(
            update={"elapsed_s": now_s - started_s, "active_s": terms.active_s() if terms.active_s else None}
        )
        return ConversationEnd(
            outcome=outcome,
            failures=state["failures"] if state else (),
            targets=state["targets"] if state else (),
            utterances=tuple(exchange.user for exchange in state["exchanges"]) if state else (),
            strategies=tuple(exchange.strategy for exchange in state["exchanges"]) if state else (),
            judging_s=0.0 if cues.pulse.answered_s is None else now_s - cues.pulse.answered_s,
        )

    async def _played(
        self, planned: PlannedConversation, attempt_id: str, cues: _Cues
    ) -> tuple[Stop, ConversationState | None]:
        job, playing = self.job, playing_of(self.job, planned)
        contact = self.contacts[planned.sut] if planned.asks_assistant else SutContact()
        opened = await open_played(job, planned, playing, contact, cues.stop)
        if isinstance(opened, Stop):
            return opened, None
        deps = ConversationDeps(
            planned=planned,
            scenario=job.scenario,
            roles=job.roles,
            session=opened.session,
            log=job.store.log(attempt_id),
            clock=job.clock,
            stop=cues.stop,
            turns=replace(playing.turns, notes=(*playing.turns.notes, *opened.notes)),
            latencies_ms=playing.latencies_ms,
            rng_root=playing.rng_root,
            ending=playing.ending,
            contact=contact,
            # Checks are made for the assistant; of a canary only the judges are tried.
            checks=() if planned.canary is not None else job.checks,
            turn_checks=() if planned.canary is not None else job.turn_checks,
            attempt_id=attempt_id,
            pulse=cues.pulse,
        )
        async with closing(opened.session, job, planned):
            state = await run_conversation(self.machine, deps, tracing=job.tracing)
        return first_stop(state) or Stop(reason=StopReason.INTERNAL_ERROR, detail="ended without a reason"), state


@dataclass(frozen=True, slots=True)
class _Cues:
    """What one attempt listens to and is heard by."""

    stop: StopToken
    pulse: Pulse


def _outcome(planned: PlannedConversation, stop: Stop, state: ConversationState | None, job: RunJob) -> Outcome:
    judgement = state.get("verdict") if state else None
    if planned.replay is not None:
        judgement = unjudged(stop)
    pending = state["utterance"] if state else None
    return Outcome(
        stop=stop,
        judgement=judgement or _unseen(stop, job),
        pending_utterance=pending.text if pending else None,
    )


def _unseen(stop: Stop, job: RunJob) -> Judgement:
    """Return what is said of a conversation that no judge has seen."""
    rubric = job.scenario.rubric
    return judge(
        stop=stop,
        scores=(),
        targets=(),
        weights=rubric.weights,
        threshold=rubric.threshold,
        scored=job.scenario.oracles.dimensions,
        check_failed=False,
    )
