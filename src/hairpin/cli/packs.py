"""``hairpin packs``: what personas, strategies, rubrics, seed pools, scenarios and prompts there are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, say
from hairpin.cli.lint import leave_with

if TYPE_CHECKING:
    from hairpin.packs.listing import PackEntry

application = typer.Typer(no_args_is_help=True, help="See what packs there are.")


@application.callback()
def group() -> None:
    """See what packs there are."""


@application.command("list")
def list_(
    kind: Annotated[
        str | None,
        typer.Argument(metavar="[KIND]", help="Only one kind: persona, strategy, rubric, scenario, pool or prompt."),
    ] = None,
    packs: options.Packs = None,
) -> None:
    """List packs with where each comes from; the first of a name is the one that is used."""
    from hairpin.packs.finder import PackFinder
    from hairpin.packs.kinds import PackKind, kind_called
    from hairpin.packs.listing import list_packs

    with errors_as_messages():
        finder = PackFinder.standard(packs=packs or (), project=Path.cwd())
        kinds = tuple(PackKind) if kind is None else (kind_called(kind, where="hairpin packs list"),)
        entries = list_packs(finder, kinds)
    if not entries:
        say("none")
    rows = [_row(entry) for entry in entries]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    for row in rows:
        cells = [text.ljust(size) for text, size in zip(row[:3], widths, strict=True)]
        say("  ".join((*cells, row[3])))


@application.command("check", epilog="Example: hairpin packs check --strict")
def check(
    packs: options.Packs = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 when lint finds anything.")] = False,
) -> None:
    """Read the rubrics, strategies, seed pools and personas of the working folder, and warn of what lint finds."""
    from hairpin.app.linting import lint_packs
    from hairpin.packs.finder import PackFinder

    with errors_as_messages():
        result = lint_packs(PackFinder.standard(packs=packs or (), project=Path.cwd()))
    for finding in result.findings:
        say(f"warning: {finding.line}")
    say(f"{len(result.looked_at)} valid" if result.looked_at or result.invalid else "no packs here")
    leave_with(result, strict=strict)


def _row(entry: PackEntry) -> tuple[str, str, str, str]:
    title = _with_members(entry)
    origin = f"{entry.origin} (shadowed)" if entry.shadowed else entry.origin
    return entry.kind, entry.name, title, f"{origin} (cannot be read: {entry.problem})" if entry.problem else origin


def _with_members(entry: PackEntry) -> str:
    names = ", ".join(f"{entry.name}/{member}" for member in entry.members)
    return f"{entry.title} ({names})" if names else entry.title
