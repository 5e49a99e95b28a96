"""What follows the conversations of a run beside their follow-ups: trials of those that failed, and canaries.

It must not run them; ``campaign`` does.
"""

from __future__ import annotations

from hairpin.app.inputs import RunInputs
from hairpin.campaign.asides import After, Asides, together
from hairpin.domain.canary_draw import CanaryDraw
from hairpin.domain.confirming import confirming


def asides_of(inputs: RunInputs) -> Asides:
    """Return what follows the conversations of a run with these inputs."""
    scenario = inputs.scenario
    afters: list[After] = []
    if scenario.confirm is not None:
        afters.append(confirming(scenario.confirm, recorded=inputs.recordings is not None))
    known, spec = inputs.transcripts, scenario.canaries
    if known is None or spec is None:
        return Asides(after=together(*afters))
    campaign = scenario.campaign
    n_streams = 1 if campaign is None else campaign.n_cells * len(campaign.arms)
    afters.append(CanaryDraw(spec, known, rng_seed=scenario.rng_seed, n_streams=n_streams).after)
    return Asides(after=together(*afters), transcripts={each.id: each.exchanges for each in known.all()})
