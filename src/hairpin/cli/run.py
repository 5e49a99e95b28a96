"""``hairpin run``: run a scenario and say what broke."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hairpin.cli.run_choices import RunChoices, takes_run_choices
from hairpin.cli.running import run_and_tell

if TYPE_CHECKING:
    from hairpin.app.inputs import RunInputs


@takes_run_choices(
    "out settings concurrency fail_on packs max_cost max_tokens estimate canary cache store log_level json",
)
def run(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A scenario file, or the name of a shipped one.")],
    *,
    chosen: RunChoices,
) -> None:
    """Run a scenario against its assistant and report what broke."""
    from hairpin.app.inputs import load_inputs
    from hairpin.errors import InvalidInputError

    def load() -> RunInputs:
        inputs = load_inputs(scenario, packs=chosen.pack_folders, overrides=chosen.overrides)
        if inputs.test_seeds is not None:
            what = "its conversations ask test seeds and have no verdict: relations between the answers decide"
            raise InvalidInputError(what, where=scenario, hint=f"hairpin metamorphic {scenario}")
        return inputs

    run_and_tell(load, chosen)
