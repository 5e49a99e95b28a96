"""``hairpin run``: run a scenario and say what broke."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli import options
from hairpin.cli.running import RunChoices, run_and_tell
from hairpin.settings import LogLevel

if TYPE_CHECKING:
    from hairpin.app.inputs import RunInputs


def run(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A scenario file, or the name of a shipped one.")],
    out: options.Out = Path("runs"),
    settings: options.Settings = None,
    concurrency: options.Concurrency = 4,
    fail_on: options.FailOn = "any",
    packs: options.Packs = None,
    max_cost: options.MaxCost = None,
    max_tokens: options.MaxTokens = None,
    estimate: options.Estimate = False,
    canary: options.Canary = True,
    cache: options.Cache = None,
    store: options.Store = None,
    log_level: options.Level = LogLevel.INFO,
    json: options.Json = False,
) -> None:
    """Run a scenario against its assistant and report what broke."""
    from hairpin.app.inputs import load_inputs
    from hairpin.errors import InvalidInputError

    def load() -> RunInputs:
        inputs = load_inputs(scenario, packs=packs or (), overrides=options.parse_settings(settings))
        if inputs.test_seeds is not None:
            what = "its conversations ask test seeds and have no verdict: relations between the answers decide"
            raise InvalidInputError(what, where=scenario, hint=f"hairpin metamorphic {scenario}")
        return inputs

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
