"""A run that was stopped, gone on with: what was stored is taken up, what was under way begins again.

It must not print; the command line and the API do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from structlog.typing import FilteringBoundLogger

from hairpin.app.assistants import assistants_of, closing_adapters
from hairpin.app.campaign_inputs import load_stored_inputs
from hairpin.app.credentials import credentials_of, require_access
from hairpin.app.inputs import RunInputs
from hairpin.app.replaying import require_replayable
from hairpin.app.request import FinishedRun, RunRequest
from hairpin.app.run import budget_for, finish, play
from hairpin.app.run_info import run_info_of
from hairpin.app.spending import SpendingLimits
from hairpin.app.stored import StoredRun, open_stored
from hairpin.app.stored_packs import packs_of
from hairpin.campaign.conduct import RunEnd
from hairpin.campaign.events import RunListener
from hairpin.campaign.replaying import open_sources
from hairpin.domain.gate import parse_fail_on
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.progress import RunProgress
from hairpin.domain.records import RunInfo, RunStatus
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import PythonSut, SutSpec
from hairpin.errors import InvalidInputError
from hairpin.graph.stopping import StopToken
from hairpin.packs.functions import adapter_names
from hairpin.packs.scenarios import dump_scenario
from hairpin.ports import SutAdapter
from hairpin.settings import LogLevel, Settings, read_settings
from hairpin.store.directory import RunDirectory, write_text
from hairpin.store.opening import open_run_store
from hairpin.store.target import StoreTarget

GONE = "the process that held it is gone"
"""Why attempts that were under way when a process died were given up."""


@dataclass(frozen=True, slots=True)
class ResumeRequest:
    """What to go on with.

    Attributes:
        run: the run's folder, its database, or the beginning of its name.
        time_s: seconds that each arm of a campaign gets beside what it has not used yet.
        adapters: by label; needed where the assistant was a Python object.
    """

    run: str | Path
    time_s: float | None = None
    adapters: Mapping[str, SutAdapter] = field(default_factory=dict)
    stop: StopToken = field(default_factory=StopToken)
    settings: Settings = field(default_factory=read_settings)
    log_level: LogLevel = LogLevel.INFO


@dataclass(frozen=True, slots=True)
class Resumable:
    """A stored run with everything that going on with it takes.

    ``more_time``: it was given some. ``open_families``: of some conversations not all follow-ups are done and compared.
    """

    directory: RunDirectory
    run: RunInfo
    request: RunRequest
    more_time: bool = False
    open_families: bool = False

    @property
    def done(self) -> bool:
        """Whether nothing is left to do."""
        return self.run.status is RunStatus.FINISHED and not self.more_time and not self.open_families


def load_resumable(wanted: ResumeRequest) -> Resumable:
    """Read a stored run and its inputs; nothing is changed yet.

    Raises:
        UserError: there is no such run, or something that it needs must be mended first.
        StoreError: its database cannot be read.
    """
    with open_stored(wanted.run) as stored:
        directory, run = stored.directory, stored.run_info()
        open_families = _has_open_families(stored)
    settings = run.settings
    packs = packs_of(run, where=directory.path)
    inputs = _with_more_time(load_stored_inputs(directory.scenario, packs=packs), run, wanted)
    adapters = _in_order(wanted.adapters, inputs.scenario, run, where=str(directory.path))
    request = RunRequest(
        inputs=inputs,
        campaign=run.campaign,
        adapters=adapters,
        concurrency=settings.concurrency,
        gate=parse_fail_on(settings.fail_on),
        stop=wanted.stop,
        settings=wanted.settings,
        spending=SpendingLimits(max_cost_usd=settings.max_cost_usd, max_tokens=settings.max_tokens),
        canary=settings.canary,
        cache=None if settings.cache is None else Path(settings.cache),
        packs=packs,
        log_level=wanted.log_level,
    )
    return Resumable(directory, run, request, more_time=wanted.time_s is not None, open_families=open_families)


async def resume_run(resumable: Resumable, *, listener: RunListener, allow_changed: bool = False) -> FinishedRun:
    """Go on with a run until its budgets are used up, and write its summary and report anew.

    ``allow_changed``: also when the assistant, packs or files of the user's are others than before.

    Raises:
        RunBusyError: another process is driving it.
        UserError: what it runs against has changed, or must be mended first.
        StoreError: it cannot be written.
    """
    directory, request = resumable.directory, replace(resumable.request, listener=listener)
    if resumable.done:
        finished = await finish(directory, request, RunEnd())
        return replace(finished, notes=("the run is finished: nothing is left to do",))
    return await go_on(resumable, request, allow_changed=allow_changed)


async def go_on(
    resumable: Resumable,
    request: RunRequest,
    *,
    allow_changed: bool = False,
    trials: tuple[PlannedConversation, ...] | None = None,
) -> FinishedRun:
    """Open a stored run again, with everything that its conversations need, and run what is left of it.

    ``trials``: run only these; what is left of the run is left, and how it stands too. Raises as ``resume_run``.
    """
    directory = resumable.directory
    notes: list[str] = []
    environ, scenario = request.settings.environ, request.inputs.scenario
    clean = credentials_of(scenario, environ, further=StoreTarget.of_environment(environ).secrets).clean
    budget = budget_for(request)
    require_access(request.inputs.cast.models, request.settings, cache=request.cache)
    adapters = request.adapters or assistants_of(request)
    async with closing_adapters(adapters, notes):
        require_replayable(request.inputs, adapters, request.settings)
        now = run_info_of(request, adapters, run_id=resumable.run.run_id, created=request.clock.now())
        changes = changed_parts(resumable.run, now)
        if changes and not allow_changed:
            raise InvalidInputError(
                f"not what the run began with any more: {', '.join(changes)}",
                where=str(directory.path),
                hint="put back what it was, start a new run, or go on all the same with --allow-changed",
            )
        with open_run_store(directory, clock=request.clock, environ=environ) as store:

            async def prepare(logger: FilteringBoundLogger) -> RunProgress:
                if changes:
                    logger.warning("resumed_although_changed", run=resumable.run.run_id, changed=list(changes))
                if trials is None:
                    write_text(directory.scenario, dump_scenario(scenario))
                logger.info("attempts_given_up", number=await store.abort_open_attempts(GONE))
                budget.carry_over(store.llm_requests())
                return store.progress()

            end = await play(
                request,
                resumable.run,
                adapters,
                budget,
                store=store,
                directory=directory,
                clean=clean,
                prepare=prepare,
                trials=trials,
            )
    finished = await finish(directory, request, end)
    return replace(finished, notes=(*finished.notes, *map(clean, notes)))


def changed_parts(before: RunInfo, now: RunInfo) -> tuple[str, ...]:
    """Return what differs between two fingerprints, in words that name the part."""
    parts = sorted({*before.fingerprint_parts, *now.fingerprint_parts})
    return tuple(part for part in parts if before.fingerprint_parts.get(part) != now.fingerprint_parts.get(part))


def _has_open_families(stored: StoredRun) -> bool:
    """Return whether follow-ups are left, also of a run that ended by itself: what makes vectors may have been gone."""
    if stored.scenario().metamorphic is None:
        return False
    names = stored.reader.progress().open_families
    return next(open_sources(stored.reader.conversation, names), None) is not None


def _in_order(
    adapters: Mapping[str, SutAdapter], scenario: Scenario, run: RunInfo, *, where: str
) -> Mapping[str, SutAdapter]:
    """Return the adapters given, in the order of the campaign's assistants: what was planned goes by it."""
    spec = scenario.campaign if run.campaign else None
    suts = (spec.suts if spec else None) or {"": scenario.sut}
    if not adapters:
        _refuse_objects(suts.values(), where)
        return {}
    labels = tuple(suts) if "" not in suts else tuple(sorted(run.suts))
    if set(adapters) != set(labels):
        hint = f"give one for each of its own: {', '.join(map(repr, labels))}"
        given = ", ".join(map(repr, adapters))
        raise InvalidInputError(f"its assistants are others than those given: {given}", where=where, hint=hint)
    return {label: adapters[label] for label in labels}


def _refuse_objects(suts: Iterable[SutSpec], where: str) -> None:
    """Raise where an assistant was a Python object that no reference leads to."""
    for sut in suts:
        if isinstance(sut, PythonSut) and ":" not in sut.reference and sut.reference not in adapter_names():
            raise InvalidInputError(
                f"its assistant was the Python object {sut.reference!r}, which no file names",
                where=where,
                hint="pass it from Python, to hairpin.resume(run, sut=…), hairpin.confirm or hairpin.replay",
            )


def _with_more_time(inputs: RunInputs, run: RunInfo, wanted: ResumeRequest) -> RunInputs:
    if wanted.time_s is None:
        return inputs
    spec = inputs.scenario.campaign
    if not run.campaign or spec is None or spec.time_s is None:
        raise InvalidInputError(
            "the run has no time to be given more of", where="--time", hint="leave --time out; it runs what is left"
        )
    more = spec.model_copy(update={"time_s": spec.time_s + wanted.time_s})
    return replace(inputs, scenario=inputs.scenario.model_copy(update={"campaign": more}))
