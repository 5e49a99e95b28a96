"""Options that several commands share.

It must not read anything; ``parse_settings`` only splits texts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hairpin.errors import InvalidInputError
from hairpin.settings import LogLevel

Packs = Annotated[
    list[Path] | None,
    typer.Option("--packs", metavar="DIR", help="A folder of packs, searched before all others. May be repeated."),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Override a key of the scenario. May be repeated."),
]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder in which the run's own folder is made.")]
Concurrency = Annotated[
    int, typer.Option("--concurrency", min=1, max=1024, help="Conversations held at the same time.")
]
FailOn = Annotated[
    str,
    typer.Option(
        "--fail-on",
        metavar="WHEN",
        help="When the exit code is 1: any (failed conversation), none, critical, sut-errors, rate:0.2; or several "
        "joined by commas.",
    ),
]
MaxCost = Annotated[
    float | None,
    typer.Option(
        "--max-cost",
        metavar="USD",
        min=0,
        help="The most that models in roles may cost. Checked before each request.",
    ),
]
MaxTokens = Annotated[
    int | None,
    typer.Option("--max-tokens", metavar="N", min=0, help="The most tokens that models in roles may use, in and out."),
]
Canary = Annotated[
    bool,
    typer.Option(
        "--canary/--no-canary",
        help="Try models that judge on known transcripts first, and run nothing if one judges wrongly.",
    ),
]
Cache = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="FILE",
        help="Keep answers of models in this file, and take them from it when the same is asked again.",
    ),
]
Store = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL",
        envvar="HAIRPIN_STORE",
        help="Keep the run's rows in a PostgreSQL database, postgresql://user@host/name; by default in its folder.",
    ),
]
Estimate = Annotated[bool, typer.Option("--estimate", help="Say what the run would take, and run nothing.")]
Json = Annotated[bool, typer.Option("--json", help="Print summary.json alone to stdout.")]
Level = Annotated[LogLevel, typer.Option("--log-level", help="How much goes into log.jsonl; debug: every request.")]
RunReference = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="A run's folder, or the beginning of its name under runs/; of several of one name the newest.",
    ),
]


def parse_settings(settings: list[str] | None) -> dict[str, str]:
    """Split ``KEY=VALUE`` texts.

    Raises:
        InvalidInputError: one has no ``=``, or a key comes twice.
    """
    values: dict[str, str] = {}
    for setting in settings or []:
        key, equals, value = setting.partition("=")
        if not equals or not key:
            raise InvalidInputError(
                f"{setting!r} is not KEY=VALUE", where="--set", hint="for example --set max_turns=4"
            )
        if key in values:
            raise InvalidInputError(f"{key!r} is given twice", where="--set", hint="give each key once")
        values[key] = value
    return values
