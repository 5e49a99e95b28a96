"""What is true of a whole run, its fingerprint included.

It opens no session.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from importlib.metadata import version

from hairpin.app.recorded import imported, recordings_of, seeds_of
from hairpin.app.request import RunRequest
from hairpin.domain.fingerprint import fingerprint
from hairpin.domain.records import RunInfo
from hairpin.packs.recordings import recordings_digest
from hairpin.packs.scenarios import scenario_fingerprint_parts
from hairpin.packs.test_seed_source import test_seeds_digest
from hairpin.ports import SutAdapter


def run_info_of(request: RunRequest, adapters: Mapping[str, SutAdapter], *, run_id: str, created: datetime) -> RunInfo:
    """Return what is true of the run of ``request`` against ``adapters``."""
    inputs = request.inputs
    scenario = inputs.scenario
    suts = {label: adapter.describe() for label, adapter in adapters.items()}
    parts = {
        **scenario_fingerprint_parts(scenario),
        **{f"sut.{label}": f"{identity.name} {identity.version}".strip() for label, identity in suts.items()},
        **{f"agent.{role}": player for role, player in inputs.cast.players.items()},
        **{f"{origin.kind}.{origin.name}": origin.digest for origin in inputs.cast.origins},
        "hairpin": version("hairpin"),
    }
    if recordings := recordings_of(inputs):
        parts["recordings"] = recordings_digest(recordings)
    if seeds := seeds_of(inputs):
        parts["test_seeds"] = test_seeds_digest(seeds)
    return RunInfo(
        run_id=run_id,
        name=scenario.id,
        title=scenario.title,
        tags=scenario.tags,
        hairpin_version=version("hairpin"),
        created_at=created.isoformat(timespec="seconds"),
        fingerprint=fingerprint(parts),
        fingerprint_parts=parts,
        agents=inputs.cast.players,
        suts=suts,
        threshold=scenario.rubric.threshold,
        critical_modes=scenario.rubric.critical_modes,
        scored=scenario.oracles.dimensions,
        imported=imported(inputs),
        rejudged=inputs.rejudged,
        settings=request.run_settings(),
        campaign=request.campaign,
        n_planned=scenario.campaign.conversations if request.campaign and scenario.campaign else None,
        rng_seed=scenario.rng_seed,
        canary_share=None if scenario.canaries is None else scenario.canaries.share,
    )
