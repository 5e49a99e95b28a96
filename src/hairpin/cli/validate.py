"""``hairpin validate``: read a scenario and everything it names, and run nothing."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import Annotated

import typer

from hairpin.cli import options
from hairpin.cli.console import errors_as_messages, fitted, note, say


def validate(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A scenario file, or the name of a shipped one.")],
    settings: options.Settings = None,
    packs: options.Packs = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 when lint finds anything.")] = False,
) -> None:
    """Check a scenario, its packs, checks and adapter without asking the assistant anything; say what lint finds."""
    from hairpin.app.assistants import adapters_of
    from hairpin.app.campaign_inputs import declared_campaign
    from hairpin.app.campaign_words import campaign_words, extent_words, remarks
    from hairpin.app.inputs import load_inputs
    from hairpin.app.linting import lint_scenario_file
    from hairpin.app.recorded import planned_of, recordings_of, turns_words
    from hairpin.cli.running import tell_import, tell_seeds

    with errors_as_messages(), redirect_stdout(sys.stderr):
        overrides = options.parse_settings(settings)
        inputs = load_inputs(scenario, packs=packs or (), overrides=overrides)
        campaign = declared_campaign(scenario, packs=packs or (), overrides=overrides)
        adapters = adapters_of(inputs.scenario, recordings=recordings_of(inputs))
        tell_import(inputs.recordings)
        tell_seeds(inputs.test_seeds)
        linted = lint_scenario_file(scenario, packs=packs or (), overrides=overrides, idle=False)
    n_planned = sum(1 for _ in planned_of(inputs, tuple(adapters)))
    conversations = "1 conversation" if n_planned == 1 else f"{n_planned} conversations"
    if inputs.test_seeds is not None:
        conversations += ", and what is derived from them,"
    plain = "" if campaign is None else "as a plain run: "
    say(f"{inputs.scenario.id}: valid; {plain}{conversations} of {turns_words(inputs)}")
    for adapter in adapters.values():
        identity = adapter.describe()
        say(
            " ".join(
                word for word in ("assistant:", identity.name, identity.version, f"({identity.transport})") if word
            )
        )
    if campaign is not None:
        say(fitted(f"campaign: {campaign_words(campaign)}", sys.stdout))
        for told in (extent_words(campaign), *remarks(campaign)):
            say(fitted(f"campaign: {told}", sys.stdout))
    say(fitted(inputs.cast.line, sys.stdout))
    for finding in linted.findings:
        note(f"hairpin: warning: {finding.line}")
    raise typer.Exit(int(strict and bool(linted.findings)))
