"""``hairpin metamorphic compare``: several runs of replays as one analysis.

It must not compute; ``app.replay_compare`` does.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli.console import errors_as_messages, say, width
from hairpin.cli.places import require_new, write_files

if TYPE_CHECKING:
    from hairpin.reports.pages import PageFormat

Runs = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN RUN…", help="Runs of replays, one per assistant or per ratio: their folders, or names."
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Write it there too, as Markdown (.md) or HTML (.html); a new file."),
]


def compare(runs: Runs, out: Out = None) -> None:
    """Compare assistants, or ratios of perturbation, over several runs of replays; no assistant is asked again."""
    from hairpin.app.replay_compare import compare_replays
    from hairpin.reports.pages import page_files, page_text
    from hairpin.settings import read_settings

    with errors_as_messages():
        form = _form(out)
        page = compare_replays(runs, read_settings()).page()
        say(page_text(page, width=width()).rstrip("\n"))
        if out is not None and form is not None:
            write_files(out.parent, page_files(page, out.stem, form))


def _form(out: Path | None) -> PageFormat | None:
    from hairpin.errors import UnknownReferenceError
    from hairpin.reports.pages import PageFormat

    if out is None:
        return None
    known = [f".{each.value}" for each in PageFormat]
    if out.suffix not in known:
        raise UnknownReferenceError("file ending", out.suffix, where=f"--out {out}", known=known)
    require_new(out)
    return PageFormat(out.suffix.removeprefix("."))
