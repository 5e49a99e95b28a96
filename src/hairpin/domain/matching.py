"""Places and phrases, matched so that as many phrases as possible stand where they may.

Kuhn's method: a phrase already placed moves on if that makes room.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set


def match_places(places: Sequence[Hashable], refused: Sequence[Set[Hashable]]) -> list[int]:
    """Return, for each place, the number of the item that stands there; every item stands in one place.

    Args:
        places: what each place is.
        refused: for each item, as many as there are places, which places it should not have; as few as possible do.
    """
    items: list[int | None] = [None] * len(places)
    place_of: dict[int, int] = {}
    for place in range(len(places)):
        _make_room(place, places, refused, items, place_of)
    free = iter([item for item in range(len(refused)) if item not in place_of])
    return [next(free) if item is None else item for item in items]


def _make_room(
    place: int,
    places: Sequence[Hashable],
    refused: Sequence[Set[Hashable]],
    items: list[int | None],
    place_of: dict[int, int],
) -> None:
    """Put an item at ``place`` if one can be freed for it, along a shortest chain of moves."""
    came_from: dict[int, int] = {}
    queue = [place]
    for at in queue:
        for item, refusals in enumerate(refused):
            if item in came_from or places[at] in refusals:
                continue
            came_from[item] = at
            if item not in place_of:
                _move_along(item, place, came_from, items, place_of)
                return
            queue.append(place_of[item])


def _move_along(
    item: int, start: int, came_from: dict[int, int], items: list[int | None], place_of: dict[int, int]
) -> None:
    """Put ``item`` where the chain that found it came from, and each item that stood there one step on."""
    moving: int | None = item
    while moving is not None:
        at = came_from[moving]
        evicted = items[at]
        items[at], place_of[moving] = moving, at
        moving = None if at == start else evicted
