"""Distinct failures of two arms in equally many conversations: rates per 100, intervals, and a permutation test.

It must not look at strategies; ``analysis.learning`` does.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Final

from hairpin.analysis.learning_model import Discoveries, DiscoveryDifference
from hairpin.analysis.scope import rated
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts, Signature
from hairpin.domain.intervals import Z_95
from hairpin.domain.rng import derive_rng_seed

PERMUTATIONS: Final = 999
"""So many random exchanges of arms say how unusual a difference is: p is never below 0.001."""

Cell = tuple[int, str]
Found = Sequence[frozenset[Signature]]
"""The distinct failures of each conversation, in plan order."""


def compare_discoveries(facts: Sequence[ConversationFacts], *, rng_seed: int) -> DiscoveryDifference:
    """Compare what the learned and the guided arm found in the first n rated conversations of each cell.

    n is the smaller arm's number, for fewer conversations find more per conversation. Each cell (run × assistant)
    counts on its own: its learner knows of no other.

    The intervals take conversations as independent, which those of a learner are not.

    Source: variance of the number of kinds found: Colwell, Mao and Chang, 2004, equation 6, with the estimate of all
    kinds by Chao, 1987.
    """
    cells = _cells(facts)
    learned, guided = (_discoveries([arms[number] for arms in cells]) for number in (0, 1))
    if learned.per_100 is None or guided.per_100 is None:
        reason = "no cell has conversations of both arms that passed or failed"
        return DiscoveryDifference(
            learned=learned, guided=guided, difference=None, low=None, high=None, p=None, reason=reason
        )
    difference = learned.per_100 - guided.per_100
    spread = math.hypot(_half_width(learned), _half_width(guided))
    return DiscoveryDifference(
        learned=learned,
        guided=guided,
        difference=difference,
        low=difference - spread,
        high=difference + spread,
        p=permutation_p(cells, rng_seed=rng_seed),
    )


def permutation_p(cells: Sequence[tuple[Found, Found]], *, rng_seed: int) -> float:
    """Return how often arms that are drawn at random differ at least as much, two-sided; the observed one counts.

    In each cell conversations keep their places: the two at the same place are exchanged or not.
    """
    observed = abs(_difference(cells))
    rng = Random(derive_rng_seed(rng_seed, "discoveries"))
    as_unusual = sum(abs(_difference(_exchanged(cells, rng))) >= observed for _ in range(PERMUTATIONS))
    return (as_unusual + 1) / (PERMUTATIONS + 1)


def n_distinct(found: Iterable[frozenset[Signature]]) -> int:
    """Return how many distinct failures there are."""
    return len(frozenset().union(*found))


def _difference(cells: Iterable[tuple[Found, Found]]) -> int:
    return sum(n_distinct(first) - n_distinct(second) for first, second in cells)


def _exchanged(cells: Iterable[tuple[Found, Found]], rng: Random) -> list[tuple[Found, Found]]:
    exchanged: list[tuple[Found, Found]] = []
    for first, second in cells:
        pairs = [(other, one) if rng.random() < 0.5 else (one, other) for one, other in zip(first, second, strict=True)]
        exchanged.append(([one for one, _ in pairs], [other for _, other in pairs]))
    return exchanged


def _cells(facts: Sequence[ConversationFacts]) -> list[tuple[Found, Found]]:
    """Return what was found in each cell that has both arms: by the learned and by the guided one, equally many."""
    by_cell: dict[Cell, dict[Arm, list[frozenset[Signature]]]] = {}
    for fact in sorted(rated(facts), key=lambda each: each.index):
        found = frozenset(failure.signature for failure in fact.failures)
        by_cell.setdefault((fact.run, fact.sut), {}).setdefault(fact.arm, []).append(found)
    return [_equally_many(arms) for arms in by_cell.values() if Arm.LEARNED in arms and Arm.GUIDED in arms]


def _equally_many(arms: Mapping[Arm, Found]) -> tuple[Found, Found]:
    n = min(len(arms[Arm.LEARNED]), len(arms[Arm.GUIDED]))
    return arms[Arm.LEARNED][:n], arms[Arm.GUIDED][:n]


def _discoveries(cells: Sequence[Found]) -> Discoveries:
    n, distinct = sum(map(len, cells)), sum(map(n_distinct, cells))
    if not n:
        return Discoveries(n=0, distinct=0, per_100=None, low=None, high=None)
    half = Z_95 * math.sqrt(math.fsum(map(_variance, cells)))
    low, high = (100 * max(0.0, bound) / n for bound in (distinct - half, distinct + half))
    return Discoveries(n=n, distinct=distinct, per_100=100 * distinct / n, low=low, high=high)


def _variance(found: Found) -> float:
    """Return S (1 − S / Ŝ) of the S kinds that were found, Ŝ being how many there may be in all."""
    times = Counter(signature for each in found for signature in each)
    once, twice = (sum(count == times_found for count in times.values()) for times_found in (1, 2))
    n, distinct = len(found), len(times)
    unseen = (n - 1) / n * (once**2 / (2 * twice) if twice else once * (once - 1) / 2)
    return distinct * unseen / (distinct + unseen) if distinct else 0.0


def _half_width(found: Discoveries) -> float:
    return (found.high or 0.0) - (found.per_100 or 0.0)
