"""The kinds of text and number that file formats are made of.

Each is checked by itself; what depends on other fields or files is checked elsewhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Mapping
from datetime import date
from typing import Annotated, Final, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, JsonValue

from hairpin.packs.secrets import secret_within
from hairpin.packs.validation_messages import invalid

T = TypeVar("T")

_NAME: Final = re.compile(r"\w[\w.-]*")
_PACK_NAME: Final = re.compile(rf"{_NAME.pattern}(?:/{_NAME.pattern})*")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_TIME: Final = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d")
_CHAT_PATH: Final = "/chat/completions"
_ENVIRONMENT_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def is_pack_name(text: str) -> bool:
    """Whether ``text`` can name a pack: words joined by ``/``, never a path that leaves its folder."""
    return _PACK_NAME.fullmatch(text) is not None


def _version(value: int) -> int:
    if value != 1:
        raise invalid(f"must be 1, not {value}", "this Hairpin reads version 1 of the format")
    return value


def _non_blank(value: str) -> str:
    if not value.strip():
        raise invalid("is blank", "write something, or remove it")
    return value


def _identifier(value: str) -> str:
    if _NAME.fullmatch(value) is None:
        raise invalid(f"must be a name, not {value!r}", "use letters, digits, '_', '-' and '.', no spaces")
    return value


def _pack_name(value: str) -> str:
    if not is_pack_name(value):
        raise invalid(f"must be the name of a pack, not {value!r}", "names look like in_car or in_car/paper")
    return value


def _iso_date(value: str) -> str:
    try:
        if _DATE.fullmatch(value) is None:
            raise ValueError(value)
        date.fromisoformat(value)
    except ValueError as error:
        raise invalid(f"must be a date, not {value!r}", 'write year-month-day: "2026-11-29"') from error
    return value


def _time_of_day(value: str) -> str:
    if _TIME.fullmatch(value) is None:
        raise invalid(f"must be a time of day, not {value!r}", 'write hours and minutes: "17:40"')
    return value


def _environment_name(value: str) -> str:
    if _ENVIRONMENT_NAME.fullmatch(value) is None:
        # The value is not shown: it may be the key itself.
        raise invalid(
            "must be the name of an environment variable", "name the variable that holds the key, not the key"
        )
    return value


def _url(value: str) -> str:
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or any(character.isspace() for character in value):
        raise invalid("must be an http or https URL", "write it like http://127.0.0.1:8000/v1")
    return value


def _pattern(value: str) -> str:
    try:
        re.compile(value)
    except (re.error, OverflowError, RecursionError) as error:
        raise invalid(f"{value!r} is no regular expression: {error}", "check it with Python's re module") from error
    return value


def _base_url(value: str) -> str:
    if value.partition("?")[0].rstrip("/").endswith(_CHAT_PATH):
        raise invalid(f"must end before {_CHAT_PATH}", f"leave {_CHAT_PATH} out: Hairpin adds it")
    return value


def _parameters(value: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    secret = secret_within(value)
    if secret is not None:
        raise invalid("must not hold a credential", "name its environment variable in api_key_env", at=secret)
    for name, parameter in value.items():
        if not _is_finite(parameter):
            raise invalid("must be finite", "JSON has no infinity and no NaN", at=(name,))
    return value


def _is_finite(value: JsonValue) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(_is_finite(inner) for inner in value.values())
    return not isinstance(value, list) or all(_is_finite(inner) for inner in value)


def unique(key: Callable[[T], Hashable], *within: str) -> AfterValidator:
    """Return a validator that refuses a list in which two items have the same ``key``.

    ``within``: the path, below each item, of what is compared, for the line.
    """

    def refuse_repeated(items: tuple[T, ...]) -> tuple[T, ...]:
        first: dict[Hashable, int] = {}
        for index, item in enumerate(items):
            earlier = first.setdefault(key(item), index)
            if earlier != index:
                hint = f"it is the same as number {earlier + 1} of the list; keep one of them"
                raise invalid("is listed twice", hint, at=(index, *within))
        return items

    return AfterValidator(refuse_repeated)


def _words(text: str) -> str:
    return " ".join(text.split())


Version = Annotated[int, AfterValidator(_version)]
NonBlank = Annotated[str, AfterValidator(_non_blank)]
Identifier = Annotated[str, AfterValidator(_identifier)]
PackName = Annotated[str, AfterValidator(_pack_name)]
IsoDate = Annotated[str, AfterValidator(_iso_date)]
TimeOfDay = Annotated[str, AfterValidator(_time_of_day)]
EnvironmentName = Annotated[str, AfterValidator(_environment_name)]
Url = Annotated[str, AfterValidator(_url)]
BaseUrl = Annotated[Url, AfterValidator(_base_url)]
RegexText = Annotated[NonBlank, AfterValidator(_pattern)]
Parameters = Annotated[Mapping[str, JsonValue], AfterValidator(_parameters)]
Texts = Annotated[tuple[NonBlank, ...], unique(_words)]
Names = Annotated[tuple[PackName, ...], unique(_words)]
