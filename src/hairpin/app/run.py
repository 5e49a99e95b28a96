"""A run, whole: adapters, run directory, store, runner, summary and report.

It must not print; the command line and the API do.
"""

from __future__ import annotations

from dataclasses import replace

from hairpin.app.assistants import assistants_of, closing_adapters
from hairpin.app.credentials import credentials_of, require_access
from hairpin.app.recorded import kept_in_run, longest, recordings_of
from hairpin.app.request import FinishedRun, RunRequest
from hairpin.app.run_info import run_info_of
from hairpin.app.spending import Admission, budget_of
from hairpin.app.stage import Stage
from hairpin.app.stored import StoredRun, open_stored
from hairpin.app.system import SystemClock, log_to, new_id
from hairpin.campaign.conduct import RunEnd
from hairpin.domain.gate import Gate
from hairpin.domain.summary import to_json
from hairpin.packs.recordings import dump_recordings
from hairpin.packs.scenarios import dump_scenario
from hairpin.reports.html import render_html
from hairpin.store.directory import create_run_directory, write_text
from hairpin.store.runs import create_store


async def run_scenario(request: RunRequest) -> FinishedRun:
    """Run a scenario, or its campaign, against its assistants and write the run directory.

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
    adapters = request.adapters or assistants_of(request)
    async with closing_adapters(adapters, notes):
        created = clock.now()
        run = run_info_of(request, adapters, run_id=new_id(), created=created)
        directory = create_run_directory(request.out, scenario.id, created=created, run_id=run.run_id)
        write_text(directory.scenario, dump_scenario(scenario))
        if recordings := recordings_of(request.inputs):
            write_text(directory.recordings, dump_recordings(recordings))
        with (
            create_store(directory.database, clock=clock) as store,
            store.drive(),
            log_to(directory.log, level=request.log_level, clean=clean) as logger,
        ):
            stage = Stage(
                request,
                run,
                adapters,
                store=store,
                logger=logger,
                clock=clock,
                budget=budget,
                admission=Admission(budget),
                clean=clean,
            )
            end = await stage.play()
    with open_stored(directory.path) as stored:
        return replace(finish(stored, request.gate, end), notes=tuple(map(clean, notes)))


def finish(stored: StoredRun, gate: Gate, end: RunEnd) -> FinishedRun:
    """Write summary and report of a run that ended.

    Raises:
        StoreError: they cannot be written.
    """
    report = stored.report(gate)
    write_text(stored.directory.summary, to_json(report.summary))
    write_text(stored.directory.report, render_html(report))
    return FinishedRun(directory=stored.directory, report=report, error=end.error)
