"""``hairpin metamorphic sample`` and ``precision``: what a person is to label, and what came of it.

It must not draw or count; ``app.replay_samples`` and ``analysis`` do.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, note, say, width
from hairpin.cli.places import require_new

if TYPE_CHECKING:
    from hairpin.app.replay_samples import SampleKind

What = Annotated[
    str,
    typer.Argument(
        metavar="WHAT",
        help="detections: violated relations, to be called genuine or not; contexts: questions in two contexts, "
        "equivalent or not; answers: replies beside gold answers, correct or not.",
    ),
]
Number = Annotated[
    int, typer.Option("--number", metavar="N", min=1, help="How many; of detections, so many of each method.")
]
NewFile = Annotated[
    Path, typer.Option("--out", metavar="FILE", help="The file to write, JSON lines; it must not exist.")
]
RngSeed = Annotated[int, typer.Option("--rng-seed", metavar="N", help="The same number draws the same items.")]
Labelled = Annotated[Path, typer.Argument(metavar="FILE", help="Detections with genuine: true or false.")]
Second = Annotated[
    Path | None, typer.Argument(metavar="[SECOND]", help="The same detections, labelled by somebody else: for κ.")
]


def sample(run: options.RunReference, what: What, out: NewFile, number: Number = 50, rng_seed: RngSeed = 1) -> None:
    """Draw violations, contexts or answers of a run for a person to label."""
    from hairpin.app.replay_samples import draw_sample
    from hairpin.app.stored import open_stored
    from hairpin.store.directory import write_text

    with errors_as_messages():
        kind = _kind(what)
        require_new(out)
        with open_stored(run) as stored:
            if stored.choice:
                note(f"hairpin: {stored.choice}")
            drawn = draw_sample(stored, kind, number=number, rng_seed=rng_seed)
        write_text(out, drawn.text)
        if drawn.short:
            note(f"hairpin: {drawn.short}")
        note(f"{drawn.n_items} {kind.value}: write true or false for null at {drawn.to_label!r}")
        say(str(out))


def precision(first: Labelled, second: Second = None) -> None:
    """Say how many of the violations that a person labelled are genuine, method by method."""
    from hairpin.analysis.metamorphic.precision import precisions
    from hairpin.packs.detection_files import read_detections
    from hairpin.reports.metamorphic_precision import precision_section
    from hairpin.reports.pages import Page, page_text

    with errors_as_messages():
        found = precisions(read_detections(first), None if second is None else read_detections(second))
        page = Page(title=f"Violations labelled in {first}", sections=(precision_section(found),))
        say(page_text(page, width=width()).rstrip("\n"))
    raise typer.Exit(0 if any(each.genuine.n for each in found) else 3)


def _kind(name: str) -> SampleKind:
    from hairpin.app.replay_samples import SampleKind
    from hairpin.errors import UnknownReferenceError

    known = [each.value for each in SampleKind]
    if name not in known:
        raise UnknownReferenceError("sample", name, where="WHAT", known=known)
    return SampleKind(name)
