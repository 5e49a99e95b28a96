"""The parts of an answer's shape, one class per kind of JSON value: how each reads a parsed value, and is put in words.

A part forgives how a value is written, never what it says: nothing is clamped, rounded, guessed or filled in.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Protocol

from hairpin.llm.answers.lenient import canonical
from hairpin.llm.answers.problems import show

_NUMBER: Final = re.compile(r"\s*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?\s*")
_NUMBER_CHARS: Final = 64
_IGNORED: Final = re.compile(r"""[\s_\-‐‑"'`“”‘’«»*.,:()\[\]{}]+""")
_EXACT_FLOAT: Final = 2.0**53
_INDENT: Final = "  "


Path = tuple["Path", str | int] | tuple[()]
"""Where a value stands: the path of what it is in, and its key or index there. Put in words only for a fault."""


def tell_path(path: Path) -> str:
    """Return ``path`` as ``updates[1].status``."""
    if not path:
        return ""
    before, last = tell_path(path[0]), path[1]
    if isinstance(last, int):
        return f"{before}[{last}]"
    return f"{before}.{last}" if before else last


@dataclass(slots=True)
class Faults:
    """What is wrong with an answer so far; a part that finds something returns ``None`` in the value's place."""

    found: list[str] = field(default_factory=list)

    def add(self, where: Path, what: str) -> None:
        """Note that ``what`` is wrong at ``where``."""
        path = tell_path(where)
        self.found.append(f"{path}: {what}" if path else what)


class Node(Protocol):
    """One part."""

    def read(self, value: object, where: Path, faults: Faults) -> object:
        """Return ``value`` as pydantic is to see it, or note what is wrong."""
        ...

    def words(self, indent: str) -> str:
        """Return the part as a model is shown it; further lines begin with ``indent``."""
        ...


def squash(text: str) -> str:
    """Return ``text`` without case, space, hyphens, quotes and the like, in which models differ from what they got.

    All other signs stay, for they can turn a value round, as in ``!true`` and ``≠pass``.
    """
    return _IGNORED.sub("", unicodedata.normalize("NFKC", text).casefold())


