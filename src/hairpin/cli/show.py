"""``hairpin show``: one conversation of a run, in the terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, say, width


def show(
    run: options.RunReference,
    conversation: Annotated[str, typer.Argument(metavar="CONVERSATION", help="The conversation's id, such as c0001.")],
) -> None:
    """Print the transcript of a conversation with its failures marked on the turn."""
    from hairpin.app.stored import open_stored
    from hairpin.reports.terminal import transcript

    with errors_as_messages(), open_stored(run) as stored:
        say(transcript(stored.conversation_report(conversation), width=width()))
