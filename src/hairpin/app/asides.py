"""What follows the conversations of a run beside their follow-ups: trials of those that failed, and canaries.

It must not run them; ``campaign`` does.
"""

from __future__ import annotations

from hairpin.app.inputs import RunInputs
from hairpin.campaign.asides import After, Asides, together
from hairpin.domain.confirming import confirming


def asides_of(inputs: RunInputs) -> Asides:
    """Return what follows the conversations of a run with these inputs."""
    scenario = inputs.scenario
    afters: list[After] = []
    if scenario.confirm is not None:
        afters.append(confirming(scenario.confirm, recorded=inputs.recordings is not None))
    return Asides(after=together(*afters))
