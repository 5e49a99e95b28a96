"""Places and items, matched so that as many items as possible stand where they may.

Kuhn's method: an item that is placed already moves on if that makes room for another.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set


def match_places(places: Sequence[Hashable], refused: Sequence[Set[Hashable]]) -> list[int]:
    """Return, for each place, the number of the item that stands there; every item stands in one place.

    Args:
        places: what each place is.
        refused: for each item, as many as there are places, what its place should not be; as few as possible are.
    """
    matching = _Matching(places, refused)
    for place in range(len(places)):
        matching.fill(place)
    left = iter(matching.free)
    return [next(left) if item is None else item for item in matching.items]


class _Matching:
    """Which item stands where so far, and which items, in order, are ``free``."""

    def __init__(self, places: Sequence[Hashable], refused: Sequence[Set[Hashable]]) -> None:
        self._places = places
        self._refused = refused
        self._place_of: dict[int, int] = {}
        self.items: list[int | None] = [None] * len(places)
        self.free = dict.fromkeys(range(len(refused)))

    def fill(self, place: int) -> None:
        """Put an item at ``place`` if one is free for it, or can be made so by a chain of moves, a shortest one."""
        came_from: dict[int, int] = {}
        queue = [place]
        for at in queue:
            what = self._places[at]
            item = next((item for item in self.free if what not in self._refused[item]), None)
            if item is not None:
                came_from[item] = at
                self._move_along(item, place, came_from)
                return
            for other, stands_at in self._place_of.items():
                if other not in came_from and what not in self._refused[other]:
                    came_from[other] = at
                    queue.append(stands_at)

    def _move_along(self, item: int, start: int, came_from: dict[int, int]) -> None:
        """Put ``item`` where the chain that found it came from, and each item that stood there one step on."""
        del self.free[item]
        moving: int | None = item
        while moving is not None:
            at = came_from[moving]
            evicted = self.items[at]
            self.items[at], self._place_of[moving] = moving, at
            moving = None if at == start else evicted
