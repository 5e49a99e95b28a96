"""Distinct failures, what one of them costs, and how diverse failing conversations are (Table IV).

It computes nothing; the figures are ``analysis.distinct``'s and ``analysis.diversity``'s.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.analysis.diversity import DiversityAnalysis, DiversityRow, UniqueFailures
from hairpin.analysis.model import CampaignAnalysis, GroupFigures
from hairpin.reports.campaign_overview import groups_shown
from hairpin.reports.campaign_results import DistinctFailure, Diversity
from hairpin.reports.cells import (
    arm_text,
    count,
    counts,
    missing,
    number,
    numbers,
    percents,
    spread,
    spreads,
    sut_text,
    text,
    words,
)
from hairpin.reports.glossary import Glossary
from hairpin.reports.tables import Cell, PercentCell, Section, Table
from hairpin.reports.wording import kind_words

MOST_FREQUENT = 20
"""So many distinct failures are shown without opening the list of all."""

_COST_NOTE = (
    "Distinct failures differ in assistant, mode, kind of target or strategy. The baseline has no strategies, so the "
    "same mode and kind of target can count several times for the guided arm and once for the baseline: these counts "
    "favour the guided arm. Without strategy, an assistant's failures count once per mode and kind of target in either "
    "arm. Rates, time and money are per distinct failure with strategy. Money is what Hairpin's own model calls cost, "
    "for all conversations, also those that came to nothing; active time is that of all runs together."
)
NO_MODEL = "no model was asked: every role was played offline"


def distinct_section(
    analysis: CampaignAnalysis, distinct: Sequence[DistinctFailure], titles: Glossary, *, offline: bool = False
) -> Section:
    """Return the distinct failures and their cost; ``offline``: no role of Hairpin's is played by a model."""
    return Section(
        id="distinct",
        title="Distinct failures",
        text=(
            "Failures are distinct when the assistant, their mode, the kind of the target they concern or the strategy "
            "differ.",
        ),
        parts=(_costs(groups_shown(analysis), offline=offline), *_lists(distinct, titles)),
    )


def diversity_section(diversity: Diversity) -> Section:
    """Return how diverse failing conversations are, or why that is not known."""
    title, figures = "Diversity of failures", diversity.figures
    if figures is None:
        return Section(id="diversity", title=title, text=(f"Not computed: {diversity.reason}.",))
    rows = (*figures.suts, figures.overall) if len(figures.suts) > 1 else figures.suts
    said = (
        "A failing conversation is the mean vector of what its user said. Duplicates (cosine above 0.8 to one kept "
        "before) are taken out within each arm and assistant; the others are clustered, and an arm covers a cluster "
        f"that holds one of its conversations. Encoder: {diversity.encoder}.",
        *dict.fromkeys(row.clustering.reason for row in rows if row.clustering.reason),
    )
    return Section(id="diversity", title=title, text=said, parts=(_unique(rows), _clusters(rows), _means(figures)))


def _costs(groups: Sequence[GroupFigures], *, offline: bool) -> Table:
    return Table(
        id="distinct-costs",
        title="What a distinct failure costs",
        note=_COST_NOTE,
        columns=(
            words("Arm", header=True),
            words("Assistant"),
            counts("Distinct failures"),
            counts("Without strategy"),
            counts("Passed or failed"),
            numbers("Per 100 conversations"),
            numbers("Conversations for one"),
            numbers("Active time for one", "s"),
            numbers("Cost", "USD"),
            numbers("Cost of one", "USD"),
        ),
        rows=tuple(_cost_row(group, offline=offline) for group in groups),
    )


def _cost_row(group: GroupFigures, *, offline: bool) -> tuple[Cell, ...]:
    cost = group.distinct
    unpaid = offline and not cost.cost_usd
    return (
        arm_text(group.scope.arm),
        sut_text(group.scope.sut),
        count(cost.distinct),
        count(cost.without_strategy),
        count(cost.conversations),
        number(cost.per_100_conversations, cost.reason, digits=1),
        number(cost.conversations_per_distinct, cost.reason, digits=1),
        number(cost.active_s_per_distinct, cost.reason, digits=1),
        *(
            missing(NO_MODEL) if unpaid else number(usd, cost.reason, digits=4)
            for usd in (cost.cost_usd, cost.usd_per_distinct)
        ),
    )


