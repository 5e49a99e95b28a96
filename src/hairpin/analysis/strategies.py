"""What strategies lead to: strategy × mode per use, target hits and collateral (in-car paper, section VI).

It must not judge strategies.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from hairpin.analysis.model import ModeShare, Proportion, StrategyMatrix, StrategyRow
from hairpin.analysis.modes import mode_order, modes_by_turn
from hairpin.analysis.proportions import proportion
from hairpin.analysis.scope import Scope, rated
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts

Uses = Sequence[frozenset[str]]
"""The failure types found at the turn of each use."""

_NO_MODES: frozenset[str] = frozenset()
NO_USE = "never used in a rated conversation"
NO_AIM = "it aims at no failure type"


def strategy_matrix(
    facts: Sequence[ConversationFacts], scope: Scope, *, aims: Mapping[str, str], modes: Sequence[str]
) -> StrategyMatrix:
    """Return the matrix of ``scope``: a row per strategy, known or only used, then one for turns without.

    Args:
        facts: planned conversations; only the rated ones of the scope count.
        scope: usually one arm; the baseline arm has no rows for strategies it did not use.
        aims: ξ(λ) by strategy, in the order of rows.
        modes: the rubric's failure types, in the order of columns; others that were found follow.
    """
    judged = rated(scope.pick(facts))
    uses = uses_by_strategy(judged)
    columns = mode_order(judged, modes)
    known = [] if scope.arm is Arm.BASELINE else list(aims)
    others = sorted(strategy for strategy in uses if strategy is not None and strategy not in known)
    rows = tuple(_row(strategy, aims, columns, uses.get(strategy, ())) for strategy in (*known, *others, None))
    return StrategyMatrix(scope=scope, modes=columns, rows=rows)


def uses_by_strategy(facts: Iterable[ConversationFacts]) -> dict[str | None, list[frozenset[str]]]:
    """Return, for each strategy and for none, the failure types at each turn whose utterance it wrote."""
    uses: defaultdict[str | None, list[frozenset[str]]] = defaultdict(list)
    for fact in facts:
        found = modes_by_turn(fact)
        for t, strategy in enumerate(fact.strategies):
            uses[strategy].append(found.get(t, _NO_MODES))
    return dict(uses)


def _row(strategy: str | None, aims: Mapping[str, str], modes: Sequence[str], uses: Uses) -> StrategyRow:
    aim = None if strategy is None else aims.get(strategy)
    hits, collateral = _towards(aim, uses)
    return StrategyRow(
        strategy=strategy,
        aim=aim,
        uses=len(uses),
        modes=tuple(ModeShare(mode=mode, share=_share([mode in found for found in uses])) for mode in modes),
        any_failure=_share([bool(found) for found in uses]),
        target_hits=hits,
        collateral=collateral,
    )


def _towards(aim: str | None, uses: Uses) -> tuple[Proportion, Proportion]:
    """Return the shares of uses with the mode aimed at, and with any other."""
    if aim is None:
        return proportion(0, 0, reason=NO_AIM), proportion(0, 0, reason=NO_AIM)
    return _share([aim in found for found in uses]), _share([bool(found - {aim}) for found in uses])


def _share(true: Sequence[bool]) -> Proportion:
    return proportion(sum(true), len(true), reason=NO_USE)
