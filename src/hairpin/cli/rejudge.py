"""``hairpin rejudge``: judge the conversations of a stored run again; the assistant is asked nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli import options
from hairpin.cli.running import RunChoices, run_and_tell
from hairpin.settings import LogLevel

if TYPE_CHECKING:
    from hairpin.app.inputs import RunInputs

RubricName = Annotated[
    str | None, typer.Option("--rubric", metavar="NAME", help="The rubric to judge by; default: that of the run.")
]
Judging = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change what is judged by: models, rubric, threshold, weights, oracles, checks, language … May be "
        "repeated. For example --set models.turn_judge=offline",
    ),
]
Ids = Annotated[
    list[str] | None,
    typer.Option("--conversation", metavar="ID", help="Judge only this conversation again. May be repeated."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one object with summary.json and the differences to stdout.")]


def rejudge(
    run: options.RunReference,
    settings: Judging = None,
    rubric: RubricName = None,
    conversations: Ids = None,
    out: options.Out = Path("runs"),
    concurrency: options.Concurrency = 4,
    fail_on: options.FailOn = "any",
    packs: options.Packs = None,
    store: options.Store = None,
    max_cost: options.MaxCost = None,
    max_tokens: options.MaxTokens = None,
    estimate: options.Estimate = False,
    canary: options.Canary = True,
    cache: options.Cache = None,
    log_level: options.Level = LogLevel.INFO,
    json: Json = False,
) -> None:
    """Judge the conversations of a stored run again on what was said, and say what is judged differently now.

    Nothing is sent to the assistant. The result is a run of its own, for report, show, compare and agreement.

    Example: hairpin rejudge demo --set models.turn_judge=openai/gpt-5
    """
    from hairpin.app.rejudging import load_rejudging

    def load() -> RunInputs:
        overrides = options.parse_settings(settings)
        wanted = tuple(conversations or ())
        return load_rejudging(run, rubric=rubric, conversations=wanted, packs=packs or (), overrides=overrides)

    chosen = RunChoices(
        out=out,
        concurrency=concurrency,
        fail_on=fail_on,
        max_cost=max_cost,
        max_tokens=max_tokens,
        estimate=estimate,
        canary=canary,
        cache=cache,
        log_level=log_level,
        json=json,
        store=store,
        packs=tuple(packs or ()),
    )
    run_and_tell(load, chosen)
