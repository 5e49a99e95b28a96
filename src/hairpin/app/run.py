"""A run, whole: adapters, run directory, store, runner, summary and report.

It must not print; the command line and the API do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

import anyio
from structlog.typing import FilteringBoundLogger

from hairpin.app.assistants import adapters_of, closing_adapters
from hairpin.app.credentials import credentials_of, require_access
from hairpin.app.inputs import RunInputs
from hairpin.app.recorded import imported, kept_in_run, longest, planned_of, recordings_of
from hairpin.app.spending import KeepingBack, SpendingLimits, budget_of
from hairpin.app.stored import StoredRun, open_stored
from hairpin.app.system import SystemClock, log_to, new_id
from hairpin.campaign.events import RunListener, SilentListener
from hairpin.campaign.job import RunJob
from hairpin.campaign.runner import RunEnd, run_plan
from hairpin.domain.canary import CanaryResult
from hairpin.domain.fingerprint import fingerprint
from hairpin.domain.gate import Gate
from hairpin.domain.outcome import StopReason
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import RunInfo, RunStatus
from hairpin.domain.scenario import Scenario
from hairpin.domain.summary import to_json
from hairpin.errors import CanaryError, EndsRunError, HairpinError, ProviderStoppedError, UserError
from hairpin.graph.stopping import StopToken
from hairpin.graph.sut_call import describe_error
from hairpin.llm.budget import Budget
from hairpin.packs.recordings import dump_recordings, recordings_digest
from hairpin.packs.scenarios import dump_scenario, scenario_fingerprint_parts
from hairpin.ports import Clock, RoleError, Roles, SutAdapter
from hairpin.reports.html import render_html
from hairpin.reports.model import ReportModel
from hairpin.settings import LogLevel, Settings, read_settings
from hairpin.store.directory import RUNS_FOLDER, RunDirectory, create_run_directory, write_text
from hairpin.store.runs import SqlRunStore, create_store


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What to run.

    Attributes:
        adapters: by label; take the place of the scenario's own assistant.
        spending: what models may cost.
        canary: whether judges that models play are tried before anything is spent on conversations.
        cache: the file of the response cache; ``None`` is off.
    """

    inputs: RunInputs
    adapters: Mapping[str, SutAdapter] = field(default_factory=dict)
    out: Path = Path(RUNS_FOLDER)
    concurrency: int = 4
    gate: Gate = field(default_factory=Gate)
    listener: RunListener = field(default_factory=SilentListener)
    stop: StopToken = field(default_factory=StopToken)
    settings: Settings = field(default_factory=read_settings)
    spending: SpendingLimits = field(default_factory=SpendingLimits)
    canary: bool = True
    cache: Path | None = None
    log_level: LogLevel = LogLevel.INFO


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A run that ended, however it ended. ``error`` is what stopped it early; ``notes``: what else went wrong."""

    directory: RunDirectory
    report: ReportModel
    error: HairpinError | None = None
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 gate passed, 1 gate failed, 2 the user can fix it, 3 something broke; signals are the command line's."""
        return self.report.exit_code if self.error is None else self.error.exit_code


async def run_scenario(request: RunRequest) -> FinishedRun:
    """Run a scenario against its assistants and write the run directory.

    Raises:
        UserError: something must be mended before anything runs.
        StoreError: the run directory cannot be written.
    """
    clock = SystemClock()
    notes: list[str] = []
    clean = credentials_of(request.inputs.scenario, request.settings.environ).clean
    request = replace(request, inputs=kept_in_run(request.inputs, clean))
    scenario = request.inputs.scenario
    budget = budget_of(request.inputs.cast, request.inputs.prices, request.spending, n_turns=longest(request.inputs))
    require_access(request.inputs.cast.models, request.settings, cache=request.cache)
    adapters = request.adapters or adapters_of(scenario, request.settings, recordings=recordings_of(request.inputs))
    async with closing_adapters(adapters, notes):
        created = clock.now()
        run = _run_info(request.inputs, adapters, run_id=new_id(), created=created)
        directory = create_run_directory(request.out, scenario.id, created=created, run_id=run.run_id)
        write_text(directory.scenario, dump_scenario(scenario))
        if recordings := recordings_of(request.inputs):
            write_text(directory.recordings, dump_recordings(recordings))
        with (
            create_store(directory.database, clock=clock) as store,
            log_to(directory.log, level=request.log_level, clean=clean) as logger,
        ):
            keeping = KeepingBack(request.listener, budget)
            stage = _Stage(
                request,
                run,
                adapters,
                store=store,
                logger=logger,
                clock=clock,
                keeping=keeping,
                budget=budget,
                clean=clean,
            )
            end = await stage.play()
    with open_stored(directory.path) as stored:
        return replace(_finish(stored, request.gate, end), notes=tuple(map(clean, notes)))