def _letters(key: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", key).casefold()))


@dataclass(frozen=True)
class TextNode:
    """Any string; half a surrogate pair, which no encoding can write, becomes U+FFFD."""

    note: str = ""

    def read(self, value: object, where: Path, faults: Faults) -> object:
        """Return the string."""
        if isinstance(value, str):
            return value if value.isascii() else mend_surrogates(value)
        faults.add(where, f"must be a string, not {show(value)}")
        return None

    def words(self, indent: str) -> str:  # noqa: ARG002  # one line
        """Return a place to fill in."""
        return f"<string: {self.note}>" if self.note else "<string>"


def mend_surrogates(text: str) -> str:
    """Return ``text`` with pairs of surrogates joined and the others replaced by U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


@dataclass(frozen=True)
class NumberNode:
    """A finite number, also as a string; whole ones also as ``2.0``. Bounds are pydantic's to check."""

    whole: bool
    bounds: str = ""

    def read(self, value: object, where: Path, faults: Faults) -> object:
        """Return an int or a float."""
        number = read_number(value)
        if number is None or (self.whole and isinstance(number, float)):
            kind = "a whole number" if self.whole else "a number"
            faults.add(where, f"must be {kind}{self.bounds}, not {show(value)}")
            return None
        return number

    def words(self, indent: str) -> str:  # noqa: ARG002  # one line
        """Return a place to fill in."""
        return f"<{'whole number' if self.whole else 'number'}{self.bounds}>"


def read_number(value: object) -> int | float | None:
    """Return the finite number that ``value`` is or spells, as an int where it is whole; ``None`` otherwise."""
    if isinstance(value, str) and len(value) <= _NUMBER_CHARS and _NUMBER.fullmatch(value):
        value = float(value) if any(char in value for char in ".eE") else int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        as_float = float(value)
    except OverflowError:
        return None
    if not math.isfinite(as_float):
        return None
    return int(value) if as_float.is_integer() and abs(as_float) <= _EXACT_FLOAT else value


@dataclass(frozen=True)
class BooleanNode:
    """True or false, also as a string."""

    def read(self, value: object, where: Path, faults: Faults) -> object:
        """Return a bool."""
        if isinstance(value, bool):
            return value
        spelt = {"true": True, "false": False}.get(squash(value)) if isinstance(value, str) else None
        if spelt is None:
            faults.add(where, f"must be true or false, not {show(value)}")
        return spelt

    def words(self, indent: str) -> str:  # noqa: ARG002  # one line
        """Return both."""
        return "true | false"


@dataclass(frozen=True)
class ChoiceNode:
    """One of some strings or numbers. A string may differ in case, punctuation and space if it then means one only."""

    choices: tuple[str | int | float | bool | None, ...]

    def read(self, value: object, where: Path, faults: Faults) -> object:
        """Return the choice."""
        chosen = self.match(value)
        if chosen is _UNMATCHED:
            faults.add(where, f"must be one of {self.words('')}, not {show(value)}")
            return None
        return chosen

    def match(self, value: object) -> object:
        """Return the choice that ``value`` means, else a mark that no choice equals."""
        if isinstance(value, str):
            if value in self._texts:
                return value
            meant = self._by_squashed.get(squash(value), [])
            if len(meant) == 1:
                return meant[0]
        number = read_number(value)
        if number is not None and number in self._numbers:
            return number
        return next((choice for choice in self._constants if choice is value), _UNMATCHED)

    def words(self, indent: str) -> str:  # noqa: ARG002  # one line
        """Return all choices."""
        return " | ".join(_as_json(choice) for choice in self.choices)

    @cached_property
    def _texts(self) -> frozenset[str]:
        return frozenset(choice for choice in self.choices if isinstance(choice, str))

    @cached_property
    def _numbers(self) -> frozenset[int | float]:
        return frozenset(c for c in self.choices if isinstance(c, int | float) and not isinstance(c, bool))

    @cached_property
    def _constants(self) -> tuple[bool | None, ...]:
        return tuple(choice for choice in self.choices if choice is None or isinstance(choice, bool))

    @cached_property
    def _by_squashed(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for text in self._texts:
            found.setdefault(squash(text), []).append(text)
        found.pop("", None)
        return found


_UNMATCHED: Final = object()


def _as_json(choice: str | float | bool | None) -> str:
    return json.dumps(choice, ensure_ascii=False)


@dataclass(frozen=True)
class OptionalNode:
    """A part, or null. Where the part is a choice, null may be spelt "null" or "none"."""

    part: Node

    def read(self, value: object, where: Path, faults: Faults) -> object:
        """Return ``None`` for null, else what the part reads."""
        if value is None or self._spells_null(value):
            return None
        return self.part.read(value, where, faults)

    def words(self, indent: str) -> str:
        """Return the part and null."""
        return f"{self.part.words(indent)} | null"

    def _spells_null(self, value: object) -> bool:
        if not isinstance(value, str) or not isinstance(self.part, ChoiceNode):
            return False
        return self.part.match(value) is _UNMATCHED and squash(value) in ("null", "none")


@dataclass(frozen=True)
class EitherNode:
    """One of several parts: the first that finds nothing wrong."""

    parts: tuple[Node, ...]

    def read(self, value: object, where: Path, faults: Faults) -> object:
        """Return what that part reads."""
        for part in self.parts:
            tried = Faults()
            read = part.read(value, where, tried)
            if not tried.found:
                return read
        faults.add(where, f"must be one of {self.words('')}, not {show(value)}")
        return None

    def words(self, indent: str) -> str:
        """Return all parts."""
        return " | ".join(part.words(indent) for part in self.parts)


@dataclass(frozen=True)
class ArrayNode:
    """Any number of one part."""

    item: Node

    def read(self, value: object, where: Path, faults: Faults) -> object:
        """Return the list."""
        if not isinstance(value, list):
            faults.add(where, f"must be an array, not {show(value)}")
            return None
        return [self.item.read(item, (where, index), faults) for index, item in enumerate(value)]

    def words(self, indent: str) -> str:
        """Return one item and that there may be more."""
        return f"[{self.item.words(indent)}, ...]"


@dataclass(frozen=True)
class ObjectNode:
    """Named parts: each key must be there, whatever its default; keys that nobody asked for are left out."""

    members: tuple[tuple[str, Node], ...]

    def read(self, value: object, where: Path, faults: Faults) -> object:
        """Return the object with its own keys alone."""
        if not isinstance(value, dict):
            faults.add(where, f"must be an object, not {show(value)}")
            return None
        read: dict[str, object] = {}
        for key, part in self.members:
            if key in value:
                read[key] = part.read(value[key], (where, key), faults)
            else:
                faults.add((where, key), "is missing")
        if len(value) > len(read):
            self._refuse_doubles(value, where, faults)
        return read

    def _refuse_doubles(self, value: Mapping[str, object], where: Path, faults: Faults) -> None:
        """Note each key that is one of the own in other letters or signs and says something else."""
        for key in value:
            own = self._by_letters.get(_letters(key))
            if own is not None and own != key and own in value and canonical(value[own]) != canonical(value[key]):
                faults.add((where, own), f"comes twice, also as {show(key)}, with different values")

    @cached_property
    def _by_letters(self) -> Mapping[str, str]:
        return {_letters(key): key for key, _ in self.members}

    def words(self, indent: str) -> str:
        """Return one member per line."""
        inner = indent + _INDENT
        lines = ",\n".join(f'{inner}"{key}": {part.words(inner)}' for key, part in self.members)
        return f"{{\n{lines}\n{indent}}}"
