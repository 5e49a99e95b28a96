"""``hairpin lint``: what is valid in scenarios and packs and still cannot find anything.

It must not know rules; ``app.linting`` does.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, fitted, note, say

if TYPE_CHECKING:
    from hairpin.app.linting import LintResult

EPILOG = "Examples: hairpin lint my_scenario.yaml --strict; hairpin lint in_car --no-idle; hairpin lint"

What = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[SCENARIO | PACK…]",
        help="Scenario files, or names of scenarios and packs; without any, all packs in the working folder.",
    ),
]
Idle = Annotated[
    bool,
    typer.Option(
        "--idle/--no-idle", help="Hold a few conversations with assistants that do nothing: they should not pass."
    ),
]
Strict = Annotated[bool, typer.Option("--strict", help="Exit with 1 when anything is found.")]
Json = Annotated[bool, typer.Option("--json", help="Print what was found as JSON alone to stdout.")]


def lint(
    what: What = None,
    packs: options.Packs = None,
    settings: options.Settings = None,
    idle: Idle = True,
    strict: Strict = False,
    json: Json = False,
) -> None:
    """Find checks that cannot fail, weights that decide nothing, scenarios that an idle assistant passes, and the like.

    No model is asked: offline agents play every role.
    """
    with errors_as_messages():
        result = _result(what or [], packs or [], options.parse_settings(settings), idle=idle)
    if json:
        say(result.model_dump_json(indent=2))
    else:
        tell(result)
        said = "nothing" if not result.findings else str(len(result.findings))
        invalid = f", {len(result.invalid)} not valid" if result.invalid else ""
        say(f"{said} found in {len(result.looked_at)} file{'s' * (len(result.looked_at) != 1)}{invalid}")
    leave_with(result, strict=strict)


def leave_with(result: LintResult, *, strict: bool) -> NoReturn:
    """Say on stderr what was not tried or checked and what is not valid, and exit.

    With 2 if anything is not valid, with 1 if ``strict`` and something is found.
    """
    for told in (*result.notes, *result.invalid):
        note(f"hairpin: {told}")
    raise typer.Exit(2 if result.invalid else int(strict and bool(result.findings)))


def tell(result: LintResult) -> None:
    """Print a line for each finding."""
    for finding in result.findings:
        say(fitted(finding.line, sys.stdout, rest="  "))


def _result(what: list[str], packs: list[Path], settings: dict[str, str], *, idle: bool) -> LintResult:
    from hairpin.app.linting import joined, lint_named_pack, lint_packs, lint_scenario_file, names_pack_only, or_invalid
    from hairpin.packs.finder import PackFinder

    finder = PackFinder.standard(packs=packs, project=Path.cwd())
    if not what:
        return lint_packs(finder)

    def lint_one(name: str) -> LintResult:
        if names_pack_only(name, finder):
            return lint_named_pack(name, finder)
        return lint_scenario_file(name, packs=packs, overrides=settings, idle=idle)

    return joined(or_invalid(partial(lint_one, name)) for name in what)
