"""Bug levels: what the violations of follow-ups add to what the test seed itself shows.

Pure.
"""

from __future__ import annotations

from collections.abc import Mapping


def bug_level(index: int, right: Mapping[int, bool]) -> int | None:
    """Return the level of a violation about question ``index``; ``right``: which questions the source answered right.

    1: the question was answered wrong there already; 2: it was answered right, another wrong; 3: all were right.
    ``None``: nobody can tell, since it has no gold answer or the source gave no answer.

    Source: MORTAR, section IV-E.
    """
    if index not in right:
        return None
    if not right[index]:
        return 1
    return 3 if all(right.values()) else 2
