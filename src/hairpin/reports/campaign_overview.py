"""The first tables of a campaign: what became of its conversations, and how much each arm found.

It computes nothing; the figures are ``analysis.effectiveness``'s and ``analysis.comparisons``'.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hairpin.analysis.model import ArmComparison, CampaignAnalysis, EffectSize, GroupFigures, RankComparison
from hairpin.reports.cells import (
    arm_text,
    count,
    counts,
    interval,
    intervals,
    missing,
    number,
    numbers,
    percent,
    percents,
    spread,
    spreads,
    sut_text,
    text,
    words,
)
from hairpin.reports.tables import Cell, IntervalCell, Section, Table

MOST_TYPES = 5
"""Shares with at least k failure types are shown up to this k."""

LEAST_FOR_MAGNITUDE = 10
"""With fewer conversations in an arm an effect size swings too far for a word."""

_STANDINGS = ("planned", "passed", "failed", "inconclusive", "invalid", "missing")
_RUN_NOTE = "Runs are counted from 1."


def overview_section(analysis: CampaignAnalysis) -> Section:
    """Return what each arm did and found, for all assistants and each."""
    groups = groups_shown(analysis)
    tables = [_outcomes(groups), _found(groups)]
    if len({figures.scope.run for figures in analysis.by_run}) > 1:
        tables.append(_runs(analysis.by_run))
    return Section(id="overview", title="What each arm found", parts=tuple(tables))


def comparison_section(analysis: CampaignAnalysis) -> Section | None:
    """Return guided against baseline; ``None`` where only one arm ran."""
    # With one assistant the comparison over all is the same once more.
    shown = analysis.comparisons if len(analysis.suts) > 1 else analysis.comparisons[1:]
    if not shown:
        return None
    return Section(
        id="comparison",
        title="Guided against baseline",
        text=(_headline(shown[0]),),
        parts=(_ranks(shown), _rates(shown)),
    )


def groups_shown(analysis: CampaignAnalysis) -> tuple[GroupFigures, ...]:
    """Return the arms, then each assistant's; with one assistant these are the same, and it has a name."""
    by_sut = sorted(analysis.by_sut_arm, key=lambda group: analysis.suts.index(group.scope.sut or ""))
    return tuple(by_sut) if len(analysis.suts) == 1 else (*analysis.by_arm, *by_sut)


def _outcomes(groups: Sequence[GroupFigures]) -> Table:
    return Table(
        id="outcomes",
        title="Conversations and failure rate",
        note="planned = passed + failed + inconclusive + invalid + missing. The failure rate is failed / (passed + "
        "failed), with its 95 % Wilson interval.",
        columns=(
            words("Arm", header=True),
            words("Assistant"),
            *(counts(name.capitalize()) for name in _STANDINGS),
            intervals("Failure rate"),
        ),
        rows=tuple((*_who(group), *_standings(group), interval(group.failure_rate)) for group in groups),
    )


def _found(groups: Sequence[GroupFigures]) -> Table:
    most = min(MOST_TYPES, max((len(group.at_least) for group in groups), default=0))
    return Table(
        id="found",
        title="What was found",
        note="Over passed and failed conversations, means ± standard deviation. C is the success score. Turns are "
        "numbered from 0. Early: in the first half of its conversation's turns; the late share is what is left.",
        columns=(
            words("Arm", header=True),
            words("Assistant"),
            spreads("C"),
            spreads("Failure types per conversation"),
            *(percents(f"≥ {k} type{'s' * (k > 1)}") for k in range(1, most + 1)),
            counts("Failure instances"),
            spreads("First failing turn"),
            percents("Early instances"),
            percents("Early first failures"),
            spreads("Turns"),
        ),
        rows=tuple(_found_row(group, most) for group in groups),
    )


def _found_row(group: GroupFigures, most: int) -> tuple[Cell, ...]:
    return (
        *_who(group),
        spread(group.success_score),
        spread(group.failure_types),
        *(percent(at_least.share) for at_least in group.at_least[:most]),
        count(group.instances),
        spread(group.first_failure_t, digits=1),
        percent(group.early_instances),
        percent(group.early_first),
        spread(group.turns, digits=1),
    )


def _runs(groups: Iterable[GroupFigures]) -> Table:
    return Table(
        id="runs",
        title="Run by run",
        note=_RUN_NOTE,
        folded=True,
        columns=(
            words("Arm", header=True),
            words("Assistant"),
            counts("Run"),
            counts("Passed"),
            counts("Failed"),
            intervals("Failure rate"),
            spreads("C"),
            spreads("Failure types per conversation"),
            counts("Distinct failures"),
        ),
        rows=tuple(
            (
                *_who(group),
                count((group.scope.run or 0) + 1),
                count(group.conversations.passed),
                count(group.conversations.failed),
                interval(group.failure_rate),
                spread(group.success_score),
                spread(group.failure_types),
                count(group.distinct.distinct),
            )
            for group in groups
        ),
    )


