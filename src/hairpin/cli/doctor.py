"""``hairpin doctor``: whether everything that a scenario needs is there and answers."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import Annotated

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, fitted, note, say, width


def doctor(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A scenario file, or the name of a shipped one.")],
    settings: options.Settings = None,
    packs: options.Packs = None,
) -> None:
    """Ask each model and the assistant once, and say which hosts and keys a run needs and what it would take."""
    from hairpin.app.doctor import Finding, examine
    from hairpin.app.inputs import load_inputs
    from hairpin.app.loop import run_in_loop
    from hairpin.reports.text import wrap
    from hairpin.settings import read_settings

    codes = [0]

    def tell(finding: Finding) -> None:
        codes.append(finding.exit_code)
        mark = "ok    " if finding.ok else "FAIL  "
        say("\n".join(wrap(f"{finding.subject}: {finding.text}", width=width(), first=mark, rest=" " * len(mark))))

    async def main() -> None:
        await examine(inputs, read_settings(), tell)

    with errors_as_messages():
        with redirect_stdout(sys.stderr):
            inputs = load_inputs(scenario, packs=packs or (), overrides=options.parse_settings(settings))
        note(fitted(inputs.cast.line, sys.stderr))
        run_in_loop(main)
    raise typer.Exit(max(codes))
