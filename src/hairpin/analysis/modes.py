"""The failure types of conversations: which there are, and at which turns; failed checks are none.

It must not weigh them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from hairpin.domain.facts import ConversationFacts
from hairpin.domain.failures import ModeKind


def mode_order(facts: Iterable[ConversationFacts], known: Sequence[str]) -> tuple[str, ...]:
    """Return the ``known`` modes in their order, then by name those that were found beside them."""
    found = {mode for fact in facts for mode in fact.modes}
    return (*known, *sorted(found.difference(known)))


def modes_by_turn(fact: ConversationFacts) -> dict[int, frozenset[str]]:
    """Return the failure types found at each turn that has any."""
    turns: defaultdict[int, set[str]] = defaultdict(set)
    for failure in fact.failures:
        if failure.kind is not ModeKind.CHECK:
            turns[failure.t].add(failure.mode)
    return {t: frozenset(modes) for t, modes in turns.items()}
