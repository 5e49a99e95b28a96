"""Durations as people write them: ``90s``, ``15m``, ``4h``, ``1h30m``, or a number of seconds.

It measures nothing.
"""

from __future__ import annotations

import math
import re
from typing import Final

from hairpin.errors import InvalidInputError

_NUMBER: Final = r"\d+(?:\.\d+)?"
_SECONDS: Final = re.compile(_NUMBER)
_UNITS: Final = re.compile(rf"(?:({_NUMBER})\s*h)?\s*(?:({_NUMBER})\s*m)?\s*(?:({_NUMBER})\s*s)?", re.IGNORECASE)


def parse_duration(text: str, *, where: str) -> float:
    """Return the seconds that ``text`` says; always above 0 and finite.

    Raises:
        InvalidInputError: it is no duration; ``where`` names the place.
    """
    stripped = text.strip()
    seconds = float(stripped) if _SECONDS.fullmatch(stripped) else _in_units(stripped)
    if seconds is None or not 0 < seconds < math.inf:
        hint = "write it like 90s, 15m, 4h or 1h30m, or as a number of seconds"
        raise InvalidInputError(f"must be a duration above 0, not {text!r}", where=where, hint=hint)
    return seconds


def duration_text(seconds: float) -> str:
    """Return ``seconds`` as ``parse_duration`` reads it back, to the second: ``1h30m``, ``15m``, ``90s``."""
    whole = round(seconds)
    if whole < 120:
        return f"{whole}s"
    hours, rest = divmod(whole, 3600)
    minutes, left = divmod(rest, 60)
    return "".join(f"{number}{unit}" for number, unit in ((hours, "h"), (minutes, "m"), (left, "s")) if number)


def _in_units(text: str) -> float | None:
    match = _UNITS.fullmatch(text)
    if match is None or not text:
        return None
    return sum(float(number) * unit_s for number, unit_s in zip(match.groups(), (3600, 60, 1), strict=True) if number)
