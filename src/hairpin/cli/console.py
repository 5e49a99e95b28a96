"""Where the command line writes: results to stdout, everything else to stderr.

It must not fail because of an encoding: what a console cannot show is shown as an escape.
"""

from __future__ import annotations

import io
import sys
from typing import NoReturn

import typer

from hairpin.errors import HairpinError


def make_streams_forgiving() -> None:
    """Let stdout and stderr degrade characters that their encoding lacks, instead of raising."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str) -> None:
    """Write a result to stdout."""
    typer.echo(text)


def note(text: str) -> None:
    """Write progress or a message to stderr."""
    typer.echo(text, err=True)


def fail(error: HairpinError) -> NoReturn:
    """Print an error without a traceback and exit with its code."""
    note(f"hairpin: {error}")
    raise typer.Exit(error.exit_code)
