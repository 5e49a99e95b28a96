"""Times of day and lengths of time in a folded text.

It must not know what they are for.
"""

from __future__ import annotations

import re

from hairpin.testbed.acts import Clock
from hairpin.testbed.clock_time import DAY_MIN

_NUMBERS = {
    word: value
    for value, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
} | {"fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45, "forty five": 45, "fifty": 50}
_NUMBERS |= {"sixty": 60, "ninety": 90, "twenty-five": 25, "twenty five": 25, "thirty-five": 35, "a": 1, "an": 1}
_WORDS = "|".join(sorted((word for word in _NUMBERS if len(word) > 2), key=len, reverse=True))
_HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"

DURATION = (
    rf"(?:half an hour|a half hour|half hour|(?:a )?quarter of an hour|three quarters of an hour"
    rf"|(?:an|one|1) hour and a half|(?:one|1) and a half hours"
    rf"|(?:\d+(?:[.,]\d+)?|{_WORDS}|an?)[ -]?hours?(?: and (?:\d+|{_WORDS})[ -]?(?:minutes?|mins?))?"
    rf"|(?:\d+|{_WORDS})[ -]?(?:minutes?|mins?|min))"
)
"""A length of time; without groups, so that it can stand in other patterns."""

CLOCK = (
    r"(?:\d{1,2}[:.]\d{2}(?: ?[ap]\.?m\b\.?)?(?: hours)?|\d{1,2} ?[ap]\.?m\b\.?|\d{1,2} o'?clock(?: (?:at night"
    rf"|in the (?:morning|afternoon|evening)))?|half past (?:{_HOURS}|\d{{1,2}})"
    rf"|(?:a )?quarter (?:past|to) (?:{_HOURS}|\d{{1,2}})|(?:{_HOURS}) (?:o'?clock|[ap]\.?m\b\.?|thirty|fifteen)"
    r"|noon|midday|midnight)"
)
"""A time of day that can be nothing else."""

BARE_HOUR = (
    rf"(?:(?:{_HOURS}|\d{{1,2}})(?: sharp)?(?![\w:.,%°]| ?(?:degrees|percent|levels?|steps?|minutes|mins?|km|hours?)))"
)
"""A number that is a time of day only where a time is spoken of: "by six"."""

_HALVES = {"a": 0, "p": DAY_MIN // 2}


def minutes_in(text: str) -> int | None:
    """Return how many minutes ``text``, a ``DURATION``, is; ``None`` if it is none."""
    text = text.replace("-", " ").strip()
    fixed = {"half an hour": 30, "a half hour": 30, "half hour": 30, "three quarters of an hour": 45}
    if text in fixed or "quarter of an hour" in text:
        return fixed.get(text, 15)
    if re.search(r"hour and a half|and a half hours", text):
        return 90
    parts = re.findall(rf"(\d+(?:[.,]\d+)?|{_WORDS.replace('-', ' ')}|an?) ?(hours?|min\w*)", text)
    if not parts:
        return None
    return round(sum(_number(value) * (60 if unit.startswith("hour") else 1) for value, unit in parts))


def clock_in(text: str) -> Clock | None:
    """Return the time of day that ``text``, a ``CLOCK`` or a ``BARE_HOUR``, is; ``None`` if there is no such time."""
    text = text.replace(" sharp", "").strip()
    if text in ("noon", "midday", "midnight"):
        return Clock(minutes=0 if text == "midnight" else DAY_MIN // 2)
    spoken = re.match(rf"(?:a )?(half|quarter) (past|to) ({_HOURS}|\d{{1,2}})$", text)
    if spoken:
        shift = (30 if spoken[1] == "half" else 15) * (1 if spoken[2] == "past" else -1)
        return _clock(int(_number(spoken[3])), shift, None, said_short=True)
    found = re.match(
        rf"({_HOURS}|\d{{1,2}})(?:[:.](\d{{2}})| (thirty|fifteen))?(?: ?([ap])\.?m\b\.?| o'?clock)?"
        r"(?: (?:at (night)|in the (morning|afternoon|evening)))?",
        text,
    )
    if not found:
        return None
    minute = int(found[2]) if found[2] else int(_number(found[3])) if found[3] else 0
    half = found[4] or ("a" if found[6] == "morning" else "p" if found[5] or found[6] else None)
    return _clock(int(_number(found[1])), minute, half, said_short=found[2] is None)


def _clock(hour: int, minute: int, half: str | None, *, said_short: bool) -> Clock | None:
    """Return the clock; ``said_short``: without minutes, so that an hour up to twelve may be either half of the day."""
    if hour > 24 or minute > 59 or (half and not 1 <= hour <= 12):
        return None
    if half:
        return Clock(minutes=hour % 12 * 60 + minute + _HALVES[half])
    return Clock(minutes=(hour * 60 + minute) % DAY_MIN, either=said_short and 1 <= hour <= 12)


def _number(word: str) -> float:
    known = _NUMBERS.get(word) or _NUMBERS.get(word.replace(" ", "-"))
    return float(known) if known is not None else float(word.replace(",", "."))
