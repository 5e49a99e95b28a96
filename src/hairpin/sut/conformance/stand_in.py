"""What stands in for an assistant and misbehaves as it is told: its manners, and what it says in them.

How it is reached is ``stand_in_http``'s, ``stand_in_websocket``'s and ``stand_in_process``'s.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Protocol

from pydantic import JsonValue

from hairpin.domain.json_paths import Each, TextPath, parse_text_path
from hairpin.domain.sut_spec import Match

GOOD_WORDS: Final = "This reply is in order."
LATE_WORDS: Final = "This reply comes too late."
LIMIT_BYTES: Final = 64 * 1024
SLOW_S: Final = 0.6


class Manner(StrEnum):
    """How the stand-in answers the next turn."""

    GOOD = "good"
    EMPTY = "empty"
    SLOW = "slow"
    ERROR_STATUS = "error status"
    ERROR_OBJECT = "error object"
    OVERSIZED = "oversized"
    GARBAGE = "garbage"
    BINARY = "binary"
    HANG_UP = "hang-up"
    REDIRECT = "redirect"


class StandIn(Protocol):
    """What the kit needs of a stand-in.

    Attributes:
        manner: how turns are answered from now on.
        manners: the bad ones that there are for such an assistant.
    """

    manner: Manner

    @property
    def manners(self) -> tuple[Manner, ...]:
        """Return the bad manners."""
        ...

    async def seen(self) -> str:
        """Return what it saw of the adapter that should not be, ``""`` if nothing."""
        ...


def words_in(manner: Manner) -> str:
    """Return what a whole reply says in a manner."""
    return {Manner.EMPTY: "", Manner.SLOW: LATE_WORDS, Manner.OVERSIZED: "much " * LIMIT_BYTES}.get(manner, GOOD_WORDS)


def tree_with(values: dict[str, JsonValue]) -> JsonValue:
    """Return the smallest JSON value in which each path holds its value."""
    tree: JsonValue = None
    for path, value in values.items():
        tree = _placed(tree, parse_text_path(path), value)
    return tree


def matching(match: Match | None) -> dict[str, JsonValue]:
    """Return what must stand where so that ``match`` holds."""
    return {match.path: match.equals[0] if match.equals else True} if match is not None else {}


def _placed(tree: JsonValue, path: TextPath, value: JsonValue) -> JsonValue:
    if not path:
        return value
    step, rest = 0 if isinstance(path[0], Each) else path[0], path[1:]
    if isinstance(step, str):
        known = dict(tree) if isinstance(tree, dict) else {}
        return {**known, step: _placed(known.get(step), rest, value)}
    items = list(tree) if isinstance(tree, list) else []
    size = max(len(items), step + 1 if step >= 0 else -step)
    items += [None] * (size - len(items))
    items[step] = _placed(items[step], rest, value)
    return items
