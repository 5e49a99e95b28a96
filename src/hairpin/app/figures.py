"""What computes the parts of a stored run's report that need an encoder.

It must not load a model before a vector is needed that is not cached.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hairpin.app.diversity import local_encoder
from hairpin.app.stored import Figures, StoredRun
from hairpin.domain.encoder import EncoderSpec
from hairpin.reports.tables import Section
from hairpin.settings import Settings


def figures_of(
    stored: StoredRun,
    settings: Settings,
    encoder: EncoderSpec | None = None,
    *,
    warn: Callable[[str], None] | None = None,
) -> Figures:
    """Return what computes them.

    ``encoder`` takes the place of those of the run, ``warn`` hears of trouble with the cache.
    """
    scenario = stored.scenario()
    campaign = scenario.campaign if stored.run_info().campaign else None
    diversity = None
    if campaign is not None:
        diversity = local_encoder(settings, encoder or campaign.encoder, warn=warn).diversity
    return Figures(diversity=diversity, replays=partial(_replays, stored, settings, encoder, warn))


def _replays(
    stored: StoredRun, settings: Settings, encoder: EncoderSpec | None, warn: Callable[[str], None] | None
) -> tuple[Section, ...]:
    # The statistics take seconds to load: only who asks for the report of replays pays.
    from hairpin.app.replays import replay_sections

    spec = stored.scenario().metamorphic
    if spec is None:
        return ()
    return replay_sections(stored, local_encoder(settings, encoder or spec.encoder, warn=warn))
