"""``hairpin replay``: say a stored conversation again to its assistant, and see whether it ends as it did."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, fitted, note, say, width
from hairpin.settings import LogLevel

if TYPE_CHECKING:
    from hairpin.app.request import FinishedRun
    from hairpin.campaign.events import RunListener
    from hairpin.domain.reproduction import ReproductionReport
    from hairpin.reports.glossary import Glossary

ConversationId = Annotated[str, typer.Argument(metavar="CONVERSATION", help="The conversation's id, such as c0001.")]
FromTurn = Annotated[
    int,
    typer.Option("--from-turn", metavar="N", min=0, help="Let the stored replies stand up to turn N, counted from 0."),
]
Times = Annotated[int, typer.Option("--times", metavar="K", min=1, max=256, help="Say it again K times.")]
AllowChanged = Annotated[
    bool,
    typer.Option("--allow-changed", help="Also where the assistant, packs or files are others than in the run."),
]
Json = Annotated[bool, typer.Option("--json", help="Print what came of it as JSON alone to stdout.")]

_COLOURS = {"before": "red", "after": "green", "place": "cyan"}


def replay(
    run: options.RunReference,
    conversation: ConversationId,
    from_turn: FromTurn = 0,
    times: Times = 1,
    allow_changed: AllowChanged = False,
    log_level: options.Level = LogLevel.INFO,
    json: Json = False,
) -> None:
    """Say what the user said in a stored conversation again to the live assistant, and judge what it answers now.

    The replays are kept in the run, apart from its conversations.
    The exit code is 0 where at least one of them came to a verdict, whatever it is, and 3 where none did.

    Example: hairpin replay demo c0001 --times 5
    """
    from hairpin.app.reproducing import ReplayWish, exit_code, load_reproducing, reproduce
    from hairpin.cli.execution import run_to_end
    from hairpin.graph.stopping import StopToken

    with errors_as_messages():
        token = StopToken()
        wish = ReplayWish(
            run=run, conversation=conversation, from_turn=from_turn, times=times, stop=token, log_level=log_level
        )
        with redirect_stdout(sys.stderr):
            loaded = load_reproducing(wish)
        if loaded.choice:
            note(f"hairpin: {loaded.choice}")
        note(fitted(loaded.resumable.request.inputs.cast.line, sys.stderr))
        reports: list[ReproductionReport] = []

        async def play(listener: RunListener) -> FinishedRun:
            finished, report = await reproduce(loaded, listener=listener, allow_changed=allow_changed)
            reports.append(report)
            return finished

        finished, code = run_to_end(play, token)
        (report,) = reports
        _tell(report, loaded.titles, json=json)
    raise typer.Exit(code if code > 128 else exit_code(finished, report))


def _tell(report: ReproductionReport, titles: Glossary, *, json: bool) -> None:
    from hairpin.reports.reproduction import render_reproduction, reproduction_lines

    if json:
        say(render_reproduction(report).rstrip("\n"))
        return
    colours = sys.stdout.isatty()
    for line in reproduction_lines(report, titles, width=width()):
        colour = _COLOURS.get(line.kind.value) if colours else None
        say(typer.style(line.text, fg=colour) if colour else line.text)
