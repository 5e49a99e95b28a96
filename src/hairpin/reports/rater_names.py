"""Raters as messages and reports name them: in one visible line, few of many.

It must not be used where each of them counts; tables and files of data name all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hairpin.reports.text import one_line

MAX_NAMED: Final = 8
MAX_CHARACTERS: Final = 60


def rater_names(raters: Sequence[str]) -> str:
    """Return who they are, as in ``ann, bob and 998 more``; long names are cut."""
    named = ", ".join(_short(rater) for rater in raters[:MAX_NAMED])
    return named + (f" and {len(raters) - MAX_NAMED:,} more" if len(raters) > MAX_NAMED else "")


def _short(rater: str) -> str:
    name = one_line(rater)
    return name if len(name) <= MAX_CHARACTERS else f"{name[: MAX_CHARACTERS - 1]}…"
