"""``hairpin sut check``: whether an assistant and its adapter can be trusted in a campaign."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, say, width

if TYPE_CHECKING:
    from hairpin.app.sut_check import CheckRequest
    from hairpin.sut.conformance.report import ConformanceReport, Finding


def check(
    adapter: Annotated[
        str,
        typer.Argument(
            metavar="ADAPTER",
            help="A scenario file or the name of a shipped one, whose assistant is meant; or testbed, an installed "
            "adapter, package.module:Name or ./file.py:Name.",
        ),
    ],
    say_: Annotated[
        list[str] | None,
        typer.Option("--say", metavar="TEXT", help="What to say, in place of the scenario's phrases. May be repeated."),
    ] = None,
    sessions: Annotated[
        int | None, typer.Option("--sessions", min=2, max=256, help="How many sessions at once under load; default 8.")
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option("--timeout", metavar="SECONDS", min=0.01, help="For one turn; default: the scenario's, else 60."),
    ] = None,
    packs: options.Packs = None,
    json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON alone.")] = False,
) -> None:
    """Check that an assistant keeps sessions apart, answers in order, and can be cancelled, closed and loaded."""
    from hairpin.app.sut_check import load_check
    from hairpin.reports.conformance import conformance_summary, finding_row

    stdout = sys.stdout

    def tell(finding: Finding) -> None:
        if not json:
            with redirect_stdout(stdout):
                say(finding_row(finding, width=width()))

    with errors_as_messages():
        # What user code prints goes to stderr: stdout is for results.
        with redirect_stdout(sys.stderr):
            request = load_check(adapter, packs=packs or (), say=say_ or (), n_sessions=sessions, timeout_s=timeout)
            report, signal = _checked(request, tell)
        if json:
            say(report.model_dump_json(indent=2))
        elif signal is None:
            say(f"\n{conformance_summary(report)}")
    if signal is not None:
        raise typer.Exit(128 + signal)
    raise typer.Exit(0 if report.passed else 1)


def _checked(request: CheckRequest, tell: Callable[[Finding], None]) -> tuple[ConformanceReport, int | None]:
    """Check; return what was found, and the signal that ended it, if one did."""
    import anyio

    from hairpin.app.loop import run_in_loop
    from hairpin.app.sut_check import check_sut
    from hairpin.cli.execution import Signals
    from hairpin.settings import read_settings

    ways: list[Callable[[], object]] = []

    def stop() -> None:
        for way in ways:
            way()

    async def main() -> ConformanceReport:
        stopping = anyio.CancelScope()
        ways.append(partial(asyncio.get_running_loop().call_soon_threadsafe, stopping.cancel))
        if signals.first is not None:
            stopping.cancel()
        return await check_sut(request, read_settings(), tell=tell, stopping=stopping)

    with Signals(stop, ending="the checks") as signals:
        report = run_in_loop(main)
    return report, signals.first