def _lists(distinct: Sequence[DistinctFailure], titles: Glossary) -> tuple[Table, ...]:
    """Return the most frequent ones to look at, and all of them where there are more."""
    whole = _list(distinct, titles)
    if len(distinct) <= MOST_FREQUENT:
        return (whole,)
    most = {"id": "most-frequent-failures", "title": "The most frequent distinct failures"}
    return (
        whole.model_copy(update={**most, "rows": whole.rows[:MOST_FREQUENT]}),
        whole.model_copy(update={"folded": True, "title": f"All {len(distinct):,} distinct failures"}),
    )


def _list(distinct: Sequence[DistinctFailure], titles: Glossary) -> Table:
    learned = any(each.learned for each in distinct)
    return Table(
        id="distinct-failures",
        title="Distinct failures",
        note="Conversations of each arm in which it was found, those found most often first.",
        empty="No failure was found in a conversation that passed or failed.",
        columns=(
            words("Failure mode", header=True),
            words("Kind of target"),
            words("Strategy"),
            words("Assistant"),
            counts("Guided"),
            counts("Baseline"),
            *([counts("Learned")] if learned else []),
            words("First in"),
            numbers("First after", "s"),
        ),
        rows=tuple(_list_row(each, titles, learned=learned) for each in distinct),
    )


def _list_row(each: DistinctFailure, titles: Glossary, *, learned: bool) -> tuple[Cell, ...]:
    mode, kind, strategy = each.signature
    return (
        text(titles.mode(mode).title),
        text(kind_words(kind)) if kind else missing("it concerns no target"),
        text(titles.strategy(strategy).title) if strategy else missing("no strategy wrote the turn"),
        text(each.sut),
        count(each.guided),
        count(each.baseline),
        *([count(each.learned)] if learned else []),
        text(each.first),
        number(each.first_active_s, "no active time is stored", digits=1),
    )


def _unique(rows: Sequence[DiversityRow]) -> Table:
    arms = [each.arm for each in rows[0].arms]
    return Table(
        id="unique-failures",
        title="Failing conversations without duplicates",
        note="Redundancy: the share of duplicates. Ratio: unique failures, guided / baseline, whatever the arms' "
        "numbers of conversations.",
        columns=(
            words("Assistant", header=True),
            *(
                column
                for arm in arms
                for column in (counts(f"Failed, {arm}"), counts(f"Unique, {arm}"), percents(f"Redundancy, {arm}"))
            ),
            numbers("Ratio"),
        ),
        rows=tuple(
            (
                sut_text(row.sut),
                *(cell for arm in row.arms for cell in _unique_cells(arm)),
                number(row.ratio, row.reason),
            )
            for row in rows
        ),
    )


def _unique_cells(arm: UniqueFailures) -> tuple[Cell, ...]:
    share = missing(arm.reason) if arm.redundancy is None else PercentCell(share=arm.redundancy)
    return count(arm.n_failing), count(arm.n_unique), share


def _clusters(rows: Sequence[DiversityRow]) -> Table:
    arms = [each.arm for each in rows[0].arms]
    return Table(
        id="failure-clusters",
        title="Clusters of failing conversations",
        note="Mean ± sd over ten clusterings of the same conversations, which are no independent samples; k from 2 to "
        "10 by the silhouette. Coverage: the share of clusters, from 0 to 1, that an arm takes part in.",
        columns=(
            words("Assistant", header=True),
            spreads("k"),
            spreads("Silhouette"),
            *(column for arm in arms for column in (counts(f"Clustered, {arm}"), spreads(f"Coverage, {arm}"))),
        ),
        rows=tuple(
            (
                sut_text(row.sut),
                spread(row.clustering.k, digits=1),
                spread(row.clustering.silhouette),
                *(cell for arm in row.clustering.arms for cell in (count(arm.n_clustered), spread(arm.coverage))),
            )
            for row in rows
        ),
    )


def _means(figures: DiversityAnalysis) -> Table:
    return Table(
        id="mean-coverage",
        title="Cluster coverage, mean over assistants",
        columns=(words("Arm", header=True), spreads("Coverage")),
        rows=tuple((arm_text(each.arm), spread(each.coverage)) for each in figures.mean_coverage),
    )
