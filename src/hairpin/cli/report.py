"""``hairpin report``: write the reports of a run again, from its rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, note, say

if TYPE_CHECKING:
    from hairpin.app.stored import Figures, StoredRun
    from hairpin.reports.files import ReportFormat


def report(
    run: options.RunReference,
    formats: Annotated[
        str,
        typer.Option("--format", metavar="LIST", help="Which to write, joined by commas: html, json, csv, junit, md."),
    ] = "html",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where to write them; by default the run's folder.")
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            "--encoder",
            metavar="MODEL",
            help="What turns utterances into vectors: a package, a folder or a model's name. Default: the campaign's.",
        ),
    ] = None,
    fail_on: options.FailOn = "any",
) -> None:
    """Write reports of a run from what it stored; the assistant is not asked again. The exit code is the gate's."""
    from hairpin.app.stored import open_stored
    from hairpin.domain.gate import parse_fail_on
    from hairpin.reports.files import report_files
    from hairpin.store.directory import write_parts

    with errors_as_messages():
        wanted, gate = _wanted(formats), parse_fail_on(fail_on)
        with open_stored(run) as stored:
            if stored.choice:
                note(f"hairpin: {stored.choice}")
            figures = any(each.has_figures for each in wanted)
            model = stored.report(gate, figures=_figures(stored, encoder) if figures else None)
            folder = _folder(out) if out is not None else stored.directory.path
            streams = (stored.conversation_reports, stored.scored_families)
            for file in (file for name in wanted for file in report_files(model, name, *streams)):
                path = folder / file.path
                path.parent.mkdir(exist_ok=True)
                write_parts(path, file.parts)
                say(str(path))
    raise typer.Exit(model.exit_code)


def _figures(stored: StoredRun, model: str | None) -> Figures:
    """Return what computes that part of the report which needs an encoder."""
    from hairpin.app.figures import figures_of
    from hairpin.domain.encoder import EncoderSpec
    from hairpin.settings import read_settings

    return figures_of(stored, read_settings(), None if model is None else EncoderSpec(model=model), warn=note)


def _wanted(formats: str) -> tuple[ReportFormat, ...]:
    from hairpin.errors import UnknownReferenceError
    from hairpin.reports.files import ReportFormat

    known = [each.value for each in ReportFormat]
    names = [name.strip() for name in formats.split(",")]
    for name in names:
        if name not in known:
            raise UnknownReferenceError("format", name, where="--format", known=known)
    return tuple(dict.fromkeys(map(ReportFormat, names)))


def _folder(path: Path) -> Path:
    from hairpin.errors import InvalidInputError

    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        hint = "name a folder that can be written"
        raise InvalidInputError(f"{str(path)!r} is no folder: {error.strerror}", where="--out", hint=hint) from error
    return path
