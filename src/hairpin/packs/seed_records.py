"""The records of a file of test seeds, and reading parts of them.

It knows no format of dialogues: JSON, JSON lines or YAML in, one value per record out.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from json import JSONDecodeError, JSONDecoder
from pathlib import Path
from typing import Final, NoReturn

from hairpin.errors import InvalidInputError
from hairpin.packs.files import read_file
from hairpin.packs.recording_messages import kind_of, shown
from hairpin.packs.yaml_tree import Items, Scalar, Table, Tree, decode, parse_yaml

MAX_SEED_FILE_BYTES: Final = 256_000_000
YAML_SUFFIXES: Final = (".yaml", ".yml")

_LINES: Final = (".jsonl", ".ndjson")
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_NAMED_IN_NOTES: Final = 5
_SHAPES: Final = "write JSON, JSON lines (one dialogue a line), or YAML in a file that ends in .yaml"


class NoSeedError(ValueError):
    """A record is no test seed: what is wrong, with the value, and the way out."""

    def __init__(self, what: str, hint: str) -> None:
        self.what = what
        self.hint = hint
        super().__init__(f"{what}; {hint}")


@dataclass(frozen=True, slots=True)
class SeedRecord:
    """One record: its number, from 1, and its value as JSON data or, of a YAML file, as ``tree``.

    ``name``: what a dialogue without an id is called. ``problem``: why there is no value.
    """

    number: int
    name: str
    value: object = None
    tree: Tree | None = None
    problem: str = ""

    @property
    def entries(self) -> Mapping[str, object]:
        """The keys and values of a record that must be a JSON object; raises NoSeedError."""
        if not isinstance(self.value, dict):
            raise NoSeedError(f"it is {kind_of(self.value)}, not an object", "write one JSON object a dialogue")
        return self.value


@dataclass(slots=True)
class SeedNotes:
    """What was decided about dialogues, each with how often and the first ids."""

    _ids: dict[str, list[str]] = field(default_factory=dict)
    _counts: Counter[str] = field(default_factory=Counter)

    def add(self, what: str, seed_id: str) -> None:
        """Note ``what`` of the dialogue ``seed_id``."""
        self._counts[what] += 1
        ids = self._ids.setdefault(what, [])
        if len(ids) < _NAMED_IN_NOTES:
            ids.append(seed_id)

    def lines(self) -> Iterator[str]:
        """Yield one line per thing noted."""
        for what, ids in self._ids.items():
            more = " …" if self._counts[what] > len(ids) else ""
            yield f"{what}: {self._counts[what]} ({', '.join(ids)}{more})"


def read_seed_file(path: Path) -> bytes:
    """Return the bytes of a file of test seeds; raises InvalidInputError."""
    return read_file(path, "file of test seeds", max_bytes=MAX_SEED_FILE_BYTES)


def seed_records(data: bytes, path: Path) -> tuple[SeedRecord, ...]:
    """Return the records in ``data``, the bytes of the file ``path``.

    A list is a record per item, unless its items are questions; an object with a list ``data`` a record per item of
    that. A line of JSON lines that is no JSON is a record with a problem.

    Raises:
        InvalidInputError: not UTF-8, empty, or neither JSON nor JSON lines nor, by its ending, YAML.
    """
    if path.suffix.lower() in YAML_SUFFIXES:
        return _of_tree(parse_yaml(data, str(path)), path)
    text = decode(data, str(path))
    if not text.strip():
        raise InvalidInputError("the file is empty", where=str(path), hint=_SHAPES)
    found = None if path.suffix.lower() in _LINES else _whole(text, path)
    values = _lines(text) if found is None else _items(found[0])
    return tuple(
        SeedRecord(number, _name(path, number, len(values)), *value) for number, value in enumerate(values, start=1)
    )


def tree_of(value: object, where: str) -> Tree:
    """Return JSON data as a tree, all of it at ``where``; raises NoSeedError."""
    if isinstance(value, dict):
        entries = {key: tree_of(inner, where) for key, inner in value.items()}
        return Table(entries, dict.fromkeys(entries, where), where)
    if isinstance(value, list):
        return Items(tuple(tree_of(inner, where) for inner in value), where)
    return Scalar(whole(value), False, where) if isinstance(value, str) else Scalar(json.dumps(value), True, where)


def whole(text: str) -> str:
    """Return ``text``; raises NoSeedError where it holds half a character."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        what = f"half a character, a lone surrogate, in {shown(text)}"
        raise NoSeedError(what, "write the character itself") from error
    return text


