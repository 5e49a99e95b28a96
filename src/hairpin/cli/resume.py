"""``hairpin resume``: go on with a run that was stopped.

It must not know what is left to do; ``app`` does.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import Annotated

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, fitted, note
from hairpin.settings import LogLevel

MoreTime = Annotated[
    str | None,
    typer.Option("--time", metavar="T", help="Give each arm of a campaign this much more time: 1h, 30m or seconds."),
]
AllowChanged = Annotated[
    bool,
    typer.Option(
        "--allow-changed", help="Go on although the assistant, packs or files are others than when the run began."
    ),
]


def resume(
    run: options.RunReference,
    time: MoreTime = None,
    allow_changed: AllowChanged = False,
    log_level: options.Level = LogLevel.INFO,
    json: options.Json = False,
) -> None:
    """Go on with a run that was stopped, with the settings and the time that it has left."""
    from hairpin.app.resume import ResumeRequest, load_resumable, resume_run
    from hairpin.cli.execution import run_to_end
    from hairpin.cli.running import tell_end
    from hairpin.domain.durations import parse_duration
    from hairpin.graph.stopping import StopToken

    with errors_as_messages():
        token = StopToken()
        time_s = None if time is None else parse_duration(time, where="--time")
        wanted = ResumeRequest(run=run, time_s=time_s, stop=token, log_level=log_level)
        with redirect_stdout(sys.stderr):
            resumable = load_resumable(wanted)
        note(fitted(resumable.request.inputs.cast.line, sys.stderr))
        finished, code = run_to_end(
            lambda listener: resume_run(resumable, listener=listener, allow_changed=allow_changed),
            token,
            campaign=resumable.run.campaign,
        )
        tell_end(finished, json=json)
    raise typer.Exit(code)
