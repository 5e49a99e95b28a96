"""Reminders: what the user wants to be reminded of, and when.

Values only. The car's clock stands still in a conversation, so that none of them goes off.
"""

from __future__ import annotations

from hairpin.domain.base import Value
from hairpin.testbed.clock_time import DAY_MIN, upcoming
from hairpin.testbed.world import Category


class Moment(Value):
    """When the user wants to be reminded, as it was said: a time of day, a time from now, or on arrival.

    ``either_half``: the time of day was said without its half of the day, so that "6" may be 18:00.
    """

    clock_min: int | None = None
    either_half: bool = False
    tomorrow: bool = False
    in_min: int | None = None
    arrival: bool = False

    def due_min(self, now_min: int) -> int | None:
        """Return minutes since midnight of today, past the day's end for tomorrow; ``None`` on arrival."""
        if self.in_min is not None:
            return now_min + self.in_min
        if self.clock_min is None:
            return None
        if self.tomorrow:
            return self.clock_min + DAY_MIN
        return upcoming(self.clock_min, now_min, either=self.either_half)


class Reminder(Value):
    """One reminder, due at a time, a place, a kind of place or on arrival.

    ``what`` is said behind "I will remind you"; ``due_min``: minutes since midnight of today.
    """

    id: int
    what: str
    due_min: int | None = None
    place: str | None = None
    category: Category | None = None
    arrival: bool = False
