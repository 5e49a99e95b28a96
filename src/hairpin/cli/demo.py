"""``hairpin demo``: find planted faults in a small assistant, offline, and raise no alarm on the clean one."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, fitted, note, say, width


def demo(out: options.Out = Path("runs"), concurrency: options.Concurrency = 4) -> None:
    """Test the built-in assistant twice, with three faults planted and without; no network, no key."""
    from hairpin.app.demo import demo_request, settle_demo
    from hairpin.app.run import run_scenario
    from hairpin.cli.execution import run_to_end
    from hairpin.reports.terminal import run_summary, transcript

    with errors_as_messages():
        request = demo_request(out=out, concurrency=concurrency)
        note(fitted(request.inputs.cast.line, sys.stderr))
        finished, code = run_to_end(lambda listener: run_scenario(replace(request, listener=listener)), request.stop)
        finished, findings = settle_demo(finished, request.gate)
        say(run_summary(finished.report, width=width(), max_findings=0))
        if findings.example is not None:
            say(f"One finding, {findings.example.id}:\n")
            say(transcript(findings.example, width=width()))
        for line in findings.lines:
            say(line)
        say(f"report: {finished.directory.report}")
    raise typer.Exit(code if code > 1 else finished.exit_code)
