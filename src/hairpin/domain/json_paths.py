"""Paths into JSON values, as users write them: ``choices[0].message.content``, ``[*].text``.

It must not change what it looks at.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import Final

from pydantic import JsonValue

_STEP: Final = re.compile(r"(?:^|(?<!^)\.)(?P<key>[^.\[\]]+)|\[(?P<index>-?\d+|\*)\]")
_INDEX: Final = re.compile(r"-?\d+|\*")


class Missing(Enum):
    """What is found where nothing is; ``null`` is something."""

    MISSING = "missing"


MISSING: Final = Missing.MISSING


class Each(Enum):
    """The step ``[*]``: every item of a list."""

    EACH = "*"


EACH: Final = Each.EACH

JsonPath = tuple[str | int, ...]
TextPath = tuple[str | int | Each, ...]
"""The path of a text, which may be in several places."""


def parse_path(text: str) -> JsonPath:
    """Return the steps of a path: names joined by dots, indices in brackets (negative: from the end); ``""`` is none.

    Raises:
        ValueError: it is no such path; says at which character. ``[*]`` leads to no one value.
    """
    steps = parse_text_path(text)
    single = tuple(step for step in steps if not isinstance(step, Each))
    if len(single) < len(steps):
        raise ValueError(f"{text!r} has [*], which stands only in the path of a reply's text; write an index like [0]")
    return single


@lru_cache(maxsize=1024)
def parse_text_path(text: str) -> TextPath:
    """Return the steps of the path of a text, in which ``[*]`` is every item of a list. Raises ValueError.

    What was parsed is remembered: a streamed answer is looked into piece by piece.
    """
    steps: list[str | int | Each] = []
    at = 0
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None:
            raise ValueError(f"{text!r} is no path: at character {at + 1}; write it like choices[0].message.content")
        steps.append(found["key"] if found["key"] is not None else _index(found["index"]))
        at = found.end()
    return tuple(steps)


def value_at(tree: JsonValue, path: TextPath) -> JsonValue | Missing:
    """Return what stands at ``path`` in ``tree``, or ``MISSING``.

    With ``[*]`` it is one list of all that is found; items without it are passed over.
    """
    found: JsonValue = tree
    for n, step in enumerate(path, start=1):
        if isinstance(step, Each):
            return _in_each(found, path[n:])
        inner = _child(found, step)
        if isinstance(inner, Missing):
            return MISSING
        found = inner
    return found


def with_indices(tree: JsonValue, path: TextPath) -> str | None:
    """Return ``path`` as it must be written where it names items of lists in ``tree`` like keys: ``a.0`` for ``a[0]``.

    ``None``: it does not, or leads nowhere even so.
    """
    steps: list[str | int | Each] = []
    node: JsonValue | Missing = tree
    for step in path:
        is_index = isinstance(node, list) and isinstance(step, str) and _INDEX.fullmatch(step) is not None
        right = _index(step) if is_index and isinstance(step, str) else step
        steps.append(right)
        if isinstance(node, Missing):
            return None
        node = _child(node, 0 if isinstance(right, Each) else right)
    return None if isinstance(node, Missing) or tuple(steps) == path else _written(steps)


def _index(text: str) -> int | Each:
    return EACH if text == "*" else int(text)


def _written(steps: list[str | int | Each]) -> str:
    parts = [f".{step}" if isinstance(step, str) else f"[{'*' if step is EACH else step}]" for step in steps]
    return "".join(parts).removeprefix(".")


def _in_each(node: JsonValue, rest: TextPath) -> JsonValue | Missing:
    if not isinstance(node, list):
        return MISSING
    found = [inner for item in node if not isinstance(inner := value_at(item, rest), Missing)]
    return [item for inner in found if isinstance(inner, list) for item in inner] if EACH in rest else found


def _child(node: JsonValue, step: str | int) -> JsonValue | Missing:
    if isinstance(step, str):
        return node[step] if isinstance(node, dict) and step in node else MISSING
    return node[step] if isinstance(node, list) and -len(node) <= step < len(node) else MISSING
