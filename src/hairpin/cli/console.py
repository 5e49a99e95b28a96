"""Where the command line writes: results to stdout, everything else to stderr.

It must not fail because of an encoding: what a console cannot show is shown as an escape.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn, TextIO

import typer

from hairpin.errors import HairpinError


def make_streams_forgiving() -> None:
    """Let stdout and stderr degrade characters that their encoding lacks, instead of raising."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str) -> None:
    """Write a result to stdout. A reader that has gone (``| head``) changes no exit code."""
    try:
        typer.echo(text)
        sys.stdout.flush()
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def note(text: str) -> None:
    """Write progress or a message to stderr."""
    typer.echo(text, err=True)


def fitted(text: str, stream: TextIO, *, rest: str = "") -> str:
    """Return ``text`` broken between words where ``stream`` is a terminal, which would break it anywhere.

    ``rest``: what lines but the first begin with.
    """
    from hairpin.reports.text import wrap

    if not stream.isatty():
        return text
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):  # a terminal that is none of the operating system's
        columns = width()
    return "\n".join(wrap(text, width=max(20, columns), rest=rest))


@contextmanager
def errors_as_messages() -> Iterator[None]:
    """Print what Hairpin raises on purpose without a traceback, and exit with its code."""
    try:
        yield
    except HairpinError as error:
        note(f"hairpin: {error}")
        raise typer.Exit(error.exit_code) from error
    except KeyboardInterrupt as interrupt:
        note("hairpin: interrupted")
        raise typer.Exit(130) from interrupt


def width() -> int:
    """Return how many columns results may use."""
    return max(40, min(shutil.get_terminal_size((100, 24)).columns, 120))


def leave(code: int) -> NoReturn:
    """End the process with ``code``; calls that an assistant left behind in threads cannot hold it."""
    others = [thread for thread in threading.enumerate() if thread is not threading.main_thread() and not thread.daemon]
    if not others:
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
