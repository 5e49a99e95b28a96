"""``hairpin metamorphic run``: ask test seeds as they are, replay them changed, and say which relations broke."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli import options
from hairpin.cli.running import RunChoices, run_and_tell
from hairpin.settings import LogLevel

if TYPE_CHECKING:
    from hairpin.app.inputs import RunInputs

What = Annotated[
    str,
    typer.Argument(
        metavar="SCENARIO_OR_DATASET",
        help="A scenario with test_seeds, or a file of them: CoQA, SGD or CAsT JSON, questions as YAML or JSON lines; "
        "or a stored run, whose conversations become test seeds.",
    ),
]
Sut = Annotated[
    str | None,
    typer.Option(
        "--sut",
        metavar="SUT",
        help="With a dataset: the assistant; testbed, story, ./my_adapter.py:Mine, or {provider: …} as in a scenario.",
    ),
]
Base = Annotated[
    str | None,
    typer.Option(
        "--scenario", metavar="S", help="With a dataset: a scenario whose assistant, models and settings are used."
    ),
]
Format = Annotated[
    str, typer.Option("--format", help="Of a dataset: coqa, questions, sgd, cast, run, or auto: told by its content.")
]
Limit = Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="Replay only the first N test seeds.")]
MaxQuestions = Annotated[
    int | None, typer.Option("--max-questions", metavar="N", min=2, help="Ask only the first N questions of each.")
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Run nothing if a record is no test seed, instead of skipping it.")
]
FailOn = Annotated[
    str,
    typer.Option(
        "--fail-on",
        metavar="WHEN",
        help="When the exit code is 1: any (violated relation), none, sut-errors, rate:0.2 (Rate⁺); or several joined "
        "by commas.",
    ),
]


def run(
    what: What,
    sut: Sut = None,
    scenario: Base = None,
    form: Format = "auto",
    limit: Limit = None,
    max_questions: MaxQuestions = None,
    strict: Strict = False,
    out: options.Out = Path("runs"),
    settings: options.Settings = None,
    concurrency: options.Concurrency = 4,
    fail_on: FailOn = "any",
    packs: options.Packs = None,
    max_cost: options.MaxCost = None,
    max_tokens: options.MaxTokens = None,
    estimate: options.Estimate = False,
    cache: options.Cache = None,
    store: options.Store = None,
    log_level: options.Level = LogLevel.INFO,
    json: options.Json = False,
) -> None:
    """Ask test seeds as they are, replay them changed, and say which relations between the answers broke."""
    from hairpin.app.replay_inputs import ReplayChoices, load_replays

    def load() -> RunInputs:
        chosen = ReplayChoices(
            sut=sut, base=scenario, form=form, limit=limit, max_questions=max_questions, strict=strict
        )
        return load_replays(what, chosen, packs=packs or (), overrides=options.parse_settings(settings))

    choices = RunChoices(
        out=out,
        concurrency=concurrency,
        fail_on=fail_on,
        max_cost=max_cost,
        max_tokens=max_tokens,
        estimate=estimate,
        canary=False,
        cache=cache,
        log_level=log_level,
        json=json,
        store=store,
        packs=tuple(packs or ()),
        replays=True,
    )
    run_and_tell(load, choices)
