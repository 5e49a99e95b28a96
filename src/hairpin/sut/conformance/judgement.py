"""What replies say about an assistant: pure functions from what was heard to what it means.

Driving the assistant is the checks' work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

Replies = tuple[str, ...]
"""The words of the replies of one session, in order."""

Place = tuple[int, int]
"""A reply among many: session and turn, from 0."""

_LIMITS: Final = frozenset(
    [2**power for power in range(6, 17)] + [size * 10**power for power in (2, 3) for size in (1, 2, 4, 5, 8, 10, 20)]
)


def share_of_equal(runs: Sequence[Replies]) -> float:
    """Return how many pairs of replies to the same words are equal, from 0 to 1; 1 when there is nothing to compare."""
    pairs = [a == b for one, other in combinations(runs, 2) for a, b in zip(one, other, strict=True)]
    return sum(pairs) / len(pairs) if pairs else 1.0


def first_difference(expected: Sequence[str], got: Sequence[str]) -> int | None:
    """Return the first turn in which two sessions differ, ``None`` if they do not; a missing turn differs."""
    for t in range(max(len(expected), len(got))):
        if expected[t : t + 1] != got[t : t + 1]:
            return t
    return None


def owner_of(text: str, alone: Mapping[Place, str], *, place: Place) -> Place | None:
    """Return the first place whose reply ``text`` is, when it is not the one of ``place`` itself."""
    if alone.get(place) == text:
        return None
    return next((other for other, reply in alone.items() if reply == text), None)


def order_effect(after_one: Sequence[Replies], after_other: Sequence[Replies]) -> int | None:
    """Return the first turn whose reply depends on which session went before, and on nothing else.

    Each group holds replies to the same words, said after one of two other sessions. In such a turn the replies are
    equal within each group and differ between them.
    """
    for t in range(min(len(replies) for replies in (*after_one, *after_other))):
        one, other = {replies[t] for replies in after_one}, {replies[t] for replies in after_other}
        if len(one) == len(other) == 1 and one != other:
            return t
    return None


def answers_late(replies: Mapping[Place, str]) -> bool:
    """Whether second replies depend on what was said first, and not on what was said second.

    Args:
        replies: the second reply, by which utterance was said first and which second; two or more of each.
    """
    by_first: dict[int, set[str]] = {}
    for (first, _), reply in replies.items():
        by_first.setdefault(first, set()).add(reply)
    texts = [next(iter(group)) for group in by_first.values() if len(group) == 1]
    return len(texts) == len(by_first) > 1 and len(set(texts)) == len(texts)


def round_limit(text: str) -> str | None:
    """Return the round size that ``text`` has exactly, in words (``1,024 characters``), ``None`` if it has none."""
    for size, unit in ((len(text), "characters"), (len(text.encode("utf-8", "replace")), "bytes")):
        if size in _LIMITS:
            return f"{size:,} {unit}"
    return None


def common_prefix(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    n = min(len(one), len(other))
    return next((i for i in range(n) if one[i] != other[i]), n)
