"""The figures of a group of conversations (RQ1): rates, scores, failure types, where failures begin.

It must not compare groups; that is ``analysis.comparisons``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from hairpin.analysis.distinct import distinct_cost
from hairpin.analysis.model import AtLeastTypes, GroupFigures, Proportion
from hairpin.analysis.proportions import proportion
from hairpin.analysis.scope import Scope, rated
from hairpin.analysis.spreads import spread
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.tally import GroupTally, Standing

NO_RATED = "no rated conversation"
NO_FAILURE = "no failure was found"


def most_types(facts: Iterable[ConversationFacts]) -> int:
    """Return the most failure types that one rated conversation has, 0 without any."""
    return max((len(fact.modes) for fact in rated(facts)), default=0)


def group_figures(facts: Sequence[ConversationFacts], scope: Scope, *, max_types: int | None = None) -> GroupFigures:
    """Return the figures of the conversations of ``scope`` among ``facts``.

    Args:
        facts: planned conversations, whatever became of them.
        scope: which of them.
        max_types: up to which number of types shares are given; the most that one of them has, unless said.
    """
    group = scope.pick(facts)
    judged = rated(group)
    firsts = [(first, fact.n_turns) for fact in judged if (first := fact.first_failure_t) is not None]
    places = [(failure.t, fact.n_turns) for fact in judged for failure in fact.failures]
    n_types = [len(fact.modes) for fact in judged]
    return GroupFigures(
        scope=scope,
        conversations=GroupTally(standings=Counter(fact.standing for fact in group)).counts(),
        failure_rate=failure_rate(judged),
        success_score=spread(scores(judged), reason="no rated conversation has a score"),
        failure_types=spread(n_types, reason=NO_RATED),
        at_least=_at_least(n_types, max(n_types, default=0) if max_types is None else max_types),
        turns=spread([fact.n_turns for fact in judged], reason=NO_RATED),
        instances=len(places),
        first_failure_t=spread([first for first, _ in firsts], reason=NO_FAILURE),
        early_instances=_early(places),
        early_first=_early(firsts),
        distinct=distinct_cost(group),
    )


def failure_rate(facts: Iterable[ConversationFacts]) -> Proportion:
    """Return failed / (passed + failed)."""
    judged = rated(facts)
    failed = sum(fact.standing is Standing.FAIL for fact in judged)
    return proportion(failed, len(judged), reason=NO_RATED)


def scores(facts: Iterable[ConversationFacts]) -> list[float]:
    """Return C of the rated conversations that have one."""
    return [fact.success_score for fact in rated(facts) if fact.success_score is not None]


def _at_least(n_types: Sequence[int], most: int) -> tuple[AtLeastTypes, ...]:
    return tuple(
        AtLeastTypes(k=k, share=proportion(sum(n >= k for n in n_types), len(n_types), reason=NO_RATED))
        for k in range(1, most + 1)
    )


def _early(places: Sequence[tuple[int, int]]) -> Proportion:
    """Return the share of ``(t, n_turns)`` in the first half of the conversation's turns (design, section 12)."""
    return proportion(sum(2 * t < n_turns for t, n_turns in places), len(places), reason=NO_FAILURE)
