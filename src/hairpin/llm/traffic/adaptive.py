"""How many requests an endpoint takes at a time, learnt from how they end.

It counts and never waits.
"""

from __future__ import annotations

from typing import Final

_SHRINK: Final = 0.5
"""Per request turned away: a whole round of them halves the limit, as TCP does; a few cost little (as in RFC 8257)."""


class AdaptiveLimit:
    """A number of slots between 1 and ``ceiling``, and how many of them are taken.

    It starts at the ceiling. Every request that is turned away takes half a slot; a round of successes while the slots
    are in short supply gives a whole one. A burst that fails as a whole therefore halves the limit.
    """

    __slots__ = ("_ceiling", "_in_flight", "_level")

    def __init__(self, ceiling: int) -> None:
        self._ceiling = ceiling
        self._level = float(ceiling)
        self._in_flight = 0

    @property
    def limit(self) -> int:
        """How many slots there are now."""
        return int(self._level)

    @property
    def in_flight(self) -> int:
        """How many are taken."""
        return self._in_flight

    @property
    def has_room(self) -> bool:
        """Whether one is free."""
        return self._in_flight < int(self._level)

    def take(self) -> None:
        """Take a slot; there must be room."""
        self._in_flight += 1

    def give_back(self) -> None:
        """Give a slot back."""
        self._in_flight -= 1

    def grow(self, *, wanted: bool) -> None:
        """Note a success, before its slot is given back; ``wanted``: requests wait. Unused slots prove nothing."""
        if wanted or self._in_flight >= int(self._level):
            self._level = min(self._level + 1.0 / self._level, float(self._ceiling))

    def shrink(self) -> None:
        """Note that a request was turned away or timed out."""
        self._level = max(self._level - _SHRINK, 1.0)
