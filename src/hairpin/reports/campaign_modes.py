"""What the strategies led to and what the arms' failures look like: strategy × mode, and the profile.

It computes nothing; the figures are ``analysis.strategies``' and ``analysis.profile``'s.
"""

from __future__ import annotations

from hairpin.analysis.model import CampaignAnalysis, FailureProfile, ProfileRow, StrategyMatrix, StrategyRow
from hairpin.reports.cells import (
    count,
    counts,
    interval,
    intervals,
    number,
    numbered,
    numbers,
    percent,
    percents,
    text,
    whose,
    words,
)
from hairpin.reports.glossary import Glossary
from hairpin.reports.tables import Cell, Section, Table

_NO_STRATEGY = "no strategy"


def strategies_section(analysis: CampaignAnalysis, titles: Glossary) -> Section | None:
    """Return the strategy × mode matrices of the arms that use strategies; ``None`` where none does."""
    used = [matrix for matrix in analysis.strategies if any(row.strategy is not None for row in matrix.rows)]
    shown = [matrix for matrix in used if matrix.scope.sut is None or len(analysis.suts) > 1]
    if not shown:
        return None
    return Section(
        id="strategies",
        title="Strategies",
        text=(
            "A use is a turn whose utterance the strategy wrote, in a conversation that passed or failed. The darker, "
            "the more uses led to the failure mode on their turn.",
        ),
        parts=tuple(_matrix(matrix, index, titles) for index, matrix in enumerate(shown)),
    )


def profile_section(analysis: CampaignAnalysis, titles: Glossary) -> Section | None:
    """Return the failure-type profiles; ``None`` where only one arm ran."""
    # With one assistant the profile of all is the same once more.
    shown = analysis.profiles if len(analysis.suts) > 1 else analysis.profiles[1:]
    if not shown:
        return None
    return Section(
        id="profile",
        title="Which failures each arm finds",
        parts=tuple(_profile(profile, index, titles) for index, profile in enumerate(shown)),
    )


def _matrix(matrix: StrategyMatrix, index: int, titles: Glossary) -> Table:
    darkest = max((mode.share.rate or 0.0 for row in matrix.rows for mode in row.modes), default=0.0)
    return Table(
        id=numbered("strategies-by-mode", index),
        title=f"Strategy × failure mode, {matrix.scope.label}",
        note="Target hits: uses with the mode that the strategy aims at; collateral: with any other. The 95 % Wilson "
        "intervals take uses for independent, which those of one conversation are not.",
        folded=index > 0,
        columns=(
            words("Strategy", header=True),
            words("Aims at"),
            counts("Uses"),
            *(percents(titles.mode(mode).title) for mode in matrix.modes),
            percents("Any failure"),
            intervals("Target hits"),
            intervals("Collateral"),
        ),
        rows=tuple(_strategy_row(row, darkest, titles) for row in matrix.rows),
    )


def _strategy_row(row: StrategyRow, darkest: float, titles: Glossary) -> tuple[Cell, ...]:
    return (
        text(_NO_STRATEGY if row.strategy is None else titles.strategy(row.strategy).title),
        text("nothing") if row.aim is None else text(titles.mode(row.aim).title),
        count(row.uses),
        *(percent(mode.share, darkest=darkest) for mode in row.modes),
        percent(row.any_failure),
        interval(row.target_hits),
        interval(row.collateral),
    )


def _profile(profile: FailureProfile, index: int, titles: Glossary) -> Table:
    guided, baseline = f"{profile.guided_instances:,}", f"{profile.baseline_instances:,}"
    return Table(
        id=numbered("profile", index),
        title=f"Failure-type profile, {whose(profile.sut)}",
        note=f"Of {guided} guided and {baseline} baseline failure instances, failed checks apart. Enrichment: "
        "the mode's share of guided instances over its share of baseline instances; above 1 guided finds more "
        "of it. Prevalence: the share of conversations with the mode, with its 95 % Wilson interval.",
        empty="No failure was found.",
        folded=index > 0,
        columns=(
            words("Failure mode", header=True),
            counts("Instances, guided"),
            counts("Instances, baseline"),
            numbers("Enrichment"),
            intervals("Prevalence, guided"),
            intervals("Prevalence, baseline"),
        ),
        rows=tuple(_profile_row(row, titles) for row in profile.rows),
    )


def _profile_row(row: ProfileRow, titles: Glossary) -> tuple[Cell, ...]:
    return (
        text(titles.mode(row.mode).title),
        count(row.guided_instances),
        count(row.baseline_instances),
        number(row.enrichment, row.reason),
        interval(row.guided_prevalence),
        interval(row.baseline_prevalence),
    )
