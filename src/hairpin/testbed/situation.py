"""Where the car is, when it is, and how the vehicle is when a conversation begins, read from its context.

It reads no clock: what the context does not say has a fixed default.
"""

from __future__ import annotations

from datetime import date

from hairpin.domain.base import Value
from hairpin.domain.users import Context
from hairpin.errors import InvalidInputError
from hairpin.testbed.clock_time import parse_time
from hairpin.testbed.parsing.names import vocabulary
from hairpin.testbed.parsing.text import fold
from hairpin.testbed.vehicle import Vehicle, new_vehicle
from hairpin.testbed.world import City

_NOON = 12 * 60
_DEFAULT_SPEED_KMH = 50.0
_DEFAULT_BATTERY_PERCENT = 62.0
_DAYLIGHT_H = (
    (8, 17),
    (7, 18),
    (6, 19),
    (6, 20),
    (5, 21),
    (5, 22),
    (5, 22),
    (6, 21),
    (7, 20),
    (7, 18),
    (7, 17),
    (8, 16),
)
"""From and to which hour it is light, by month."""


class Situation(Value):
    """The surroundings, which do not change in a conversation. ``time_min``: minutes since midnight."""

    location: str
    time_min: int = _NOON
    dark: bool = False


def read_situation(context: Context, city: City) -> tuple[Situation, Vehicle]:
    """Return the situation and the vehicle that ``context`` describes.

    ``context.location`` may be a place on the map; anything else (a city, say) means the usual starting point.
    ``context.vehicle`` may hold ``moving``, ``speed_kmh``, ``battery`` (percent) and ``dark``; other entries are for
    other assistants and ignored.

    Raises:
        InvalidInputError: date, time or one of these vehicle entries cannot be read.
    """
    time_min = _time(context)
    dark = _flag(context, "dark", default=_is_dark(_month(context), time_min))
    speed = _number(context, "speed_kmh", default=_DEFAULT_SPEED_KMH)
    if not _flag(context, "moving", default=speed > 0):
        speed = 0.0
    elif speed <= 0:
        speed = _DEFAULT_SPEED_KMH
    battery = _number(context, "battery", default=_DEFAULT_BATTERY_PERCENT)
    if not 0 <= battery <= 100:
        raise InvalidInputError(f"battery is {battery}", where="context vehicle", hint="write a percentage")
    situation = Situation(location=_location(context, city), time_min=time_min, dark=dark)
    return situation, new_vehicle(battery_percent=battery, speed_kmh=speed, dark=dark)


def _location(context: Context, city: City) -> str:
    named = vocabulary(city).names.get(fold(context.location or ""))
    return named.ids[0] if named else city.start


def _time(context: Context) -> int:
    if context.time is None:
        return _NOON
    try:
        return parse_time(context.time)
    except ValueError as error:
        raise InvalidInputError(str(error), where="context time") from error


def _month(context: Context) -> int:
    if context.date is None:
        return 4
    try:
        return date.fromisoformat(context.date).month
    except ValueError as error:
        raise InvalidInputError(
            f"{context.date!r} is no date", where="context date", hint="write YYYY-MM-DD"
        ) from error


def _is_dark(month: int, time_min: int) -> bool:
    light_from, light_to = _DAYLIGHT_H[month - 1]
    return not light_from * 60 <= time_min < light_to * 60


def _number(context: Context, key: str, *, default: float) -> float:
    value = context.vehicle.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInputError(f"{key} is {value!r}", where="context vehicle", hint="write a number")
    return float(value)


def _flag(context: Context, key: str, *, default: bool) -> bool:
    value = context.vehicle.get(key, default)
    if not isinstance(value, bool | int | float):
        raise InvalidInputError(f"{key} is {value!r}", where="context vehicle", hint="write true or false")
    return bool(value)
