"""How long a server asks to wait, read from the headers and the words of its answer.

Whether anybody waits is decided elsewhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_MILLISECOND_HEADERS: Final = ("retry-after-ms", "x-ms-retry-after-ms")
_IN_WORDS: Final = re.compile(
    r"(?:try again|retry|wait)(?: after| in| for)?:? (?:(?P<minutes>\d+)\s*m(?:in(?:ute)?s?)?(?![a-z])\s*)?"
    r"(?:(?P<amount>\d+(?:\.\d+)?)\s*(?P<unit>ms|milliseconds?|s|secs?|seconds?)\b)?",
    re.IGNORECASE,
)


def retry_after_s(headers: Mapping[str, str], text: str, *, now: datetime) -> float | None:
    """Return the seconds to wait, ``None`` when the server did not say, or not intelligibly.

    Args:
        headers: of the answer, names in lower case. ``retry-after-ms`` is more exact than ``Retry-After``, which holds
            seconds or an HTTP date (RFC 9110, 10.2.3).
        text: the provider's message; read when no header says anything ("Please try again in 6.5s").
        now: UTC, to which a date is compared; one that has passed is 0.
    """
    for name in _MILLISECOND_HEADERS:
        milliseconds = _non_negative(headers.get(name, ""))
        if milliseconds is not None:
            return milliseconds / 1000
    value = headers.get("retry-after", "").strip()
    seconds = _non_negative(value)
    if seconds is not None:
        return seconds
    until = _date(value)
    return max((until - now).total_seconds(), 0.0) if until is not None else _in_words(text)


def _non_negative(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
        return date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _in_words(text: str) -> float | None:
    for match in _IN_WORDS.finditer(text):
        minutes, amount, unit = match["minutes"], match["amount"], match["unit"]
        if minutes is None and amount is None:
            continue
        seconds = float(amount or 0) / (1000 if (unit or "").lower().startswith("m") else 1)
        return 60 * int(minutes or 0) + seconds
    return None
