"""``hairpin confirm``: try the failed conversations of a stored run again, and say which failures can be relied on.

It must not decide what trials show; ``domain.confirmation`` does.
"""

from __future__ import annotations

import json as json_format
import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, fitted, note, say
from hairpin.domain.trials import MAX_TRIALS
from hairpin.settings import LogLevel

if TYPE_CHECKING:
    from hairpin.app.confirm import Confirmed
    from hairpin.app.request import FinishedRun
    from hairpin.campaign.events import RunListener

_MOST = MAX_TRIALS - 1

Conversations = Annotated[
    list[str] | None, typer.Argument(metavar="CONVERSATION", help="Which; by default all that failed.")
]
Rejudge = Annotated[
    int | None,
    typer.Option(
        metavar="K",
        min=0,
        max=_MOST,
        help="How often each is judged again on what was said; else the scenario's, else 3.",
    ),
]
Replay = Annotated[
    int | None,
    typer.Option(
        metavar="M",
        min=0,
        max=_MOST,
        help="How often the assistant gets the user's words again; else the scenario's, else 3.",
    ),
]
Resimulate = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=0, max=_MOST, help="How often user and assistant speak anew; else the scenario's, else 2."
    ),
]
AllowChanged = Annotated[
    bool, typer.Option("--allow-changed", help="Also when the assistant, packs or files are others than in the run.")
]
Concurrency = Annotated[
    int | None, typer.Option("--concurrency", min=1, max=1024, help="Trials run at the same time; else as in the run.")
]
Json = Annotated[
    bool, typer.Option("--json", help="Print one object with the figures and each conversation to stdout.")
]


def confirm(
    run: options.RunReference,
    conversations: Conversations = None,
    rejudge: Rejudge = None,
    replay: Replay = None,
    resimulate: Resimulate = None,
    concurrency: Concurrency = None,
    max_cost: options.MaxCost = None,
    max_tokens: options.MaxTokens = None,
    allow_changed: AllowChanged = False,
    log_level: options.Level = LogLevel.INFO,
    json: Json = False,
) -> None:
    """Try failed conversations again: judged anew, replayed, simulated anew; and say which failures are confirmed.

    Trials are kept in the run, in none of its figures of conversations.
    Trials that there are already count, so that a second call only adds what is missing.
    Limits of cost and tokens count what the run has spent.

    Example: hairpin confirm demo c0003 --replay 10
    """
    from hairpin.app.confirm import confirm_run, spec_for, with_limits
    from hairpin.app.resume import ResumeRequest, load_resumable
    from hairpin.cli.execution import run_to_end
    from hairpin.graph.stopping import StopToken

    with errors_as_messages():
        token = StopToken()
        came_out: list[Confirmed] = []
        with redirect_stdout(sys.stderr):
            resumable = load_resumable(ResumeRequest(run=run, stop=token, log_level=log_level))
        resumable = with_limits(resumable, concurrency=concurrency, max_cost=max_cost, max_tokens=max_tokens)
        spec = spec_for(resumable, rejudge=rejudge, replay=replay, resimulate=resimulate)
        note(fitted(resumable.request.inputs.cast.line, sys.stderr))

        async def play(listener: RunListener) -> FinishedRun:
            found = await confirm_run(
                resumable, spec, tuple(conversations or ()), listener=listener, allow_changed=allow_changed
            )
            came_out.append(found)
            return found.tried.finished

        finished, code = run_to_end(play, token)
        (found,) = came_out
        _tell(found, resumable.run.run_id, json=json)
    signalled = code > 128
    raise typer.Exit(code if signalled or finished.error is not None else 0)


def _tell(found: Confirmed, run_id: str, *, json: bool) -> None:
    from hairpin.reports.confirmation import confirmation_lines, confirmation_words

    if n := found.tried.n_missing:
        what, them = ("1 trial was", "it") if n == 1 else (f"{n} trials were", "them")
        note(f"hairpin: {what} not run; the same command goes on with {them}")
    if json:
        told = {
            "run_id": run_id,
            "summary": found.summary.model_dump(mode="json"),
            "conversations": [each.model_dump(mode="json") for each in found.confirmations],
        }
        say(json_format.dumps(told, indent=2, allow_nan=False))
        return
    if not found.summary.tried and not found.summary.untried:
        say("no conversation failed: there is nothing to confirm")
        return
    for line in confirmation_lines(found.confirmations):
        say(fitted(line, sys.stdout, rest="  "))
    say(fitted(confirmation_words(found.summary), sys.stdout))
    say(f"report: {found.tried.finished.directory.report}")
