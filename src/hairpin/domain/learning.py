"""Learning across conversations: epsilon-greedy choice of strategies and task combinations from what was found.

Pure, and without a state of its own: the same lessons give the same choice. Conversations are planned by
``learned_plan``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.facts import Signature
from hairpin.domain.learning_spec import LearningSpec

PRIOR_USES: Final = 1.0
"""So many uses the expectation of something untried weighs: it is soon overruled by what is found."""


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
        again: what its replays found, the assistant answering the same words anew; ``None``: nothing is confirmed here.
    """

    id: str
    index: int = Field(ge=0)
    task: str
    seed_phrase: str = ""
    rated: bool = True
    uses: Mapping[str, int] = Field(default_factory=dict)
    found: frozenset[Signature] = frozenset()
    again: frozenset[Signature] | None = None

    @property
    def rewarded(self) -> frozenset[Signature]:
        """The distinct failures that count: where failures are confirmed, those whose mode and kind of target came again.

        Words that are said again have no strategy any more.
        """
        if self.again is None:
            return self.found
        shown = {(signature.mode, signature.target_kind) for signature in self.again}
        return frozenset(each for each in self.found if (each.mode, each.target_kind) in shown)


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen, in order, and which of it at random."""

    chosen: tuple[str, ...]
    explored: tuple[str, ...]


def strategy_worths(lessons: Iterable[Lesson], strategies: Sequence[str], spec: LearningSpec) -> dict[str, float]:
    """Return how many new distinct failures the next use of each strategy is expected to find.

    The estimate is Good and Turing's of what was not seen yet: distinct failures that were found in one conversation
    only, per use. A strategy that finds the same again and again is as worthless as one that finds nothing, however
    much it found at first, and a mean of earlier rewards would take long to notice.

    Source: Good, 1953; for choosing among sources of discoveries: Bubeck, Ernst and Garivier, 2013.
    """
    ordered = _in_order(lessons)
    worths = _Worths(spec.decay, spec.strategy_optimism)
    for lesson, once in zip(ordered, _found_once(ordered), strict=True):
        worths.add(lesson.uses, Counter(signature.strategy for signature in once))
    return {strategy: worths.of(strategy) for strategy in strategies}


def task_worths(lessons: Iterable[Lesson], tasks: Sequence[str], spec: LearningSpec) -> dict[str, float]:
    """Return how many new distinct failures the next conversation of each task combination is expected to find."""
    ordered = _in_order(lessons)
    worths = _Worths(spec.decay, spec.task_optimism)
    for lesson, once in zip(ordered, _found_once(ordered), strict=True):
        worths.add({lesson.task: 1}, {lesson.task: len(once)})
    return {task: worths.of(task) for task in tasks}


def choose(worths: Mapping[str, float], n: int, *, epsilon: float, rng_seed: int) -> Choice:
    """Choose ``n`` of ``worths``, one after another: with probability ``epsilon`` any that is left, else the best.

    What is equal is drawn. The order of ``worths`` must be the same for the same choice.

    Raises:
        ValueError: there are fewer than ``n``.
    """
    if not 0 <= n <= len(worths):
        raise ValueError(f"{n} cannot be chosen of {len(worths)}")
    rng = Random(rng_seed)
    left = list(worths)
    rng.shuffle(left)
    chosen: list[str] = []
    explored: list[str] = []
    for _ in range(n):
        at_random = rng.random() < epsilon
        name = rng.choice(left) if at_random else max(left, key=lambda each: worths[each])
        left.remove(name)
        chosen.append(name)
        explored += [name] if at_random else []
    return Choice(tuple(chosen), tuple(explored))


class _Worths:
    """Discoveries per use, older ones discounted, beside what was expected before the first use."""

    def __init__(self, decay: float, optimism: float) -> None:
        self._decay = decay
        self._optimism = optimism
        self._uses: defaultdict[str, float] = defaultdict(float)
        self._unseen: defaultdict[str, float] = defaultdict(float)

    def add(self, uses: Mapping[str, float], unseen: Mapping[str, float]) -> None:
        """Take what the next conversation taught."""
        for known in (self._uses, self._unseen):
            for name in known:
                known[name] *= self._decay
        for name, n in uses.items():
            self._uses[name] += n
        for name, n in unseen.items():
            self._unseen[name] += n

    def of(self, name: str) -> float:
        """Return what the next use is expected to find."""
        unseen = self._unseen.get(name, 0.0) + PRIOR_USES * self._optimism
        return unseen / (self._uses.get(name, 0.0) + PRIOR_USES)


def _in_order(lessons: Iterable[Lesson]) -> list[Lesson]:
    return sorted((lesson for lesson in lessons if lesson.rated), key=lambda lesson: lesson.index)


def _found_once(lessons: Sequence[Lesson]) -> list[list[Signature]]:
    """Return, of each lesson, the signatures that no other lesson has."""
    times = Counter(signature for lesson in lessons for signature in lesson.rewarded)
    return [[signature for signature in lesson.rewarded if times[signature] == 1] for lesson in lessons]
