"""Templates of what is sent to an assistant: JSON values whose texts hold placeholders, ``{utterance}``.

It must not know where the values come from, nor how what comes out is sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

from pydantic import JsonValue

from hairpin.domain.json_paths import MISSING, parse_path, value_at

_PART: Final = re.compile(r"\{\{|\}\}|\{(?P<name>[^{}]*)\}|(?P<stray>[{}])")
_ROOT: Final = re.compile(r"[a-z_]+(?=$|[.\[])")


def placeholders(template: JsonValue) -> frozenset[str]:
    """Return every placeholder in ``template`` as it is written, without its braces.

    Raises:
        ValueError: a brace that belongs to none, or a placeholder that is no path.
    """
    return frozenset(name for text in _texts(template) for name in _names(text))


def roots(template: JsonValue) -> frozenset[str]:
    """Return the first step of every placeholder: ``context`` for ``{context.date}``. Raises ValueError."""
    return frozenset(str(parse_path(name)[0]) for name in placeholders(template))


def fill(template: JsonValue, values: Mapping[str, JsonValue]) -> JsonValue:
    """Return ``template`` with its placeholders replaced, those in keys of mappings too.

    A text that is one placeholder becomes the value itself, of whatever type; inside a longer text a value is written
    out, ``null`` as nothing, and what is no text as JSON. What ``values`` lacks counts as ``null``.

    Raises:
        ValueError: as ``placeholders``.
    """
    if isinstance(template, str):
        name = _whole(template)
        return _value(name, values) if name is not None else fill_text(template, values)
    if isinstance(template, list):
        return [fill(item, values) for item in template]
    if isinstance(template, dict):
        return {fill_text(key, values): fill(item, values) for key, item in template.items()}
    return template


def fill_text(text: str, values: Mapping[str, JsonValue], *, quote: Callable[[str], str] = str) -> str:
    """Return ``text`` with its placeholders written out, each value passed through ``quote``. Raises ValueError."""

    def part(found: re.Match[str]) -> str:
        if found["name"] is not None:
            return quote(_written(_value(found["name"], values)))
        if found["stray"]:
            raise ValueError(_stray(text))
        return found.group()[0]

    return _PART.sub(part, text)


def unknown_placeholders(template: JsonValue, known: Collection[str]) -> tuple[str, ...]:
    """Return the placeholders whose first step is not in ``known``, in alphabetical order. Raises ValueError."""
    return tuple(sorted(name for name in placeholders(template) if str(parse_path(name)[0]) not in known))


def _texts(template: JsonValue) -> Iterator[str]:
    if isinstance(template, str):
        yield template
    elif isinstance(template, list):
        for item in template:
            yield from _texts(item)
    elif isinstance(template, dict):
        for key, item in template.items():
            yield key
            yield from _texts(item)


def _names(text: str) -> Iterator[str]:
    for found in _PART.finditer(text):
        if found["stray"]:
            raise ValueError(_stray(text))
        if found["name"] is not None:
            if _ROOT.match(found["name"]) is None:
                raise ValueError(f"{{{found['name']}}} is no placeholder; write {{{{ and }}}} for braces")
            parse_path(found["name"])
            yield found["name"]


def _whole(text: str) -> str | None:
    found = _PART.fullmatch(text)
    return found["name"] if found else None


def _value(name: str, values: Mapping[str, JsonValue]) -> JsonValue:
    root, *steps = parse_path(name)
    found = value_at(values.get(str(root)), tuple(steps))
    return None if found is MISSING else found


def _written(value: JsonValue) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _stray(text: str) -> str:
    return f"{text!r} has a brace that belongs to no placeholder; write {{{{ and }}}} for braces"
