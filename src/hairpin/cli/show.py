"""``hairpin show``: the conversations of a run, or one of them whole, in the terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, note, say, width


def show(
    run: options.RunReference,
    conversation: Annotated[
        str | None,
        typer.Argument(
            metavar="[CONVERSATION]", help="The conversation's id, such as c0001; without it all are listed."
        ),
    ] = None,
) -> None:
    """Print the transcript of a conversation with its failures marked on the turn; or list a run's conversations."""
    from hairpin.app.stored import open_stored
    from hairpin.reports.terminal import conversation_lines, transcript

    with errors_as_messages(), open_stored(run) as stored:
        if stored.choice:
            note(f"hairpin: {stored.choice}")
        if conversation is None:
            for line in conversation_lines(stored.listed_reports(), width=width()):
                say(line)
        else:
            say(transcript(stored.conversation_report(conversation), width=width()))
