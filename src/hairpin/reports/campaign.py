"""The sections of a campaign's report, in the order in which they are read.

It lays out nothing; renderers do.
"""

from __future__ import annotations

from hairpin.analysis.model import CampaignAnalysis
from hairpin.reports.campaign_certainty import sequence_section
from hairpin.reports.campaign_coverage import coverage_section
from hairpin.reports.campaign_curves import curves_section
from hairpin.reports.campaign_distinct import distinct_section, diversity_section
from hairpin.reports.campaign_learning import learning_section
from hairpin.reports.campaign_modes import profile_section, strategies_section
from hairpin.reports.campaign_overview import comparison_section, overview_section
from hairpin.reports.campaign_results import CampaignResults
from hairpin.reports.glossary import Glossary
from hairpin.reports.methods import methods_section
from hairpin.reports.tables import Section
from hairpin.reports.wording import is_offline


def campaign_sections(results: CampaignResults, titles: Glossary) -> tuple[Section, ...]:
    """Return all tables and figures of a campaign; what one arm alone does not have is left out."""
    analysis, offline = results.analysis, all(map(is_offline, results.run.agents.values()))
    sections = (
        overview_section(analysis),
        comparison_section(analysis),
        learning_section(results.learning, titles, confirmed=results.confirms),
        curves_section(analysis),
        strategies_section(analysis, titles),
        profile_section(analysis, titles),
        distinct_section(analysis, results.distinct, titles, offline=offline),
        diversity_section(results.diversity),
        coverage_section(analysis, titles),
        sequence_section(results.sequences),
        methods_section(results),
    )
    return tuple(section for section in sections if section is not None)


def judged_again_sections(analysis: CampaignAnalysis, titles: Glossary) -> tuple[Section, ...]:
    """Return what can be said of a campaign's conversations that were judged again: how long they took, no row says."""
    sections = (
        overview_section(analysis),
        comparison_section(analysis),
        strategies_section(analysis, titles),
        profile_section(analysis, titles),
        coverage_section(analysis, titles),
    )
    return tuple(section for section in sections if section is not None)
