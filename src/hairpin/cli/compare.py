"""``hairpin compare``: two runs of a scenario, or two assistants of one run, and whether the second is worse.

It must not test anything; ``app.comparison`` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli.console import errors_as_messages, say, width

if TYPE_CHECKING:
    from hairpin.reports.comparison_text import ComparisonFormat

First = Annotated[str, typer.Argument(metavar="RUN_A", help="The run to compare with: its folder, or how it begins.")]
Second = Annotated[
    str | None,
    typer.Argument(metavar="[RUN_B]", help="The run that may have become worse; left out with --suts."),
]
Suts = Annotated[
    str | None,
    typer.Option("--suts", metavar="A,B", help="Compare two assistants of RUN_A with each other, by their labels."),
]
FailOnRegression = Annotated[
    bool,
    typer.Option(
        "--fail-on-regression",
        help="Exit with 1 where B is significantly worse, with 3 where too little was valid to say.",
    ),
]
Alpha = Annotated[
    float,
    typer.Option("--alpha", metavar="P", help="A difference is significant if its corrected p is at most this."),
]
AllowChanged = Annotated[
    bool,
    typer.Option("--allow-changed", help="Compare runs that differ in more than the assistant; says in what."),
]
Format = Annotated[str, typer.Option("--format", metavar="FORMAT", help="text, json, csv (the tests) or md.")]
Json = Annotated[bool, typer.Option("--json", help="The same as --format json.")]


def compare(
    first: First,
    second: Second = None,
    suts: Suts = None,
    fail_on_regression: FailOnRegression = False,
    alpha: Alpha = 0.05,
    allow_changed: AllowChanged = False,
    form: Format = "text",
    json: Json = False,
) -> None:
    """Compare two runs of a scenario, or two assistants of one run; no assistant is asked again."""
    from hairpin.app.comparison import compare_named
    from hairpin.reports.comparison_text import render_comparison

    with errors_as_messages():
        wanted = _wanted("json" if json else form)
        labels = None if suts is None else _labels(suts)
        report = compare_named(first, second, suts=labels, alpha=alpha, allow_changed=allow_changed)
        say(render_comparison(report, wanted, width=width()).rstrip("\r\n"))
    raise typer.Exit(report.exit_code(fail_on_regression=fail_on_regression))


def _labels(suts: str) -> list[str]:
    return [label.strip() for label in suts.split(",") if label.strip()]


def _wanted(name: str) -> ComparisonFormat:
    from hairpin.errors import UnknownReferenceError
    from hairpin.reports.comparison_text import ComparisonFormat

    known = [each.value for each in ComparisonFormat]
    if name not in known:
        raise UnknownReferenceError("format", name, where="--format", known=known)
    return ComparisonFormat(name)
