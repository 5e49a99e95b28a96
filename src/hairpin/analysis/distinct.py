"""Distinct failures, by signature, and what one of them costs.

It must not look at texts; those are ``analysis.diversity``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from hairpin.analysis.model import DistinctCost
from hairpin.analysis.scope import rated
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts, Signature
from hairpin.domain.tally import Standing, ratio


def distinct_failures(facts: Iterable[ConversationFacts]) -> frozenset[tuple[str, Signature]]:
    """Return the (assistant, signature) pairs of rated conversations; failed checks are failures, too."""
    return frozenset((fact.sut, failure.signature) for fact in rated(facts) for failure in fact.failures)


def distinct_cost(facts: Sequence[ConversationFacts]) -> DistinctCost:
    """Return how many distinct failures ``facts`` hold and what they cost in conversations, time and money.

    Money and active time are those of all conversations: the ones that came to nothing were paid for as well.
    """
    found = distinct_failures(facts)
    distinct, n_rated = len(found), len(rated(facts))
    cost_usd, active_s = _cost_usd(facts), _active_s(facts)
    doubts = {
        "no rated conversation": n_rated == 0,
        "no failure was found": n_rated > 0 and distinct == 0,
        "the cost of a conversation is unknown": cost_usd is None,
        "no active time: not a campaign, or none of it ended": active_s is None,
    }
    return DistinctCost(
        distinct=distinct,
        without_strategy=len({(sut, signature.mode, signature.target_kind) for sut, signature in found}),
        conversations=n_rated,
        cost_usd=cost_usd,
        active_s=active_s,
        per_100_conversations=ratio(100 * distinct, n_rated),
        conversations_per_distinct=ratio(n_rated, distinct),
        usd_per_distinct=_per(cost_usd, distinct),
        active_s_per_distinct=_per(active_s, distinct),
        reason="; ".join(doubt for doubt, true in doubts.items() if true),
    )


def _cost_usd(facts: Sequence[ConversationFacts]) -> float | None:
    costs = [fact.cost_usd for fact in facts]
    known = [cost for cost in costs if cost is not None]
    return math.fsum(known) if len(known) == len(costs) else None


def _active_s(facts: Sequence[ConversationFacts]) -> float | None:
    """Return the sum over cells of when their last conversation ended; ``None`` where a cell's is unknown."""
    last: dict[tuple[int, str, Arm], float | None] = {}
    for fact in facts:
        if fact.standing is not Standing.MISSING:
            cell = (fact.run, fact.sut, fact.arm)
            last[cell] = max((s for s in (last.get(cell), fact.active_s) if s is not None), default=None)
    known = [seconds for seconds in last.values() if seconds is not None]
    return math.fsum(known) if known and len(known) == len(last) else None


def _per(amount: float | None, n: int) -> float | None:
    return None if amount is None or n == 0 else amount / n
