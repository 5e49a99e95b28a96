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


def _from_text(value: object) -> object:
    return parse_time(value) if isinstance(value, str) else value


ClockTime = Annotated[int, BeforeValidator(_from_text)]
