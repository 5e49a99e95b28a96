"""A run whose store and log are open: models are connected, judges tried, conversations run, the end stored.

It must not know whether the run is a new one; ``app.run`` and ``app.resume`` do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import anyio
from structlog.typing import FilteringBoundLogger

from hairpin.app.asides import asides_of
from hairpin.app.cast import of_roles
from hairpin.app.recorded import planned_of, recordings_of
from hairpin.app.replaying import replaying
from hairpin.app.request import RunRequest
from hairpin.app.spending import Admission
from hairpin.app.system import new_id
from hairpin.campaign.conduct import RunEnd
from hairpin.campaign.job import RunJob
from hairpin.campaign.replaying import Replaying
from hairpin.campaign.runner import run_plan
from hairpin.campaign.study import run_campaign
from hairpin.campaign.watchdog import Watchdog
from hairpin.domain.campaign import CampaignSpec
from hairpin.domain.canary import CanaryResult
from hairpin.domain.outcome import StopReason
from hairpin.domain.panels import PlayerKey
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.progress import RunProgress
from hairpin.domain.records import RunInfo, RunStatus
from hairpin.domain.scenario import Scenario
from hairpin.errors import CanaryError, EndsRunError, HairpinError, ProviderStoppedError, SutError, UserError
from hairpin.graph.sut_call import describe_error
from hairpin.llm.budget import Budget
from hairpin.llm.traffic.waiting import Deadline
from hairpin.ports import ChatModel, Clock, RoleError, Roles, SutAdapter
from hairpin.store.runs import SqlRunStore

NODE_LIMIT_CALLS = 4
"""A node of the state machine is stuck when it has taken so many times what its longest call may take."""

LEAST_NODE_LIMIT_S = 600.0

Plan: TypeAlias = CampaignSpec | tuple[PlannedConversation, ...]
"""A campaign is planned as it goes; any other run is planned before it begins."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What a run plays on.

    ``done``: what a process before this one has done, ``None`` in a new run. ``trials``: only these are run, of a run
    that is stored, and how that run stands is left as it is.
    """

    request: RunRequest
    run: RunInfo
    adapters: Mapping[str, SutAdapter]
    store: SqlRunStore
    logger: FilteringBoundLogger
    clock: Clock
    budget: Budget
    admission: Admission
    clean: Callable[[str], str]
    done: RunProgress | None = None
    trials: tuple[PlannedConversation, ...] | None = None
    deadline: Deadline = field(default_factory=Deadline)

    async def play(self) -> RunEnd:
        """Run what is left to run, and store how it ended.

        Raises:
            StoreError: the run cannot be stored.
        """
        if self.trials is not None:
            return await self._try(self.trials)
        store = self.store
        active_s = sum(each.active_s for each in self.done.activity) if self.done is not None else 0.0
        before_s = max(self.run.elapsed_s, active_s)  # a process that was killed stored no more than its active time
        started_s = self.clock.monotonic()
        if self.done is None:
            await store.create_run(self.run)
        else:
            await store.finish_run(RunStatus.RUNNING, detail="resumed", elapsed_s=before_s)
        plan = await self._plan()
        self._log_start()
        end = RunEnd(status=RunStatus.INTERRUPTED, detail="cancelled")
        try:
            end = await self._ended(plan)
        finally:
            with anyio.CancelScope(shield=True):
                elapsed_s = before_s + self.clock.monotonic() - started_s
                await store.finish_run(end.status, detail=self.clean(end.detail), elapsed_s=elapsed_s)
            ended = {"status": end.status, "detail": end.detail, "elapsed_s": elapsed_s}
            self.logger.info("run_ended", run=self.run.run_id, **ended)
        return end

    async def _try(self, trials: tuple[PlannedConversation, ...]) -> RunEnd:
        self.request.listener.run_started(n_planned=len(trials))
        self.logger.info("trials_started", run=self.run.run_id, number=len(trials))
        end = self._as_error(await self._ended(()))
        self.logger.info("trials_ended", run=self.run.run_id, status=end.status, detail=end.detail)
        return end

    def _as_error(self, end: RunEnd) -> RunEnd:
        """Return ``end`` with what ended trials early: nothing is stored of that, so only its error tells it."""
        if end.status is not RunStatus.STOPPED or end.error is not None:
            return end
        if self.admission.refusal or self.budget.exhausted:
            return replace(end, notes=(*end.notes, end.detail))
        return replace(end, error=SutError(end.detail))

    async def _ended(self, plan: Plan) -> RunEnd:
        """Run the plan; whatever ends it early is an end too."""
        try:
            return self._told(await self._converse(plan))
        except (UserError, EndsRunError) as error:
            return RunEnd(status=RunStatus.STOPPED, detail=str(error).partition("\n")[0], error=error)
        except Exception as error:
            self.logger.exception("run_broke", run=self.run.run_id)
            told = self.clean(describe_error(_first_cause(error)))
            detail = f"Hairpin itself failed: {told}; log.jsonl has the traceback"
            return RunEnd(status=RunStatus.STOPPED, detail=detail, error=HairpinError(detail))

    def _log_start(self) -> None:
        """Log what begins or goes on; and of a file of conversations every line that was skipped."""
        event = "run_started" if self.done is None else "run_resumed"
        finished = 0 if self.done is None else len(self.done.finished)
        self.logger.info(event, run=self.run.run_id, suts=sorted(self.adapters), finished=finished)
        if self.done is not None:
            return
        if (seeds := self.request.inputs.test_seeds) is not None:
            told = seeds.imported.model_dump(exclude={"problems"})
            self.logger.info("test_seeds_read", **told, digest=seeds.digest)
            for missing in seeds.imported.problems:
                self.logger.warning("test_seed_skipped", record=missing.record, id=missing.id, what=missing.what)
        read = self.request.inputs.recordings
        if read is None:
            return
        counts = {"conversations": len(read.recordings), "skipped": read.n_skipped, "formats": dict(read.formats)}
        self.logger.info("recordings_read", file=read.file, digest=read.digest, notes=list(read.notes), **counts)
        for problem in read.problems:
            self.logger.warning("recording_skipped", line=problem.line, what=problem.what)

    async def _plan(self) -> Plan:
        """Return what is to be run, stored unless it is lazily planned, and tell the listener how much that is."""
        done, spec = self.done or RunProgress(), self.request.inputs.scenario.campaign
        if self.run.campaign and spec is not None:
            self.request.listener.run_started(n_planned=_left(spec, done))
            return spec
        plan = done.unfinished
        if not plan and not done.finished:
            plan = tuple(planned_of(self.request.inputs, tuple(self.adapters)))
            await self.store.add_plan(plan)
        self.request.listener.run_started(n_planned=len(plan))
        return plan

    async def _converse(self, plan: Plan) -> RunEnd:
        cast = self.request.inputs.cast
        if not cast.models:
            return await self._run(plan, cast.roles({}))
        # Only here, because LangChain takes a second to load.
        from hairpin.app.models import ModelTools, open_models, try_judges

        tools = ModelTools(
            settings=self.request.settings,
            logger=self.logger,
            clock=self.clock,
            log=self.store,
            budget=self.budget,
            rng_seed=self.request.inputs.scenario.rng_seed,
            cache=self.request.cache,
            deadline=self.deadline,
        )
        async with open_models(cast, self.request.inputs.prices, tools) as models:
            roles = cast.roles(models.by_role)
            if self.request.canary:
                with self.request.stop.guard() as guard:
                    results = await _asked(try_judges(cast, roles))
                    self.logger.info("canaries_asked", number=len(results), wrong=[str(r) for r in results if not r.ok])
                    _refuse_wrong(results)
                if guard.cancelled_caught:
                    return RunEnd(status=RunStatus.INTERRUPTED)
            return await self._run(plan, roles, models=models.by_role, health=models.health)

    async def _run(
        self,
        plan: Plan,
        roles: Roles,
        *,
        models: Mapping[PlayerKey, ChatModel] | None = None,
        health: Callable[[], tuple[str, ...]] = tuple,
    ) -> RunEnd:
        request, done = self.request, self.done or RunProgress()
        async with replaying(request.inputs, of_roles(models or {}), request.settings, self.logger) as replays:
            job = self._job(roles, lambda: (*self._spent(), *health()), replays)
            if self.trials is not None:
                return await _judged_first(job, self.trials)
            missing = job.asides.missing(self.store.ended(), done.finished_asides) if job.asides.any else ()
            if isinstance(plan, CampaignSpec):
                return await run_campaign(job, plan, done, asides=missing)
            open_families = done.open_families if replays is not None else ()
            return await run_plan(job, plan, open_families=open_families, asides=missing)

    def _spent(self) -> tuple[str, ...]:
        """Return what models have used so far, in words."""
        spent = self.budget.spent
        if not spent.tokens:
            return ()
        cost = "cost unknown" if spent.cost_usd is None else f"{spent.cost_usd:.4f} USD"
        return (f"models: {spent.tokens} tokens, {cost}",)

    def _job(self, roles: Roles, models: Callable[[], tuple[str, ...]], replays: Replaying | None) -> RunJob:
        request, inputs = self.request, self.request.inputs
        call_s = longest_call_s(inputs.scenario)
        return RunJob(
            scenario=inputs.scenario,
            adapters=self.adapters,
            roles=roles,
            store=self.store,
            clock=self.clock,
            new_id=new_id,
            logger=self.logger,
            watchdog=Watchdog(limit_s=max(LEAST_NODE_LIMIT_S, NODE_LIMIT_CALLS * call_s), logger=self.logger),
            checks=inputs.checks,
            turn_checks=inputs.turn_checks,
            stop=request.stop,
            listener=request.listener,
            concurrency=request.concurrency,
            admission=self.admission.admit,
            call_timeout_s=call_s,
            move_deadline=self.deadline.move,
            models=models,
            tracing=request.settings.langsmith,
            clean=self.clean,
            recordings={recording.id: recording for recording in recordings_of(inputs)},
            replaying=replays,
            asides=asides_of(inputs),
        )

    def _told(self, end: RunEnd) -> RunEnd:
        """Return ``end``; a run that the budget cut short was stopped, not finished."""
        if end.status is RunStatus.FINISHED and (why := self.admission.refusal or self.budget.exhausted):
            return replace(end, status=RunStatus.STOPPED, detail=f"the budget ended the run: {why}")
        return end


def longest_call_s(scenario: Scenario) -> float:
    """Return the longest time-out of a call to the assistant or to a model."""
    return max([scenario.turn_timeout_s, *(model.limits.timeout_s for model in scenario.modelled_roles.values())])


async def _judged_first(job: RunJob, trials: Sequence[PlannedConversation]) -> RunEnd:
    """Run the trials that ask the assistant nothing before the others, which end with it where it is down by now."""
    end = await run_plan(job, (), asides=(trial for trial in trials if not trial.asks_assistant))
    if end.status is not RunStatus.FINISHED:
        return end
    rest = await run_plan(job, (), asides=(trial for trial in trials if trial.asks_assistant))
    return replace(rest, notes=(*end.notes, *rest.notes))


def _left(spec: CampaignSpec, done: RunProgress) -> int | None:
    return None if spec.conversations is None else max(0, spec.conversations - len(done.finished))


def _first_cause(error: Exception) -> Exception:
    """Return what a group of errors is about: the first error in it."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error


async def _asked(canaries: Awaitable[tuple[CanaryResult, ...]]) -> tuple[CanaryResult, ...]:
    """Return what the judges said. Raises HairpinError when one could not be asked: that says nothing of the judge."""
    try:
        return await canaries
    except RoleError as error:
        what = f"the judges could not be tried before the run: {error.detail}"
        if error.reason is StopReason.BUDGET:
            raise UserError(f"{what}; raise the limit, or run with --no-canary") from error
        raise ProviderStoppedError(what) from error


def _refuse_wrong(results: Sequence[CanaryResult]) -> None:
    wrong = [str(result) for result in results if not result.ok]
    if wrong:
        raise CanaryError(wrong, n_asked=len(results))
