"""``hairpin seeds``: let a model write seed phrases into a pool file.

It must not judge them; ``domain.seeds`` does.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, note, say


def seeds(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A scenario with a model for the simulator.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The pool file to write; it must not exist.")],
    number: Annotated[int, typer.Option("--number", metavar="N", min=1, help="How many phrases of each task.")] = 15,
    task: Annotated[
        list[str] | None,
        typer.Option("--task", metavar="ID[=WORDS]", help="A task, and what it is; by default the scenario's own."),
    ] = None,
    settings: options.Settings = None,
    packs: options.Packs = None,
    max_cost: options.MaxCost = None,
    max_tokens: options.MaxTokens = None,
    cache: options.Cache = None,
) -> None:
    """Let the model of the simulated user write seed phrases, drop those that add nothing, and write a pool file."""
    from hairpin.app.inputs import load_inputs
    from hairpin.app.loop import run_in_loop
    from hairpin.app.seeds import SeedOrder, WrittenSeeds, drops_text, tasks_of, write_seeds
    from hairpin.app.spending import SpendingLimits
    from hairpin.packs.finder import PackFinder
    from hairpin.store.directory import write_text

    with errors_as_messages():
        order = SeedOrder(number, tasks_of(task or []), SpendingLimits(max_cost, max_tokens), cache)
        _require_place(out)
        with redirect_stdout(sys.stderr):
            inputs = load_inputs(scenario, packs=packs or (), overrides=options.parse_settings(settings))
        finder = PackFinder.standard(packs=packs or (), project=Path.cwd())

        async def main() -> WrittenSeeds:
            return await write_seeds(inputs, order, finder=finder)

        written = run_in_loop(main)
        n_written = sum(map(len, written.tasks.values()))
        note(f"{n_written} phrases; dropped: {drops_text(written.drops)}; requests: {written.usage.attempts}")
        for name, n in written.short.items():
            note(f"hairpin: {name}: {n} of {number} phrases; {written.stopped or 'the model had no more to add'}")
        if n_written:
            write_text(out, written.pool(out.stem, f"Seed phrases for {inputs.scenario.id}"))
            say(str(out))
    raise typer.Exit(3 if written.short else 0)


def _require_place(out: Path) -> None:
    """Raise InvalidInputError where the file could not be written, or not be read back, before anything is paid for."""
    from hairpin.errors import InvalidInputError
    from hairpin.packs.field_types import is_pack_name

    if out.exists():
        raise InvalidInputError("there is a file already", where=str(out), hint="name another with --out")
    if not out.parent.is_dir():
        raise InvalidInputError(f"there is no folder {str(out.parent)!r}", where="--out", hint="make it first")
    if out.suffix != ".yaml" or not is_pack_name(out.stem):
        hint = "call it like drivers_2.yaml"
        raise InvalidInputError(f"{out.name!r} is no name of a pool file", where="--out", hint=hint)
