"""``hairpin metamorphic run``: ask test seeds as they are, replay them changed, and say which relations broke."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli.run_choices import RunChoices, takes_run_choices
from hairpin.cli.running import run_and_tell

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


@takes_run_choices(
    "out settings concurrency fail_on packs max_cost max_tokens estimate cache store log_level json",
    fail_on=FailOn,
)
def run(
    what: What,
    sut: Sut = None,
    scenario: Base = None,
    form: Format = "auto",
    limit: Limit = None,
    max_questions: MaxQuestions = None,
    strict: Strict = False,
    *,
    chosen: RunChoices,
) -> None:
    """Ask test seeds as they are, replay them changed, and say which relations between the answers broke."""
    from hairpin.app.replay_inputs import ReplayChoices, load_replays

    def load() -> RunInputs:
        replayed = ReplayChoices(
            sut=sut, base=scenario, form=form, limit=limit, max_questions=max_questions, strict=strict
        )
        return load_replays(what, replayed, packs=chosen.pack_folders, overrides=chosen.overrides)

    run_and_tell(load, chosen, replays=True)
