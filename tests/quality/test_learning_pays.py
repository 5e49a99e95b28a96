"""Learning pays where strategies are useless, and costs little where all are equal.

Counts of distinct failures over 20 random seeds are tested in a simulation that is like the testbed: 100 conversations,
about four uses of strategies in each, failures as rare as they are there. The testbed itself is tested with one random
seed; ``docs/results/learning.md`` has it with many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Final

import pytest

from hairpin.domain.arm import Arm
from hairpin.domain.facts import Signature
from hairpin.domain.learning import Lesson, choose, strategy_worths
from hairpin.domain.learning_spec import LearningSpec
from hairpin.domain.rng import derive_rng_seed
from tests.quality.learning_worlds import hold

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]

N_SEEDS, N_CONVERSATIONS, N_USES = 20, 100, 4
N_KINDS, RATE, N_FREE, FREE_RATE = 26, 0.005, 8, 0.007
"""A useful strategy can find so many distinct failures, each with this probability per use; the rest of a conversation
so many, whichever strategies it uses."""

SPEC: Final = LearningSpec()
UNIFORM: Final = None


def pool(n_useful: int, n_useless: int) -> dict[str, int]:
    """Return how many distinct failures each strategy can find."""
    useful = {f"useful_{number}": N_KINDS for number in range(n_useful)}
    return {**useful, **{f"useless_{number}": 0 for number in range(n_useless)}}


def found(kinds: Mapping[str, int], spec: LearningSpec | None, rng_seed: int) -> int:
    """Return how many distinct failures 100 simulated conversations find; both arms meet the same users."""
    lessons: list[Lesson] = []
    for number in range(N_CONVERSATIONS):
        rng = Random(derive_rng_seed(rng_seed, "world", str(number)))
        failures = {Signature("free", str(kind), "") for kind in range(N_FREE) if rng.random() < FREE_RATE}
        uses: Counter[str] = Counter()
        preferred = list(kinds) if spec is None else preferred_by(lessons, list(kinds), spec, rng_seed, number)
        for _ in range(N_USES):
            least = min(uses[name] for name in preferred)
            strategy = rng.choice([name for name in preferred if uses[name] == least])
            uses[strategy] += 1
            failures |= {Signature("m", str(k), strategy) for k in range(kinds[strategy]) if rng.random() < RATE}
        lessons.append(Lesson(id=str(number), index=number, task="", uses=uses, found=frozenset(failures)))
    return len(frozenset().union(*(lesson.found for lesson in lessons)))


def preferred_by(
    lessons: list[Lesson], names: list[str], spec: LearningSpec, rng_seed: int, number: int
) -> tuple[str, ...]:
    worths = strategy_worths(lessons, names, spec)
    seed = derive_rng_seed(rng_seed, "choice", str(number))
    n = spec.n_preferred(len(names))
    return choose(worths, n, epsilon=spec.epsilon, rng_seed=seed, tolerance=spec.tolerance).chosen


def counts(kinds: Mapping[str, int]) -> list[tuple[int, int]]:
    """Return what learned and uniform choice find, by random seed."""
    return [(found(kinds, SPEC, rng_seed), found(kinds, UNIFORM, rng_seed)) for rng_seed in range(1, N_SEEDS + 1)]


def test_with_two_useless_strategies_learning_finds_more_in_at_least_16_of_20_random_seeds() -> None:
    pairs = counts(pool(2, 2))
    assert sum(learned > uniform for learned, uniform in pairs) >= 16
    assert sum(learned for learned, _ in pairs) >= 1.1 * sum(uniform for _, uniform in pairs)


def test_where_all_strategies_are_equal_learning_costs_at_most_a_tenth() -> None:
    pairs = counts(pool(4, 0))
    assert sum(learned for learned, _ in pairs) >= 0.9 * sum(uniform for _, uniform in pairs)


async def test_on_the_testbed_useless_strategies_are_left_and_more_is_found() -> None:
    """Uniform choice gives them half of the uses or so; learned choice goes on trying them, but seldom."""
    shares, found_in_all = {}, {}
    for arm in (Arm.GUIDED, Arm.LEARNED):
        held = await hold(arm, n_useless=2, rng_seed=1, n=60)
        useless = sum(n for strategy, n in held.uses.items() if strategy.startswith("useless"))
        shares[arm], found_in_all[arm] = useless / held.uses.total(), held.distinct[-1]
    assert shares[Arm.GUIDED] > 0.4
    assert shares[Arm.LEARNED] < 0.7 * shares[Arm.GUIDED]
    assert found_in_all[Arm.LEARNED] > found_in_all[Arm.GUIDED]
