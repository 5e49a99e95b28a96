"""``hairpin campaign``: run a scenario's conversations for as long as there is time, and say what was found.

It must not know how a campaign spends its time; ``campaign`` does.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli.console import fitted, note
from hairpin.cli.run_choices import RunChoices, takes_run_choices
from hairpin.cli.running import run_and_tell

if TYPE_CHECKING:
    from hairpin.app.inputs import RunInputs

Time = Annotated[
    str | None,
    typer.Option("--time", metavar="T", help="How long each arm is active in each run: 4h, 90m, 1h30m or seconds."),
]
Conversations = Annotated[
    int | None, typer.Option("--conversations", metavar="N", min=1, help="How many conversations there are in all.")
]
MaxFailures = Annotated[
    int | None,
    typer.Option(
        "--max-failures",
        metavar="N",
        min=1,
        help="An arm that found N distinct failures in a run begins nothing new.",
    ),
]
Arms = Annotated[
    str | None,
    typer.Option(
        "--arms",
        metavar="ARMS",
        help="guided, baseline, or guided,baseline; with learned, which chooses by what it found: guided,learned.",
    ),
]
SplitName = Annotated[
    str | None,
    typer.Option(
        "--split",
        metavar="HOW",
        help="time: each arm gets all of the time; count: equal numbers of conversations; total: the time is shared.",
    ),
]
PairingName = Annotated[
    str | None,
    typer.Option(
        "--pairing", metavar="HOW", help="independent; or paired: arms meet the same users, only strategies differ."
    ),
]
Runs = Annotated[
    int | None,
    typer.Option("--runs", metavar="N", min=1, help="Repeat it all, each time with the next pool."),
]
Suts = Annotated[
    str | None,
    typer.Option(
        "--sut",
        metavar="A,B",
        help="Assistants: labels of the campaign's own, or references such as testbed or ./my.py:Mine.",
    ),
]


@takes_run_choices(
    "out store settings concurrency fail_on packs max_cost max_tokens estimate canary cache log_level json",
)
def campaign(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A scenario file, or the name of a shipped one.")],
    time: Time = None,
    conversations: Conversations = None,
    max_failures: MaxFailures = None,
    arms: Arms = None,
    split: SplitName = None,
    pairing: PairingName = None,
    runs: Runs = None,
    suts: Suts = None,
    *,
    chosen: RunChoices,
) -> None:
    """Run a time-boxed campaign; stop it at any time and go on with 'hairpin resume'."""
    from hairpin.app.campaign_inputs import CampaignChoices, load_campaign

    def load() -> RunInputs:
        wanted = CampaignChoices(
            time=time,
            conversations=conversations,
            max_distinct_failures=max_failures,
            arms=arms,
            split=split,
            pairing=pairing,
            runs=runs,
            suts=suts,
        )
        inputs = load_campaign(scenario, wanted, packs=chosen.pack_folders, overrides=chosen.overrides)
        _tell(inputs, extent=not chosen.estimate)
        return inputs

    run_and_tell(load, chosen, campaign=True)


def _tell(inputs: RunInputs, *, extent: bool) -> None:
    """Say on stderr how long all of it takes, unless an estimate will, and what a user may not have meant."""
    from hairpin.app.campaign_words import extent_words, remarks

    spec = inputs.scenario.campaign
    if spec is None:
        return
    for told in (*([extent_words(spec)] if extent else []), *remarks(spec)):
        note(fitted(told, sys.stderr))