def _who(group: GroupFigures) -> tuple[Cell, Cell]:
    return arm_text(group.scope.arm), sut_text(group.scope.sut)


def _standings(group: GroupFigures) -> tuple[Cell, ...]:
    had = group.conversations
    return tuple(map(count, (had.planned, had.passed, had.failed, had.inconclusive, had.invalid, had.missing)))


def _headline(comparison: ArmComparison) -> str:
    types, ratio = comparison.failure_types, comparison.types_ratio
    guided, baseline = types.first.mean, types.second.mean
    if guided is None or baseline is None:
        nobody = (
            "neither arm has a"
            if guided is baseline
            else f"the {'guided' if guided is None else 'baseline'} arm has no"
        )
        return f"The arms cannot be compared: {nobody} conversation that passed or failed."
    found = f"{guided:.2f} against {baseline:.2f} failure types per conversation"
    times = f"{ratio:.2f} times as many" if ratio is not None else comparison.types_ratio_reason
    where = "Over all assistants" if comparison.sut is None else f"Against {comparison.sut}"
    return f"{where}, guided conversations showed {found} ({times}); {_test_words(types)}."


def _test_words(ranks: RankComparison) -> str:
    test, effect = ranks.test, ranks.effect
    if test.p is None or effect.a12 is None or effect.magnitude is None:
        return f"not tested: {test.reason or effect.reason}"
    p = "p < 0.0001" if test.p < 0.0001 else f"p = {test.p:.4f}"
    few = " conversations to call it small or large" if _few(effect) else ""
    return f"Mann–Whitney U, two-sided: {p}; Â12 = {effect.a12:.2f} ({_magnitude(effect)}{few})"


def _magnitude(effect: EffectSize) -> str:
    """Return the word for how large an effect is; of a few conversations there is none."""
    return "too few" if _few(effect) or effect.magnitude is None else effect.magnitude.value


def _few(effect: EffectSize) -> bool:
    return min(effect.n1, effect.n2) < LEAST_FOR_MAGNITUDE


def _ranks(comparisons: Sequence[ArmComparison]) -> Table:
    measures = (("Failure types per conversation", "failure_types"), ("C", "success_score"))
    return Table(
        id="arms-compared",
        title="Failure types and success score",
        note="Ratio: mean failure types, guided / baseline. Mann–Whitney U, two-sided. Â12: how often a guided "
        "conversation has the greater value, ties half; 0.5 is no difference, from 0.56 small, 0.64 medium, 0.71 large "
        f"(or as far below); with fewer than {LEAST_FOR_MAGNITUDE} conversations in an arm these are too few. For "
        "C, an Â12 below 0.5 says that guided conversations come out worse.",
        columns=(
            words("Assistant", header=True),
            words("Measure"),
            spreads("Guided"),
            spreads("Baseline"),
            numbers("Ratio"),
            numbers("U"),
            numbers("p"),
            words("Method"),
            numbers("Â12"),
            words("Effect"),
        ),
        rows=tuple(
            _rank_row(comparison, title, getattr(comparison, field))
            for comparison in comparisons
            for title, field in measures
        ),
    )


def _rank_row(comparison: ArmComparison, title: str, ranks: RankComparison) -> tuple[Cell, ...]:
    test, effect = ranks.test, ranks.effect
    of_types = ranks is comparison.failure_types
    return (
        sut_text(comparison.sut),
        text(title),
        spread(ranks.first),
        spread(ranks.second),
        number(comparison.types_ratio, comparison.types_ratio_reason) if of_types else missing("only of failure types"),
        number(test.u, test.reason, digits=1),
        number(test.p, test.reason, digits=4),
        text(test.method.value),
        number(effect.a12, effect.reason),
        missing(effect.reason) if effect.magnitude is None else text(_magnitude(effect)),
    )


def _rates(comparisons: Sequence[ArmComparison]) -> Table:
    return Table(
        id="rates-compared",
        title="Failure rates",
        note="Rates with 95 % Wilson intervals; their difference, in percentage points, with Newcombe's interval.",
        columns=(
            words("Assistant", header=True),
            intervals("Guided"),
            intervals("Baseline"),
            intervals("Difference"),
        ),
        rows=tuple(
            (
                sut_text(comparison.sut),
                interval(comparison.failure_rate.first),
                interval(comparison.failure_rate.second),
                _difference(comparison),
            )
            for comparison in comparisons
        ),
    )


def _difference(comparison: ArmComparison) -> Cell:
    rate = comparison.failure_rate
    if rate.difference is None:
        return missing(rate.reason)
    return IntervalCell(share=rate.difference, low=rate.low, high=rate.high)
