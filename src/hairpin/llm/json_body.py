"""Looking into a JSON body of unknown shape, and putting a body that is none into a few words.

What it means is decided elsewhere.
"""

from __future__ import annotations

import json
import re
from typing import Final

from pydantic import JsonValue

JsonObject = dict[str, JsonValue]

_MAX_TEXT: Final = 64 * 1024
_MAX_EXCERPT: Final = 1024
_TITLE: Final = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)


def json_object(body: bytes) -> JsonObject | None:
    """Return the object in ``body``; of a list of objects the first; ``None`` when there is none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, dict) else None


def object_at(value: JsonValue, key: str) -> JsonObject:
    """Return the object that ``value`` holds under ``key``, ``{}`` when it holds none."""
    inner = value.get(key) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}


def text_at(value: JsonValue, key: str) -> str:
    """Return the text or number that ``value`` holds under ``key`` as text, ``""`` when it holds none."""
    inner = value.get(key) if isinstance(value, dict) else None
    if isinstance(inner, bool) or not isinstance(inner, str | int):
        return ""
    return str(inner)


def excerpt(body: bytes) -> str:
    """Say what ``body`` holds: the title of a page, else its beginning."""
    text = body[:_MAX_TEXT].decode("utf-8", "replace")
    title = _TITLE.search(text)
    if title:
        return f"a page titled {' '.join(title[1].split())!r}"
    return text.strip()[:_MAX_EXCERPT] or "nothing"
