"""A time of day, ``HH:MM``, as minutes since midnight.

It must not read a clock.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BeforeValidator

_PATTERN = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
DAY_MIN = 24 * 60


def parse_time(text: str) -> int:
    """Return minutes since midnight.

    Raises:
        ValueError: ``text`` is not ``HH:MM``.
    """
    found = _PATTERN.fullmatch(text.strip())
    if not found:
        raise ValueError(f"{text!r} is no time of day; write HH:MM")
    return int(found[1]) * 60 + int(found[2])


def format_time(minutes: int) -> str:
    """Return ``minutes`` since midnight as ``HH:MM``, past midnight of the next day."""
    hour, minute = divmod(minutes % DAY_MIN, 60)
    return f"{hour:02d}:{minute:02d}"


def upcoming(minutes: int, now: int, *, either: bool = False, grace_min: int = 0) -> int:
    """Return when a time of day comes next, in minutes since the midnight before ``now``.

    Args:
        minutes: the time of day.
        now: likewise.
        either: ``minutes`` may be twelve hours later just as well; the nearer one is meant.
        grace_min: a time that passed no longer ago is today's all the same.
    """
    options = (minutes, (minutes + DAY_MIN // 2) % DAY_MIN) if either else (minutes,)
    return min(now - grace_min + (option - now + grace_min) % DAY_MIN for option in options)


def _from_text(value: object) -> object:
    return parse_time(value) if isinstance(value, str) else value


ClockTime = Annotated[int, BeforeValidator(_from_text)]
