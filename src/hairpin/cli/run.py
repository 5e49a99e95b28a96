"""``hairpin run``: run a scenario and say what broke."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, fitted, note, say, width
from hairpin.settings import LogLevel


def run(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A scenario file, or the name of a shipped one.")],
    out: options.Out = Path("runs"),
    settings: options.Settings = None,
    concurrency: options.Concurrency = 4,
    fail_on: options.FailOn = "any",
    packs: options.Packs = None,
    max_cost: options.MaxCost = None,
    max_tokens: options.MaxTokens = None,
    estimate: Annotated[bool, typer.Option("--estimate", help="Say what the run would take, and run nothing.")] = False,
    canary: options.Canary = True,
    cache: options.Cache = None,
    log_level: options.Level = LogLevel.INFO,
    json: Annotated[bool, typer.Option("--json", help="Print summary.json alone to stdout.")] = False,
) -> None:
    """Run a scenario against its assistant and report what broke."""
    from hairpin.app.forecast import estimate_of
    from hairpin.app.inputs import load_inputs
    from hairpin.app.run import RunRequest
    from hairpin.app.spending import SpendingLimits
    from hairpin.cli.execution import run_to_end
    from hairpin.domain.gate import parse_fail_on
    from hairpin.domain.summary import to_json
    from hairpin.reports.estimate_text import estimate_text
    from hairpin.reports.terminal import run_summary

    with errors_as_messages():
        gate = parse_fail_on(fail_on)
        with redirect_stdout(sys.stderr):
            inputs = load_inputs(scenario, packs=packs or (), overrides=options.parse_settings(settings))
        note(fitted(inputs.cast.line, sys.stderr))
        if estimate:
            say(estimate_text(estimate_of(inputs, canary=canary), width=width()).rstrip("\n"))
            raise typer.Exit
        request = RunRequest(
            inputs=inputs,
            out=out,
            concurrency=concurrency,
            gate=gate,
            spending=SpendingLimits(max_cost_usd=max_cost, max_tokens=max_tokens),
            canary=canary,
            cache=cache,
            log_level=log_level,
        )
        finished, code = run_to_end(request)
        if json:
            say(to_json(finished.report.summary).rstrip("\n"))
        else:
            say(run_summary(finished.report, width=width()))
            say(f"report: {finished.directory.report}")
    raise typer.Exit(code)
