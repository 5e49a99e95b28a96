"""``hairpin import``: judge conversations that were made elsewhere."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli.console import note
from hairpin.cli.run_choices import RunChoices, takes_run_choices
from hairpin.cli.running import run_and_tell

if TYPE_CHECKING:
    from hairpin.app.inputs import RunInputs


class Format(StrEnum):
    """How a file of conversations is written."""

    AUTO = "auto"
    TURNS = "turns"
    OPENAI = "openai"


File = Annotated[
    Path, typer.Argument(metavar="FILE", help="Conversations as JSON lines, one a line, or as one JSON array.")
]
Base = Annotated[
    str | None,
    typer.Option(
        "--scenario",
        metavar="S",
        help="A scenario whose rubric, oracles, models, checks, contexts and language are used.",
    ),
]
RubricName = Annotated[
    str | None, typer.Option("--rubric", metavar="NAME", help="The rubric to judge by; default: in_car.")
]
FormatName = Annotated[
    Format,
    typer.Option(
        "--format",
        help="turns: role and content; openai: messages, also a request with its response; auto: told line by line.",
    ),
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Judge nothing if a line holds no conversation, instead of skipping it.")
]
Limit = Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="Judge only the first N conversations.")]
EndTokens = Annotated[
    list[str] | None,
    typer.Option(
        "--end-token",
        metavar="TEXT",
        help="A text that ends a conversation, beside ###STOP### and the like. May be repeated.",
    ),
]


@takes_run_choices(
    "out settings concurrency fail_on packs max_cost max_tokens estimate canary cache log_level json",
)
def import_(
    file: File,
    scenario: Base = None,
    rubric: RubricName = None,
    form: FormatName = Format.AUTO,
    strict: Strict = False,
    limit: Limit = None,
    end_tokens: EndTokens = None,
    *,
    chosen: RunChoices,
) -> None:
    """Judge conversations that were made elsewhere as if they had been held here."""
    from hairpin.app.inputs import load_import
    from hairpin.domain.sut_spec import RecordedSut

    def load() -> RunInputs:
        if _is_pipe(file):
            note(f"reading from a pipe, until whoever writes to it closes it: {file}")
        sut = RecordedSut(file=str(file), format=form.value, strict=strict, end_tokens=tuple(end_tokens or ()))
        packs, overrides = chosen.pack_folders, chosen.overrides
        return load_import(sut, base=scenario, rubric=rubric, limit=limit, packs=packs, overrides=overrides)

    run_and_tell(load, chosen)


def _is_pipe(file: Path) -> bool:
    try:
        return file.is_fifo()
    except OSError:  # told where it is read
        return False
