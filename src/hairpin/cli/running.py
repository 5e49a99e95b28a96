"""What commands that run share: from loaded inputs to the summary, the report's path and the exit code.

It must not know where the inputs come from.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

import typer

from hairpin.cli.console import errors_as_messages, fitted, note, say, width
from hairpin.cli.run_choices import RunChoices

if TYPE_CHECKING:
    from hairpin.app.inputs import RunInputs
    from hairpin.app.request import FinishedRun
    from hairpin.packs.recordings import RecordingsRead
    from hairpin.packs.test_seed_source import SeedsRead
    from hairpin.reports.model import ReportModel

_PROBLEMS_SHOWN = 10


def run_and_tell(
    load: Callable[[], RunInputs], chosen: RunChoices, *, campaign: bool = False, replays: bool = False
) -> NoReturn:
    """Load, run, print what was found, and exit with the gate's code.

    Args:
        load: reads what is run.
        chosen: what the user chose.
        campaign: run the scenario's campaign.
        replays: relations between answers decide, and no judge is tried.
    """
    from hairpin.app.forecast import estimate_of
    from hairpin.app.request import RunRequest
    from hairpin.app.run import run_scenario
    from hairpin.app.spending import SpendingLimits
    from hairpin.cli.execution import run_to_end
    from hairpin.domain.gate import parse_fail_on, require_gate_of_replays
    from hairpin.reports.estimate_text import estimate_text

    canary = chosen.canary and not replays
    with errors_as_messages():
        gate = parse_fail_on(chosen.fail_on)
        if replays:
            require_gate_of_replays(gate)
        with redirect_stdout(sys.stderr):
            inputs = load()
        if inputs.rejudged is None:
            tell_import(inputs.recordings)
        else:
            note(fitted(inputs.rejudged.sentence(), sys.stderr))
        tell_seeds(inputs.test_seeds)
        note(fitted(inputs.cast.line, sys.stderr))
        if chosen.estimate:
            _check_replayable(inputs)
            if campaign and (spec := inputs.scenario.campaign) is not None and spec.conversations is None:
                note("how many conversations there will be depends on how fast they are; these figures are of one")
            say(estimate_text(estimate_of(inputs, canary=canary), width=width()).rstrip("\n"))
            raise typer.Exit
        request = RunRequest(
            inputs=inputs,
            out=chosen.out,
            concurrency=chosen.concurrency,
            gate=gate,
            spending=SpendingLimits(max_cost_usd=chosen.max_cost, max_tokens=chosen.max_tokens),
            canary=canary,
            cache=chosen.cache,
            log_level=chosen.log_level,
            campaign=campaign,
            store=chosen.store,
            packs=chosen.pack_folders,
        )
        finished, code = run_to_end(
            lambda listener: run_scenario(replace(request, listener=listener)), request.stop, campaign=campaign
        )
        tell_end(finished, json=chosen.json)
    raise typer.Exit(code)


def _check_replayable(inputs: RunInputs) -> None:
    """Refuse test seeds that the run would refuse."""
    from hairpin.app.loop import run_in_loop
    from hairpin.app.replaying import check_replayable
    from hairpin.settings import read_settings

    async def main() -> tuple[str, ...]:
        return await check_replayable(inputs, read_settings())

    if inputs.test_seeds is not None:
        with redirect_stdout(sys.stderr):
            notes = run_in_loop(main)
        for told in notes:
            note(f"hairpin: {told}")


def _json(report: ReportModel) -> str:
    """Return the summary; where conversations were judged again, with what is judged differently beside it."""
    from json import dumps

    from hairpin.domain.summary import to_json

    summary, found = to_json(report.summary), report.judge_differences
    if found is None:
        return summary
    told = dumps(found.model_dump(mode="json"), indent=2, allow_nan=False)
    return f'{{\n"summary": {summary.rstrip()},\n"judge_differences": {told}\n}}'


def tell_end(finished: FinishedRun, *, json: bool) -> None:
    """Print what was found and where the report is; with ``json`` the summary alone."""
    from hairpin.reports.terminal import run_summary

    if json:
        say(_json(finished.report).rstrip("\n"))
        return
    say(run_summary(finished.report, width=width()))
    say(f"report: {finished.directory.report}")


def tell_seeds(read: SeedsRead | None) -> None:
    """Say on stderr what was read of a file of test seeds, and which records were skipped."""
    if read is None:
        return
    found = read.imported
    note(fitted(found.sentence(), sys.stderr))
    for problem in found.problems[:_PROBLEMS_SHOWN]:
        note(f"hairpin: {found.file}: {problem}")
    if (more := found.n_skipped - _PROBLEMS_SHOWN) > 0:
        note(f"hairpin: {found.file}: and {more} more records; the run's log.jsonl names them")
    for told in found.notes:
        note(fitted(f"hairpin: {found.file}: {told}", sys.stderr))


def tell_import(read: RecordingsRead | None) -> None:
    """Say on stderr what was read of a file of conversations, and which lines were skipped."""
    if read is None:
        return
    formats = ", ".join(f"{number} as {name}" for name, number in read.formats)
    note(fitted(f"{read.imported().sentence()} (read: {formats})", sys.stderr))
    for problem in read.problems[:_PROBLEMS_SHOWN]:
        note(f"hairpin: {read.file}: {problem}")
    if (more := read.n_skipped - _PROBLEMS_SHOWN) > 0:
        note(f"hairpin: {read.file}: and {more} more lines; the run's log.jsonl names them")
    for told in read.notes:
        note(fitted(f"hairpin: {read.file}: {told}", sys.stderr))
