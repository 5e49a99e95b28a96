"""Which pairs of levels of different factors have met.

It only counts; what comes next is ``balanced``'s choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

Table = list[list[int]]


class PairCoverage:
    """The pairs of levels of a leading factor and of others; once all of them have met, they are to meet again."""

    def __init__(self, sizes: Sequence[int]) -> None:
        """Take the number of levels of each factor, the leading one first."""
        self._sizes = tuple(sizes)
        self._start()

    def _start(self) -> None:
        """Open all pairs: 1 stands for a pair that has not met."""
        self._open: dict[tuple[int, int], Table] = {
            (one, other): [[1] * self._sizes[other] for _ in range(self._sizes[one])]
            for one, other in combinations(range(len(self._sizes)), 2)
        }
        self.n_open = sum(sum(map(sum, table)) for table in self._open.values())

    def gain_among(self, levels: Sequence[int]) -> int:
        """Return how many open pairs ``levels`` of the factors after the leading one would bring together."""
        pairs = combinations(range(1, len(self._sizes)), 2)
        return sum(self._open[one, other][levels[one - 1]][levels[other - 1]] for one, other in pairs)

    def gains_with(self, leading: int, allowed: Sequence[Sequence[int]]) -> list[int]:
        """Return how many open pairs with level ``leading`` each combination of ``allowed`` levels brings together.

        Combinations are in the order of ``itertools.product``.
        """
        gains = [0]
        for other, levels in enumerate(allowed, start=1):
            row = self._open[0, other][leading]
            gains = [gain + row[level] for gain in gains for level in levels]
        return gains

    def cover(self, levels: Sequence[int]) -> None:
        """Note that ``levels``, one of each factor, have met."""
        for (one, other), table in self._open.items():
            row = table[levels[one]]
            self.n_open -= row[levels[other]]
            row[levels[other]] = 0
        if not self.n_open:
            self._start()
