"""``hairpin rejudge``: judge the conversations of a stored run again; the assistant is asked nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli import options
from hairpin.cli.run_choices import RunChoices, takes_run_choices
from hairpin.cli.running import run_and_tell

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


@takes_run_choices(
    "out concurrency fail_on packs store max_cost max_tokens estimate canary cache log_level json",
    json=Json,
)
def rejudge(
    run: options.RunReference,
    settings: Judging = None,
    rubric: RubricName = None,
    conversations: Ids = None,
    *,
    chosen: RunChoices,
) -> None:
    """Judge the conversations of a stored run again on what was said, and say what is judged differently now.

    Nothing is sent to the assistant. The result is a run of its own, for report, show, compare and agreement.

    Example: hairpin rejudge demo --set models.turn_judge=openai/gpt-5
    """
    from hairpin.app.rejudging import load_rejudging

    def load() -> RunInputs:
        overrides = options.parse_settings(settings)
        wanted = tuple(conversations or ())
        packs = chosen.pack_folders
        return load_rejudging(run, rubric=rubric, conversations=wanted, packs=packs, overrides=overrides)

    run_and_tell(load, chosen)
