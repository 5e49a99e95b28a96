"""Balanced draws from a pool of seed phrases: which phrase meets which levels of the other factors.

Numbers only; what they stand for is ``sampling``'s. Every choice follows from the root seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import product
from typing import Final

from hairpin.domain.coverage import PairCoverage
from hairpin.domain.matching import match_places
from hairpin.domain.rng import derive_rng_seed

MAX_CANDIDATES: Final = 512
"""How many candidates are weighed for one draw, so that many levels do not make planning slow."""

TRIES: Final = 4
"""How often a pass is planned anew in which a phrase would meet a combination that it has met before."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A phrase, by its number in the pool, with one level of every factor, in pass number ``pass_number``, from 0."""

    phrase: int
    levels: tuple[int, ...]
    pass_number: int


@dataclass(slots=True)
class _Usage:
    """What has been drawn so far: of each task, of each level of each factor, and which pairs of levels."""

    tasks: list[int]
    levels: list[list[int]]
    coverage: PairCoverage

    def note(self, task: int, levels: Sequence[int]) -> None:
        self.tasks[task] += 1
        for counts, level in zip(self.levels, levels, strict=True):
            counts[level] += 1
        self.coverage.cover((task, *levels))


class BalancedDraws:
    """An endless series of draws.

    In every prefix the levels of each factor are used equally often, to within one; so are the phrases, and the tasks
    as far as phrases are left in the pass. Within that, a phrase meets combinations of levels that are new to it, and
    pairs of levels (of task and factor too) that have not met come first.
    """

    def __init__(self, tasks: Sequence[int], sizes: Sequence[int], root: int) -> None:
        """Take the task of each phrase (0, 1, … without gaps), the number of levels of each factor, and a root seed."""
        n_tasks = max(tasks) + 1
        self._phrases: list[list[int]] = [[] for _ in range(n_tasks)]
        for phrase, task in enumerate(tasks):
            self._phrases[task].append(phrase)
        self._sizes = tuple(sizes)
        self._combinations = list(product(*(range(size) for size in sizes)))
        self._met: list[set[int]] = [set() for _ in tasks]
        self._usage = _Usage([0] * n_tasks, [[0] * size for size in sizes], PairCoverage((n_tasks, *sizes)))
        self._root = root

    def __iter__(self) -> Iterator[Draw]:
        pass_number = 0
        while True:
            for phrase, combination in self._pass(pass_number):
                yield Draw(phrase, self._combinations[combination], pass_number)
            pass_number += 1

    def _pass(self, pass_number: int) -> list[tuple[int, int]]:
        """Return every phrase once, with its combination, and remember them."""
        least: tuple[int, list[tuple[int, int]], _Usage] | None = None
        for attempt in range(TRIES):
            usage = deepcopy(self._usage)
            places = list(self._places(usage, f"{pass_number}.{attempt}"))
            drawn = self._with_phrases(places, pass_number)
            n_again = sum(combination in self._met[phrase] for phrase, combination in drawn)
            if least is None or n_again < least[0]:
                least = (n_again, drawn, usage)
            if not n_again:
                break
        assert least is not None
        _, drawn, self._usage = least
        for phrase, combination in drawn:
            self._remember(phrase, combination)
        return drawn

    def _remember(self, phrase: int, combination: int) -> None:
        met = self._met[phrase]
        met.add(combination)
        if len(met) == len(self._combinations):
            met.clear()

    def _places(self, usage: _Usage, salt: str) -> Iterator[tuple[int, int]]:
        """Yield a task with a combination for every phrase of a pass, and note each in ``usage``."""
        left = [len(phrases) for phrases in self._phrases]
        unmet = [self._unmet(phrases) for phrases in self._phrases]
        for number in range(len(self._met)):
            rng_seed = derive_rng_seed(self._root, salt, str(number))
            least = min(count for count, n_left in zip(usage.tasks, left, strict=True) if n_left)
            tasks = [task for task, count in enumerate(usage.tasks) if count == least and left[task]]
            task, combination = self._best(tasks, usage, unmet, rng_seed)
            usage.note(task, self._combinations[combination])
            left[task] -= 1
            unmet[task][combination] -= 1
            yield task, combination

    def _unmet(self, phrases: Sequence[int]) -> list[int]:
        """Return, for each combination, how many of ``phrases`` have not met it."""
        counts = [len(phrases)] * len(self._combinations)
        for phrase in phrases:
            for combination in self._met[phrase]:
                counts[combination] -= 1
        return counts

    def _best(
        self, tasks: Sequence[int], usage: _Usage, unmet: Sequence[Sequence[int]], rng_seed: int
    ) -> tuple[int, int]:
        """Return task and combination: new to a phrase, then with most new pairs, then least used by the task.

        What is equal is drawn.
        """
        allowed = [_turned(_least_used(counts), rng_seed) for counts in usage.levels]
        numbers = self._numbers(allowed)[:MAX_CANDIDATES]
        among = [usage.coverage.gain_among(self._combinations[number]) for number in numbers]
        shown = _turned(tasks, rng_seed)[: max(1, MAX_CANDIDATES // len(numbers))]
        scale = len(self._met) + 1
        worths: list[int] = []
        for task in shown:
            left, with_task = unmet[task], usage.coverage.gains_with(task, allowed)
            worths += [
                (one + other) * scale + left[number] if left[number] > 0 else one + other - scale
                for one, other, number in zip(among, with_task, numbers, strict=False)
            ]
        best = max(worths)
        ties = [index for index, worth in enumerate(worths) if worth == best]
        at_task, at_number = divmod(ties[rng_seed % len(ties)], len(numbers))
        return shown[at_task], numbers[at_number]

    def _numbers(self, allowed: Sequence[Sequence[int]]) -> list[int]:
        """Return the numbers of the combinations of ``allowed`` levels of each factor."""
        numbers = [0]
        for size, levels in zip(self._sizes, allowed, strict=True):
            numbers = [number * size + level for number in numbers for level in levels]
        return numbers

    def _with_phrases(self, places: Sequence[tuple[int, int]], pass_number: int) -> list[tuple[int, int]]:
        """Return phrase and combination of each place, as many as possible new to the phrase."""
        phrase_at: dict[int, int] = {}
        for task, phrases in enumerate(self._phrases):
            at = [number for number, place in enumerate(places) if place[0] == task]
            shuffled = sorted(phrases, key=lambda p: derive_rng_seed(self._root, "phrase", str(pass_number), str(p)))
            found = match_places([places[number][1] for number in at], [self._met[phrase] for phrase in shuffled])
            phrase_at.update((number, shuffled[index]) for number, index in zip(at, found, strict=True))
        return [(phrase_at[number], combination) for number, (_, combination) in enumerate(places)]


def _least_used(counts: Sequence[int]) -> list[int]:
    least = min(counts)
    return [level for level, count in enumerate(counts) if count == least]


def _turned(items: Sequence[int], by: int) -> list[int]:
    start = by % len(items)
    return [*items[start:], *items[:start]]
