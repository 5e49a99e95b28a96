"""Numbers that are known from low to high only.

Pure values; what they are numbers of is ``llm.estimate``'s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Self

from hairpin.domain.base import Value

LEVELS: Final = range(3)
"""Low, expected, high."""


class Range(Value):
    """A number from low to high."""

    low: float = 0.0
    expected: float = 0.0
    high: float = 0.0

    @classmethod
    def exactly(cls, number: float) -> Self:
        """Return the range of a number that is known."""
        return cls(low=number, expected=number, high=number)

    @classmethod
    def by_level(cls, number: Callable[[int], float]) -> Self:
        """Return the range of what ``number`` says of each level."""
        return cls(low=number(0), expected=number(1), high=number(2))

    def at(self, level: int) -> float:
        """Return the number at a level of ``LEVELS``."""
        return (self.low, self.expected, self.high)[level]

    def plus(self, other: Range) -> Range:
        """Return the sum, end by end."""
        return Range(low=self.low + other.low, expected=self.expected + other.expected, high=self.high + other.high)

    def times(self, other: Range) -> Range:
        """Return the product, end by end."""
        return Range(low=self.low * other.low, expected=self.expected * other.expected, high=self.high * other.high)


def total(ranges: Iterable[Range]) -> Range:
    """Return the sum of ``ranges``, end by end."""
    found = Range()
    for each in ranges:
        found = found.plus(each)
    return found
