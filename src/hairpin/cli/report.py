"""``hairpin report``: write the reports of a run again, from its rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, note, say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hairpin.reports.model import ReportModel


def report(
    run: options.RunReference,
    formats: Annotated[
        str, typer.Option("--format", metavar="LIST", help="Which to write, joined by commas: html, json, junit.")
    ] = "html",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where to write them; by default the run's folder.")
    ] = None,
    fail_on: options.FailOn = "any",
) -> None:
    """Write reports of a run from what it stored; the assistant is not asked again. The exit code is the gate's."""
    from hairpin.app.stored import open_stored
    from hairpin.domain.gate import parse_fail_on
    from hairpin.store.directory import write_text

    with errors_as_messages():
        wanted, gate = _wanted(formats), parse_fail_on(fail_on)
        with open_stored(run) as stored:
            if stored.choice:
                note(f"hairpin: {stored.choice}")
            model = stored.report(gate)
            folder = _folder(out) if out is not None else stored.directory.path
            for name, render in wanted.items():
                write_text(folder / name, render(model))
                say(str(folder / name))
    raise typer.Exit(model.exit_code)


def _wanted(formats: str) -> Mapping[str, Callable[[ReportModel], str]]:
    from hairpin.errors import UnknownReferenceError
    from hairpin.reports.html import render_html
    from hairpin.reports.json_report import render_json
    from hairpin.reports.junit import render_junit

    known = {
        "html": ("report.html", render_html),
        "json": ("report.json", render_json),
        "junit": ("junit.xml", render_junit),
    }
    names = [name.strip() for name in formats.split(",")]
    for name in names:
        if name not in known:
            raise UnknownReferenceError("format", name, where="--format", known=known)
    return dict(known[name] for name in names)


def _folder(path: Path) -> Path:
    from hairpin.errors import InvalidInputError

    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        hint = "name a folder that can be written"
        raise InvalidInputError(f"{str(path)!r} is no folder: {error.strerror}", where="--out", hint=hint) from error
    return path
