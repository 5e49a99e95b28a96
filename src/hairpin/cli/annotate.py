"""``hairpin annotate``: take in what people say of the conversations of a run, or write a file for them to fill in.

It must not read or draw; ``app.annotating`` does.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, note, say

if TYPE_CHECKING:
    from hairpin.app.annotating import Only

EPILOG = (
    "Examples: hairpin annotate my_run --template rate.csv --sample 20 --only failed; "
    "hairpin annotate my_run --from rate.csv --rater ann"
)

NO_TABLES = (".md", ".json", ".jsonl", ".ndjson")
"""Endings of the transcripts and of what '--from' reads as JSON."""

From = Annotated[
    Path | None,
    typer.Option("--from", metavar="FILE", help="What people say: CSV, or JSON or JSON lines by its ending."),
]
Rater = Annotated[
    str | None, typer.Option("--rater", metavar="NAME", help="Who says it, in rows that do not name a rater.")
]
TemplateFile = Annotated[
    Path | None,
    typer.Option(
        "--template",
        metavar="FILE.csv",
        help="Write an empty table to fill in, and beside it FILE.md with the transcripts: no verdicts, no labels.",
    ),
]
Sample = Annotated[
    int | None, typer.Option("--sample", metavar="N", min=1, help="Of a template: so many, drawn at random.")
]
OnlyThose = Annotated[
    str | None,
    typer.Option("--only", metavar="WHICH", help="Of a template: failed, passed or unclean (without pass or fail)."),
]
RngSeed = Annotated[int, typer.Option("--rng-seed", metavar="N", help="The same number draws the same conversations.")]
Json = Annotated[bool, typer.Option("--json", help="Print what was stored as JSON alone to stdout.")]


def annotate(
    run: options.RunReference,
    file: From = None,
    rater: Rater = None,
    template: TemplateFile = None,
    sample: Sample = None,
    only: OnlyThose = None,
    rng_seed: RngSeed = 1,
    json: Json = False,
) -> None:
    """Store people's scores, verdicts, blame and labels beside what a run says; or write a table for them to fill in.

    No stored outcome changes: the blame ledger, the report and 'agreement' use what people say, and say so.
    """
    from hairpin.errors import InvalidInputError

    with errors_as_messages():
        if (file is None) == (template is None):
            hint = "--from takes in what people say, --template writes a table for them"
            raise InvalidInputError("give --from or --template, one of them", where="hairpin annotate", hint=hint)
        _refuse_idle(file, {"--sample": sample, "--only": only}, as_json=json)
        if file is not None:
            _take_in(run, file, rater, as_json=json)
        elif template is not None:
            _write_template(run, template, sample=sample, only=_only(only), rater=rater or "", rng_seed=rng_seed)


def _refuse_idle(file: Path | None, of_template: Mapping[str, object], *, as_json: bool) -> None:
    """Refuse options that would do nothing: whoever gives them expects something of them."""
    from hairpin.errors import InvalidInputError

    idle = [option for option, value in of_template.items() if file is not None and value is not None]
    idle += ["--json"] if file is None and as_json else []
    if idle:
        beside, other = ("--from", "--template") if file is not None else ("--template", "--from")
        what = f"{' and '.join(idle)} {'does' if len(idle) == 1 else 'do'} nothing with {beside}"
        raise InvalidInputError(what, where="hairpin annotate", hint=f"leave it out, or give {other}")


def _beside(table: Path) -> Path:
    """Return the file of transcripts that belongs to a table. Raises InvalidInputError."""
    from hairpin.errors import InvalidInputError

    if not table.name or table.suffix.lower() in NO_TABLES:
        hint = "name a file that ends in .csv"
        raise InvalidInputError("a table to fill in is CSV", where=f"--template {table}", hint=hint)
    return table.with_suffix(".md")


def _take_in(run: str, file: Path, rater: str | None, *, as_json: bool) -> None:
    from hairpin.app.annotating import annotate as store_annotations

    stored = store_annotations(run, file, rater=rater)
    say(stored.model_dump_json(indent=2) if as_json else stored.sentence())
    note(f"hairpin: the report is written with them by: hairpin report {shlex.quote(run)}")


def _write_template(run: str, file: Path, *, sample: int | None, only: Only | None, rater: str, rng_seed: int) -> None:
    from hairpin.app.annotating import template_of
    from hairpin.app.stored import open_stored
    from hairpin.cli.places import require_new
    from hairpin.store.directory import write_text

    transcripts = _beside(file)
    require_new(file, option="--template")
    require_new(transcripts, option="--template")
    with open_stored(run) as stored:
        if stored.choice:
            note(f"hairpin: {stored.choice}")
        made = template_of(stored, table=file.name, sample=sample, only=only, rater=rater, rng_seed=rng_seed)
    write_text(file, made.table)
    write_text(transcripts, made.transcripts)
    if sample is not None and made.n_found < sample:
        note(f"hairpin: {sample} conversations were asked for, and there are only {made.n_found}")
    note(f"{made.n_conversations} of {made.n_found} conversations, in an order that tells nothing")
    for path in (file, transcripts):
        say(str(path))


def _only(name: str | None) -> Only | None:
    from hairpin.app.annotating import Only
    from hairpin.errors import UnknownReferenceError

    known = [each.value for each in Only]
    if name is not None and name not in known:
        raise UnknownReferenceError("choice", name, where="--only", known=known)
    return None if name is None else Only(name)
