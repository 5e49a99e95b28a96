"""The sections of replays, in the order in which they are read.

It lays out nothing; renderers do.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.reports.metamorphic_figures import sensitivity_section
from hairpin.reports.metamorphic_methods import replay_methods_section
from hairpin.reports.metamorphic_noise import noise_section
from hairpin.reports.metamorphic_results import ReplayResults
from hairpin.reports.metamorphic_tables import (
    ablation_section,
    effort_section,
    levels_section,
    overview_section,
    relations_section,
    uniqueness_section,
)
from hairpin.reports.metamorphic_violations import violations_section
from hairpin.reports.tables import Section

_PREFIX = "Replays: "


def beside_a_campaign(sections: Sequence[Section]) -> tuple[Section, ...]:
    """Return ``sections`` with titles that say that they are of replays: those of a campaign stand beside them."""
    return tuple(
        section if "replay" in section.title.lower() else section.model_copy(update={"title": _PREFIX + section.title})
        for section in sections
    )


def metamorphic_sections(results: ReplayResults) -> tuple[Section, ...]:
    """Return all tables and figures of a run's replays; what needs gold answers is left out without them."""
    analysis = results.analysis
    sections = (
        overview_section(analysis),
        violations_section(results.scored, results.location),
        relations_section(analysis),
        levels_section(analysis),
        noise_section(results.noise, null_replays=results.spec.null_replays),
        uniqueness_section(analysis.uniqueness),
        ablation_section(analysis),
        sensitivity_section(analysis, results.spec),
        effort_section(analysis),
        replay_methods_section(results),
    )
    return tuple(section for section in sections if section is not None)