@dataclass(frozen=True, slots=True)
class _Stage:
    """A run whose store and log are open: models are connected, judges tried, conversations run, the end stored."""

    request: RunRequest
    run: RunInfo
    adapters: Mapping[str, SutAdapter]
    store: SqlRunStore
    logger: FilteringBoundLogger
    clock: Clock
    budget: Budget
    keeping: KeepingBack
    clean: Callable[[str], str]

    async def play(self) -> RunEnd:
        store = self.store
        plan = tuple(planned_of(self.request.inputs, tuple(self.adapters)))
        started_s = self.clock.monotonic()
        await store.create_run(self.run)
        await store.add_plan(plan)
        self.request.listener.run_started(n_planned=len(plan))
        self.logger.info("run_started", run=self.run.run_id, planned=len(plan), suts=sorted(self.adapters))
        self._log_import()
        end = RunEnd(status=RunStatus.INTERRUPTED, detail="cancelled")
        try:
            end = self._told(await self._converse(plan))
        except (UserError, EndsRunError) as error:
            end = RunEnd(status=RunStatus.STOPPED, detail=str(error).partition("\n")[0], error=error)
        except Exception as error:
            self.logger.exception("run_broke", run=self.run.run_id)
            told = self.clean(describe_error(_first_cause(error)))
            detail = f"Hairpin itself failed: {told}; log.jsonl has the traceback"
            end = RunEnd(status=RunStatus.STOPPED, detail=detail, error=HairpinError(detail))
        finally:
            with anyio.CancelScope(shield=True):
                elapsed_s = self.clock.monotonic() - started_s
                await store.finish_run(end.status, detail=self.clean(end.detail), elapsed_s=elapsed_s)
            ended = {"status": end.status, "detail": end.detail, "elapsed_s": elapsed_s}
            self.logger.info("run_ended", run=self.run.run_id, **ended)
        return end

    def _log_import(self) -> None:
        """Log what became of the file of conversations, every line that was skipped included."""
        read = self.request.inputs.recordings
        if read is None:
            return
        counts = {"conversations": len(read.recordings), "skipped": read.n_skipped, "formats": dict(read.formats)}
        self.logger.info("recordings_read", file=read.file, digest=read.digest, notes=list(read.notes), **counts)
        for problem in read.problems:
            self.logger.warning("recording_skipped", line=problem.line, what=problem.what)

    async def _converse(self, plan: tuple[PlannedConversation, ...]) -> RunEnd:
        cast = self.request.inputs.cast
        if not cast.models:
            return await run_plan(self._job(cast.roles({})), plan)
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
        )
        async with open_models(cast, self.request.inputs.prices, tools) as models:
            roles = cast.roles(models)
            if self.request.canary:
                with self.request.stop.guard() as guard:
                    results = await _asked(try_judges(cast, roles))
                    self.logger.info("canaries_asked", number=len(results), wrong=[str(r) for r in results if not r.ok])
                    _refuse_wrong(results)
                if guard.cancelled_caught:
                    return RunEnd(status=RunStatus.INTERRUPTED)
            return await run_plan(self._job(roles), plan)

    def _job(self, roles: Roles) -> RunJob:
        request, inputs = self.request, self.request.inputs
        return RunJob(
            scenario=inputs.scenario,
            adapters=self.adapters,
            roles=roles,
            store=self.store,
            clock=self.clock,
            new_id=new_id,
            logger=self.logger,
            checks=inputs.checks,
            turn_checks=inputs.turn_checks,
            stop=request.stop,
            listener=self.keeping,
            concurrency=request.concurrency,
            lease_s=lease_s(inputs.scenario, n_turns=longest(inputs)),
            may_start=self.keeping.admit,
            tracing=request.settings.langsmith,
            clean=self.clean,
            recordings={recording.id: recording for recording in recordings_of(inputs)},
        )

    def _told(self, end: RunEnd) -> RunEnd:
        """Return ``end``; a run that the budget cut short was stopped, not finished."""
        if end.status is RunStatus.FINISHED and (why := self.keeping.refusal or self.budget.exhausted):
            return RunEnd(status=RunStatus.STOPPED, detail=f"the budget ended the run: {why}")
        return end


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


def lease_s(scenario: Scenario, *, n_turns: int) -> float:
    """Return seconds that no conversation of ``n_turns`` exchanges outlasts: a lease is not renewed while it runs."""
    return 600 + 2 * scenario.turn_timeout_s * (n_turns + 2)


def _finish(stored: StoredRun, gate: Gate, end: RunEnd) -> FinishedRun:
    report = stored.report(gate)
    write_text(stored.directory.summary, to_json(report.summary))
    write_text(stored.directory.report, render_html(report))
    return FinishedRun(directory=stored.directory, report=report, error=end.error)


def _run_info(inputs: RunInputs, adapters: Mapping[str, SutAdapter], *, run_id: str, created: datetime) -> RunInfo:
    scenario = inputs.scenario
    suts = {label: adapter.describe() for label, adapter in adapters.items()}
    parts = {
        **scenario_fingerprint_parts(scenario),
        **{f"sut.{label}": f"{identity.name} {identity.version}".strip() for label, identity in suts.items()},
        **{f"agent.{role}": player for role, player in inputs.cast.players.items()},
        **{f"{origin.kind}.{origin.name}": origin.digest for origin in inputs.cast.origins},
        "hairpin": version("hairpin"),
    }
    if recordings := recordings_of(inputs):
        parts["recordings"] = recordings_digest(recordings)
    return RunInfo(
        run_id=run_id,
        name=scenario.id,
        title=scenario.title,
        tags=scenario.tags,
        hairpin_version=version("hairpin"),
        created_at=created.isoformat(timespec="seconds"),
        fingerprint=fingerprint(parts),
        fingerprint_parts=parts,
        agents=inputs.cast.players,
        suts=suts,
        threshold=scenario.rubric.threshold,
        critical_modes=scenario.rubric.critical_modes,
        scored=scenario.oracles.dimensions,
        imported=imported(inputs),
    )
