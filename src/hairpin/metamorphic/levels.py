"""Bug levels: what the violations of follow-ups add to what the test seed itself shows.

Pure.
"""

from __future__ import annotations

from collections.abc import Mapping


def bug_level(index: int, right: Mapping[int, bool | None]) -> int | None:
    """Return the level of a violation about question ``index``.

    1: the question was answered wrong in the source already; 2: it was answered right, another wrong or not at all, so
    that the test seed passed in part; 3: all were right. ``None``: nobody can tell, since the question has no gold
    answer or the source gave it no answer. Questions without a gold answer count for no other.

    Args:
        index: j.
        right: which of the questions with a gold answer the source answered right; ``None``: it gave no answer.

    Source: MORTAR, section IV-E.
    """
    if right.get(index) is None:
        return None
    if not right[index]:
        return 1
    return 3 if all(right.values()) else 2
