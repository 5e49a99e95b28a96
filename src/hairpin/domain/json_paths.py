"""Paths into JSON values, as users write them: ``choices[0].message.content``.

It must not change what it looks at.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from pydantic import JsonValue

_STEP: Final = re.compile(r"(?:^|(?<!^)\.)(?P<key>[^.\[\]]+)|\[(?P<index>-?\d+)\]")


class Missing(Enum):
    """What is found where nothing is; ``null`` is something."""

    MISSING = "missing"


MISSING: Final = Missing.MISSING

JsonPath = tuple[str | int, ...]


def parse_path(text: str) -> JsonPath:
    """Return the steps of a path: names joined by dots, indices in brackets (negative: from the end); ``""`` is none.

    Raises:
        ValueError: it is no such path; says at which character.
    """
    steps: list[str | int] = []
    at = 0
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None:
            raise ValueError(f"{text!r} is no path: at character {at + 1}; write it like choices[0].message.content")
        steps.append(found["key"] if found["key"] is not None else int(found["index"]))
        at = found.end()
    return tuple(steps)


def value_at(tree: JsonValue, path: JsonPath) -> JsonValue | Missing:
    """Return what stands at ``path`` in ``tree``, or ``MISSING``."""
    found: JsonValue = tree
    for step in path:
        inner = _child(found, step)
        if isinstance(inner, Missing):
            return MISSING
        found = inner
    return found


def _child(node: JsonValue, step: str | int) -> JsonValue | Missing:
    if isinstance(step, str):
        return node[step] if isinstance(node, dict) and step in node else MISSING
    return node[step] if isinstance(node, list) and -len(node) <= step < len(node) else MISSING
