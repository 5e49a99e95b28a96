"""The whole analysis of a campaign's conversations, but for what needs an encoder.

It must not compute a figure itself; each has its module.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from hairpin.analysis.comparisons import compare_arms
from hairpin.analysis.coverage import coverage
from hairpin.analysis.curves import cumulative_curves, time_grid
from hairpin.analysis.effectiveness import group_figures, most_types
from hairpin.analysis.model import CampaignAnalysis
from hairpin.analysis.modes import mode_order
from hairpin.analysis.profile import failure_profile
from hairpin.analysis.scope import Scope, rated
from hairpin.analysis.strategies import strategy_matrix
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts


def analyse(
    facts: Sequence[ConversationFacts],
    *,
    aims: Mapping[str, str],
    modes: Sequence[str],
    suts: Sequence[str],
    arms: Sequence[Arm],
) -> CampaignAnalysis:
    """Return all figures of the planned conversations ``facts``.

    Args:
        facts: of one campaign or run, each conversation once, whatever became of it.
        aims: ξ(λ), the failure type each strategy aims at, by strategy.
        modes: the rubric's failure types, in the order of tables; others that were found follow.
        suts: labels of the assistants, in the order of tables.
        arms: in the order of tables.

    Raises:
        ValueError: a conversation is of an assistant or arm that is not given.
    """
    _check_known(facts, suts, arms)
    columns = mode_order(rated(facts), modes)
    scopes = [Scope(sut=sut, arm=arm) for arm in arms for sut in (None, *suts)]
    both = (None, *suts) if {Arm.GUIDED, Arm.BASELINE} <= set(arms) else ()
    runs = sorted({fact.run for fact in facts})
    grid = time_grid(facts)
    figures = partial(group_figures, facts, max_types=most_types(facts))
    return CampaignAnalysis(
        suts=tuple(suts),
        arms=tuple(arms),
        modes=columns,
        overall=figures(Scope()),
        by_arm=tuple(figures(Scope(arm=arm)) for arm in arms),
        by_sut_arm=tuple(figures(scope) for scope in scopes if scope.sut is not None),
        by_run=tuple(figures(scope.model_copy(update={"run": run})) for scope in scopes for run in runs),
        comparisons=tuple(compare_arms(facts, sut) for sut in both),
        strategies=tuple(strategy_matrix(facts, scope, aims=aims, modes=columns) for scope in scopes),
        profiles=tuple(failure_profile(facts, sut, modes=columns) for sut in both),
        curves=tuple(cumulative_curves(facts, scope, grid=grid) for scope in scopes),
        coverage=tuple(coverage(facts, scope, strategies=_usable(scope, aims)) for scope in scopes),
    )


def _check_known(facts: Sequence[ConversationFacts], suts: Collection[str], arms: Collection[Arm]) -> None:
    for fact in facts:
        if fact.sut not in suts or fact.arm not in arms:
            known = f"{', '.join(suts) or 'no assistant'}; {', '.join(arms) or 'no arm'}"
            raise ValueError(f"{fact.id}: {fact.sut!r}, {fact.arm} is not to be analysed ({known}); name every one")


def _usable(scope: Scope, aims: Mapping[str, str]) -> Collection[str]:
    """Return the strategies that conversations of ``scope`` can use: the baseline arm has none."""
    return () if scope.arm is Arm.BASELINE else aims.keys()
