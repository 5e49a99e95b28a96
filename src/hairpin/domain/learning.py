"""Learning across conversations: epsilon-greedy choice of strategies and task combinations from what was found.

Pure, and without a state of its own: the same lessons give the same choice. Conversations are planned by
``learned_plan``.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.facts import Signature
from hairpin.domain.learning_spec import LearningSpec
from hairpin.domain.rng import derive_rng_seed

PRIOR_USES: Final = 10.0
PRIOR_CONVERSATIONS: Final = 2.0
"""So many uses, or conversations, what is expected of something untried weighs against what is found."""


class Lesson(Value):
    """What one finished conversation teaches.

    Attributes:
        id: its own.
        index: its number in the plan.
        task: its task combination.
        seed_phrase: what it began with.
        rated: whether it passed or failed; of others nothing is learnt.
        uses: how many utterances each strategy wrote.
        found: its distinct failures.
        confirmed: those of them that its trials have confirmed so far; ``None``: failures are not confirmed here.
    """

    id: str
    index: int = Field(ge=0)
    task: str
    seed_phrase: str = ""
    rated: bool = True
    uses: Mapping[str, int] = Field(default_factory=dict)
    found: frozenset[Signature] = frozenset()
    confirmed: frozenset[Signature] | None = None

    @property
    def rewarded(self) -> frozenset[Signature]:
        """The distinct failures that count."""
        return self.found if self.confirmed is None else self.confirmed


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen, in order, and which of it at random."""

    chosen: tuple[str, ...]
    explored: tuple[str, ...]


def strategy_worths(lessons: Iterable[Lesson], strategies: Sequence[str], spec: LearningSpec) -> dict[str, float]:
    """Return how many new distinct failures the next use of each strategy is expected to find.

    A discounted mean of what was new when it was found, per use, drawn towards the mean of all strategies times
    ``optimism``. A failure that was known is worth nothing, so that the worth of a strategy falls while it is used up;
    what was found long ago is forgotten, and with it that nothing was found: a strategy that is left alone becomes as
    promising again as an untried one.

    Source: discounting, Kocsis and Szepesvári, 2006. Good and Turing's estimate of what is unseen, the alternative for
    discoveries (Bubeck, Ernst and Garivier, 2013), was measured to be no better against uniform choice.
    """
    worths = _Worths(spec.decay, spec.optimism, PRIOR_USES)
    for lesson, new in _newly_found(lessons):
        worths.add(lesson.uses, Counter(signature.strategy for signature in new if signature.strategy))
    return worths.of(strategies)


def task_worths(lessons: Iterable[Lesson], tasks: Sequence[str], spec: LearningSpec) -> dict[str, float]:
    """Return how many new distinct failures the next conversation of each task combination is expected to find."""
    worths = _Worths(spec.decay, spec.task_optimism, PRIOR_CONVERSATIONS)
    for lesson, new in _newly_found(lessons):
        worths.add({lesson.task: 1}, {lesson.task: len(new)})
    return worths.of(tasks)


def choose(worths: Mapping[str, float], n: int, *, epsilon: float, rng_seed: int, tolerance: float = 1.0) -> Choice:
    """Choose ``n`` of ``worths``, one after another: with probability ``epsilon`` any that is left, else the best.

    What is worth at least ``tolerance`` times as much as the best that is left counts as equal to it. What is equal is
    drawn; the same worths and random seed give the same choice.

    Raises:
        ValueError: there are fewer than ``n``.
    """
    if not 0 <= n <= len(worths):
        raise ValueError(f"{n} cannot be chosen of {len(worths)}")
    left = sorted(worths, key=lambda name: derive_rng_seed(rng_seed, "order", name))
    chosen: list[str] = []
    explored: list[str] = []
    for place in range(n):
        at_random = derive_rng_seed(rng_seed, "explore", str(place)) < epsilon * 2**63
        drawn = left[derive_rng_seed(rng_seed, "draw", str(place)) % len(left)]
        good_enough = tolerance * max(worths[each] for each in left)
        name = drawn if at_random else next(each for each in left if worths[each] >= good_enough)
        left.remove(name)
        chosen.append(name)
        explored += [name] if at_random else []
    return Choice(tuple(chosen), tuple(explored))


class _Worths:
    """Rewards per use, older ones discounted, beside what was expected before the first use."""

    def __init__(self, decay: float, optimism: float, prior: float) -> None:
        self._decay = decay
        self._optimism = optimism
        self._prior = prior
        self._uses: defaultdict[str, float] = defaultdict(float)
        self._rewards: defaultdict[str, float] = defaultdict(float)

    def add(self, uses: Mapping[str, float], rewards: Mapping[str, float]) -> None:
        """Take what the next conversation taught."""
        for known in (self._uses, self._rewards):
            for name in known:
                known[name] *= self._decay
        for name, n in uses.items():
            self._uses[name] += n
        for name, n in rewards.items():
            self._rewards[name] += n

    def of(self, names: Sequence[str]) -> dict[str, float]:
        """Return what the next use of each is expected to find; before there is any use nothing is known: all 0."""
        n_uses = math.fsum(self._uses.values())
        mean = math.fsum(self._rewards.values()) / n_uses if n_uses else 0.0
        expected = self._prior * self._optimism * mean
        return {
            name: (self._rewards.get(name, 0.0) + expected) / (self._uses.get(name, 0.0) + self._prior)
            for name in names
        }


def _newly_found(lessons: Iterable[Lesson]) -> Iterator[tuple[Lesson, frozenset[Signature]]]:
    """Yield, in plan order, the lessons with what was new in each."""
    known: set[Signature] = set()
    for lesson in sorted((each for each in lessons if each.rated), key=lambda each: each.index):
        yield lesson, lesson.rewarded - known
        known |= lesson.rewarded
