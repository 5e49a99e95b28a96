"""A run, whole: adapters, run directory, store, runner, summary and report.

It must not print; the command line and the API do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from structlog.typing import FilteringBoundLogger

from hairpin.app.assistants import assistants_of, closing_adapters
from hairpin.app.credentials import credentials_of, require_access
from hairpin.app.diversity import LocalEncoder, encoding_ahead, find_local_encoder
from hairpin.app.figures import figures_of
from hairpin.app.recorded import kept_in_run, longest, recordings_of, seeds_of
from hairpin.app.replaying import require_replayable
from hairpin.app.request import FinishedRun, RunRequest
from hairpin.app.run_info import run_info_of
from hairpin.app.spending import Admission, budget_of
from hairpin.app.stage import Stage
from hairpin.app.stored import open_stored
from hairpin.app.system import log_to, new_id
from hairpin.campaign.conduct import RunEnd
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.progress import RunProgress
from hairpin.domain.records import RunInfo
from hairpin.domain.summary import to_json
from hairpin.llm.budget import Budget
from hairpin.packs.recordings import dump_recordings
from hairpin.packs.scenarios import dump_scenario
from hairpin.packs.test_seed_source import dump_test_seeds
from hairpin.ports import SutAdapter
from hairpin.reports.html import render_html
from hairpin.store.directory import RunDirectory, create_run_directory, discarded_on_error, write_text
from hairpin.store.opening import create_run_store
from hairpin.store.runs import SqlRunStore
from hairpin.store.target import STORE_VARIABLE, StoreTarget
from hairpin.sut.threads import run_in_daemon_thread


async def run_scenario(request: RunRequest) -> FinishedRun:
    """Run a scenario, or its campaign, against its assistants and write the run directory.

    Raises:
        UserError: something must be mended before anything runs.
        StoreError: the run directory cannot be written.
    """
    clock = request.clock
    notes: list[str] = []
    target = StoreTarget.parse(request.store, where="--store")
    clean = credentials_of(request.inputs.scenario, request.settings.environ, further=target.secrets).clean
    request = replace(request, inputs=kept_in_run(request.inputs, clean))
    scenario = request.inputs.scenario
    budget = budget_for(request)
    require_access(request.inputs.cast.models, request.settings, cache=request.cache)
    adapters = request.adapters or assistants_of(request)
    async with closing_adapters(adapters, notes):
        require_replayable(request.inputs, adapters, request.settings)
        created = clock.now()
        run = run_info_of(request, adapters, run_id=new_id(), created=created)
        name = f"{scenario.id}-rejudged" if scenario.rejudges else scenario.id
        directory = create_run_directory(request.out, name, created=created, run_id=run.run_id)
        with discarded_on_error(directory):
            write_text(directory.scenario, dump_scenario(scenario))
            if recordings := recordings_of(request.inputs):
                write_text(directory.recordings, dump_recordings(recordings))
            if seeds := seeds_of(request.inputs):
                write_text(directory.test_seeds, dump_test_seeds(seeds))
            created_store = create_run_store(target, directory, run_id=run.run_id, clock=clock)
        with created_store as store:
            end = await play(request, run, adapters, budget, store=store, directory=directory, clean=clean)
    finished = await finish(directory, request, end)
    return replace(finished, notes=(*finished.notes, *map(clean, notes)))


def budget_for(request: RunRequest) -> Budget:
    """Return what models may spend in the run of ``request``.

    Raises:
        InvalidInputError: a limit without a model to spend it on, or a limit of money with an unknown price.
    """
    inputs = request.inputs
    return budget_of(inputs.cast, inputs.prices, request.spending, n_turns=longest(inputs))


async def play(
    request: RunRequest,
    run: RunInfo,
    adapters: Mapping[str, SutAdapter],
    budget: Budget,
    *,
    store: SqlRunStore,
    directory: RunDirectory,
    clean: Callable[[str], str],
    prepare: Callable[[FilteringBoundLogger], Awaitable[RunProgress]] | None = None,
    trials: tuple[PlannedConversation, ...] | None = None,
) -> RunEnd:
    """Run what is to be run, as the one process that drives the run, with its log open.

    ``prepare``: does what comes first in a run that is gone on with, and returns what is done of it. ``trials``: only
    these are run.

    Raises:
        RunBusyError: another process is driving the run.
        StoreError: the run cannot be stored.
    """
    with store.drive(), log_to(directory.log, level=request.log_level, clean=clean) as logger:
        done = None if prepare is None else await prepare(logger)
        spec = request.inputs.scenario.campaign if request.campaign and request.diversity else None
        local = await find_local_encoder(request.settings, spec.encoder, logger) if spec else LocalEncoder(None)
        with encoding_ahead(request.listener, local.encoder, logger) as listener:
            stage = Stage(
                replace(request, listener=listener),
                run,
                adapters,
                store=store,
                logger=logger,
                clock=request.clock,
                budget=budget,
                admission=Admission(budget),
                clean=clean,
                done=done,
                trials=trials,
            )
            end = await stage.play()
            listener.run_ended()
            return end


async def finish(directory: RunDirectory, request: RunRequest, end: RunEnd) -> FinishedRun:
    """Write summary and report of a run that ended.

    Vectors that are missing are made meanwhile, by a server if need be, for which an encoder runs a loop of its own:
    hence the thread.

    Raises:
        StoreError: they cannot be written.
    """
    return await run_in_daemon_thread(_finish, directory, request, end)


def _finish(directory: RunDirectory, request: RunRequest, end: RunEnd) -> FinishedRun:
    known = request.settings.environ
    environ = known if request.store is None else {**known, STORE_VARIABLE: request.store}
    with open_stored(directory.path, environ=environ) as stored:
        report = stored.report(
            request.gate, figures=figures_of(stored, request.settings) if request.diversity else None
        )
    write_text(directory.summary, to_json(report.summary))
    write_text(directory.report, render_html(report))
    return FinishedRun(directory=directory, report=report, error=end.error, notes=end.notes)
