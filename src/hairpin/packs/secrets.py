"""Taking credentials out of texts that are shown or stored.

It finds no credentials elsewhere: a key is only ever named by its environment variable.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from pydantic import JsonValue

_SECRET_NAME: Final = re.compile(
    r"(^|[_.-])(api[_-]?key|apikey|key|sig|signature|authorization|auth|password|passwd|secret|token|credential)s?$",
    re.IGNORECASE,
)
_USER_INFO: Final = re.compile(r"(?<=://)[^/?#\s]*@")
_PARAMETER: Final = re.compile(r"(?<=[?&;])([^=&#\s]+)=([^&#\s]*)")


def is_secret_name(name: str) -> bool:
    """Whether a parameter called ``name`` is likely to hold a credential (``max_tokens`` is not)."""
    return _SECRET_NAME.search(name) is not None and not name.lower().endswith("tokens")


def secret_within(parameters: Mapping[str, JsonValue]) -> tuple[str | int, ...] | None:
    """Return the path of the first parameter that is likely to hold a credential, or ``None``.

    At the top every value under such a name counts, deeper only a text: a JSON schema may describe a field ``token``.
    """
    for name, value in parameters.items():
        if is_secret_name(name):
            return (name,)
        deeper = _secret_text_within(value)
        if deeper is not None:
            return (name, *deeper)
    return None


def without_secrets(parameters: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return ``parameters`` without those that ``secret_within`` finds."""
    return {name: _without_secret_texts(value) for name, value in parameters.items() if not is_secret_name(name)}


def _secret_text_within(value: JsonValue) -> tuple[str | int, ...] | None:
    steps: list[tuple[str | int, JsonValue]] = []
    if isinstance(value, dict):
        steps = list(value.items())
    elif isinstance(value, list):
        steps = list(enumerate(value))
    for step, inner in steps:
        if _is_secret_text(step, inner):
            return (step,)
        deeper = _secret_text_within(inner)
        if deeper is not None:
            return (step, *deeper)
    return None


def _without_secret_texts(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _without_secret_texts(inner) for key, inner in value.items() if not _is_secret_text(key, inner)}
    return [_without_secret_texts(inner) for inner in value] if isinstance(value, list) else value


def _is_secret_text(step: str | int, value: JsonValue) -> bool:
    return isinstance(step, str) and isinstance(value, str) and is_secret_name(step)


def mask_urls(text: str) -> str:
    """Return ``text`` with its URLs without user and password, and with ``***`` for key-like parameters."""
    without_user = _USER_INFO.sub("", text)
    if "://" not in without_user:
        return text
    return _PARAMETER.sub(lambda match: f"{match[1]}=***" if is_secret_name(match[1]) else match[0], without_user)


def strip_url(url: str) -> str:
    """Return ``url`` without user, password, fragment and key-like parameters."""
    parts = urlsplit(url)
    query = [(name, value) for name, value in parse_qsl(parts.query, True) if not is_secret_name(name)]
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, urlencode(query), ""))