def text_at(entries: Mapping[str, object], key: str, place: str = "") -> str:
    """Return the text ``key`` of ``entries`` without outer white space; raises NoSeedError."""
    value = entries.get(key)
    named = f"{place}: {key!r}" if place else repr(key)
    if key not in entries:
        raise NoSeedError(f"{named} is missing", f"give it {key!r}")
    if not isinstance(value, str):
        raise NoSeedError(f"{named} is {shown(value)}, not a text", "write a text")
    if not value.strip():
        raise NoSeedError(f"{named} is blank", "write something, or remove the record")
    return whole(value.strip())


def objects_at(entries: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    """Return the list of objects ``key`` of ``entries``, empty where there is none; raises NoSeedError."""
    value = entries.get(key, [])
    if not isinstance(value, list):
        raise NoSeedError(f"{key!r} is {kind_of(value)}, not a list", "write a list of objects")
    for place, item in enumerate(value):
        if not isinstance(item, dict):
            raise NoSeedError(f"{key}[{place}] is {kind_of(item)}, not an object", "write a list of objects")
    return value


def numbered(entries: Mapping[str, object], key: str, number: str, *, of: str = "") -> dict[int, Mapping[str, object]]:
    """Return the objects of the list ``key`` by their whole number ``number``, each of which may be there once.

    ``of``: what the list is part of, for messages.

    Raises:
        NoSeedError: no list of objects, a number that is missing or none, or one that is there twice.
    """
    found: dict[int, Mapping[str, object]] = {}
    named = f"{of}[{key!r}]" if of else key
    for place, item in enumerate(objects_at(entries, key)):
        value = item.get(number)
        if not isinstance(value, int) or isinstance(value, bool):
            said = "has no" if number not in item else f"has {shown(value)} for"
            raise NoSeedError(f"{named}[{place}] {said} {number!r}", "number them with whole numbers")
        if value in found:
            raise NoSeedError(f"{named} has {number} {value} twice", "give each its own number")
        found[value] = item
    return found


def _name(path: Path, number: int, n_records: int) -> str:
    return path.stem if n_records == 1 else f"{path.stem}-{number}"


def _of_tree(tree: Tree, path: Path) -> tuple[SeedRecord, ...]:
    items = tree.items if isinstance(tree, Items) and not all(map(_is_question_tree, tree.items)) else (tree,)
    return tuple(
        SeedRecord(number, _name(path, number, len(items)), tree=item) for number, item in enumerate(items, start=1)
    )


def _is_question_tree(item: Tree) -> bool:
    return isinstance(item, Scalar) or (isinstance(item, Table) and "text" in item.entries)


def _is_question(item: object) -> bool:
    return isinstance(item, str) or (isinstance(item, dict) and "text" in item)


_Value = tuple[object, None, str]
"""A value, no tree, and why there is no value."""


def _items(value: object) -> list[_Value]:
    held = value.get("data") if isinstance(value, dict) else value
    if isinstance(held, list) and (isinstance(value, dict) or not all(map(_is_question, held))):
        return [(item, None, "") for item in held]
    return [(value, None, "")]


def _whole(text: str, path: Path) -> tuple[object] | None:
    """Return the one value of ``text`` in a tuple, or ``None`` where it is one value a line."""
    start = len(text) - len(text.lstrip())
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        if _goes_on_with_lines(text[start:]):
            return None
        at = error.pos if isinstance(error, JSONDecodeError) else start
        where = f"{path}:{1 + len(_LINE_END.findall(text, 0, at))}"
        raise InvalidInputError(f"this is no JSON: {_said(error)}", where=where, hint=_SHAPES) from error
    if not text[end:].strip():
        return (value,)
    if not _LINE_END.match(text[end:].lstrip(" \t")):
        where = f"{path}:{1 + len(_LINE_END.findall(text, 0, end))}"
        raise InvalidInputError("something follows the JSON value", where=where, hint=_SHAPES)
    return None


def _goes_on_with_lines(text: str) -> bool:
    """Whether the second line of ``text``, whose first one is broken, is an object by itself."""
    first, *others = _LINE_END.split(text, 2)
    try:
        return first.startswith("{") and isinstance(_DECODER.decode(others[0].strip() if others else ""), dict)
    except (ValueError, RecursionError):
        return False


def _lines(text: str) -> list[_Value]:
    return [_of_line(line, words) for line, words in enumerate(_LINE_END.split(text), start=1) if words.strip()]


def _of_line(line: int, words: str) -> _Value:
    try:
        return _DECODER.decode(words.strip()), None, ""
    except (ValueError, RecursionError) as error:
        return None, None, f"line {line} is no JSON: {_said(error)}"


def _said(error: ValueError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, JSONDecodeError):
        return f"{error.msg} at character {error.colno}"
    return " ".join(str(error).split())[:200]


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:40]} is too large a number")
    return number


_DECODER: Final = JSONDecoder(parse_constant=_refuse, parse_float=_finite)
