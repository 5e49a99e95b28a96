"""YAML text as a tree with the place of every value.

It knows no schema: which values are allowed is ``yaml_source``'s work.

ruamel.yaml only splits the text. Its events refuse tags, directives and deep nesting before anything is built, the tags
that it resolves are ignored, and plain scalars are typed by the patterns of the YAML 1.2 core schema (section 10.3.2),
so that ``no``, ``on`` and ``17:40`` are texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import CollectionEndEvent, CollectionStartEvent, DocumentStartEvent, ScalarEvent
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.parser import Parser

from hairpin.errors import InvalidInputError

MAX_DEPTH: Final = 64
MAX_VALUES: Final = 100_000
"""Values of a document after its aliases are followed."""

_MAX_DIGITS: Final = 300
_NULL = re.compile(r"null|Null|NULL|~|")
_BOOL = re.compile(r"(true|True|TRUE)|false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]+")
_OTHER_BASE = re.compile(r"0(?:o[0-7]+|x[0-9a-fA-F]+)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_LINE_ENDS = re.compile(r"\r\n|\r|\n")
UNUSABLE_CHARACTERS = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value as written. ``plain``: without quotes, so that it may be something else than a text."""

    text: str
    plain: bool
    where: str

    def value(self) -> bool | int | float | str | None:
        """Return the value by the core schema. Numbers of absurd length stay texts."""
        return core_value(self.text) if self.plain else self.text


@dataclass(frozen=True, slots=True)
class Items:
    """A sequence."""

    items: tuple[Tree, ...]
    where: str


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping; ``key_where`` says where each key stands."""

    entries: Mapping[str, Tree]
    key_where: Mapping[str, str]
    where: str


Tree = Scalar | Items | Table


def core_value(text: str) -> bool | int | float | str | None:
    """Return what the plain scalar ``text`` is by the YAML 1.2 core schema."""
    if _NULL.fullmatch(text):
        return None
    if match := _BOOL.fullmatch(text):
        return match.group(1) is not None
    if len(text) > _MAX_DIGITS:
        return text
    if _INT.fullmatch(text):
        return int(text)
    if _OTHER_BASE.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text):
        return float(text)
    return float(text.replace(".", "", 1)) if _INFINITE.fullmatch(text) else text


def parse_yaml(data: bytes, where: str) -> Tree:
    """Return the one document of ``data``; ``where`` names its file in messages.

    UTF-8 with or without a byte order mark, any line ends.

    Raises:
        InvalidInputError: not UTF-8, not YAML, empty, more than one document, or a feature that is refused: tags,
            directives, merge keys, keys that are no text, duplicate keys, cycles, too many or too deeply nested values.
    """
    text = decode(data, where)
    _refuse_unusable_characters(text, where)
    try:
        root = _compose(text, where)
    except InvalidInputError:
        raise
    except MarkedYAMLError as error:
        raise _not_yaml(error, where) from error
    except Exception as error:  # ruamel leaks ValueError, IndexError and the like on broken text
        hint = "check quotes, escapes and indentation"
        raise InvalidInputError(f"the text is not valid YAML: {error}", where=f"{where}:1", hint=hint) from error
    if root is None:
        raise InvalidInputError("the file is empty", where=f"{where}:1", hint="write at least one 'key: value'")
    return _TreeBuilder(where).build(root, f"{where}:{_line(root)}")


def decode(data: bytes, where: str) -> str:
    """Return the text of UTF-8 ``data`` without its byte order mark.

    Raises:
        InvalidInputError: it is not UTF-8; names the position of the first bad byte in the file, from 0.
    """
    body = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        position = error.start + len(data) - len(body)
        line = 1 + len(_LINE_ENDS.findall(body[: error.start].decode("utf-8")))
        raise InvalidInputError(
            f"byte 0x{body[error.start]:02X} at byte position {position} is not UTF-8",
            where=f"{where}:{line}",
            hint="save the file as UTF-8",
        ) from error


def _refuse_unusable_characters(text: str, where: str) -> None:
    match = UNUSABLE_CHARACTERS.search(text)
    if match is None:
        return
    line = 1 + len(_LINE_ENDS.findall(text, 0, match.start()))
    code = ord(match.group())
    escape = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    hint = f'write it as "{escape}" in double quotes if it is meant'
    raise InvalidInputError(f"the character U+{code:04X} cannot stand in a file", where=f"{where}:{line}", hint=hint)


class _StrictParser(Parser):
    """Refuses features at the event that has them, so that one pass over the text both checks and composes it."""

    where = ""
    depth = documents = 0

    def get_event(self) -> Any:
        """Return the next event. Raises InvalidInputError."""
        event = super().get_event()
        self._check(event, f"{self.where}:{event.start_mark.line + 1}")
        return event

    def _check(self, event: Any, place: str) -> None:
        if isinstance(event, DocumentStartEvent):
            self.documents += 1
            _refuse_document(event, self.documents, place)
        elif isinstance(event, CollectionStartEvent):
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise _too_deep(place)
        elif isinstance(event, CollectionEndEvent):
            self.depth -= 1
        if isinstance(event, ScalarEvent | CollectionStartEvent) and event.tag is not None:
            raise InvalidInputError(f"the tag {event.tag!r} is not allowed", where=place, hint="remove it")


def _compose(text: str, where: str) -> Any:
    yaml = YAML(typ="safe", pure=True)
    yaml.Parser = type("_StrictParserOfThisFile", (_StrictParser,), {"where": where})
    return yaml.compose(text)


def _refuse_document(event: DocumentStartEvent, number: int, place: str) -> None:
    if event.version or event.tags:
        raise InvalidInputError("%YAML and %TAG lines are not allowed", where=place, hint="remove them")
    if number > 1:
        raise InvalidInputError(
            "a second document begins", where=place, hint="keep one document per file, without '---'"
        )


def _not_yaml(error: MarkedYAMLError, where: str) -> InvalidInputError:
    mark = error.problem_mark or error.context_mark
    place = f"{where}:{mark.line + 1}" if mark is not None else f"{where}:1"
    said = "; ".join(part for part in (error.context, error.problem) if part)
    column = f" (column {mark.column + 1})" if mark is not None else ""
    hint = "check quotes, brackets and indentation; a text with ': ' or ' #' in it needs quotes"
    return InvalidInputError(f"the text is not valid YAML: {said}{column}", where=place, hint=hint)


def _too_deep(place: str) -> InvalidInputError:
    return InvalidInputError(f"values are nested more than {MAX_DEPTH} deep", where=place, hint="flatten them")


def _line(node: Node) -> int:
    return int(node.start_mark.line) + 1


def _nothing_written(node: Node) -> bool:
    """Whether ``node`` is a missing value; as that of a key its mark is on the line of what comes next."""
    return isinstance(node, ScalarNode) and not node.value and node.style is None


class _TreeBuilder:
    """Builds the tree once per node, so that aliases cost nothing, and bounds what they amount to."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._built: dict[int, tuple[Tree, int, int]] = {}
        self._open: set[int] = set()

    def build(self, node: Node, where: str) -> Tree:
        """Return the tree of ``node``; ``where`` is its place if nothing is written there."""
        return self._measured(node, where)[0]

    def _measured(self, node: Node, where: str) -> tuple[Tree, int, int]:
        if id(node) in self._built:
            return self._built[id(node)]
        place = where if _nothing_written(node) else f"{self._where}:{_line(node)}"
        if id(node) in self._open:
            raise InvalidInputError("an alias refers to what it stands in", where=place, hint="write the values out")
        self._open.add(id(node))
        tree, parts = self._tree(node, place)
        size = 1 + sum(size for _, size, _ in parts)
        depth = 1 + max((depth for _, _, depth in parts), default=0)
        if size > MAX_VALUES:
            hint = "split the file, or use fewer aliases"
            raise InvalidInputError(f"more than {MAX_VALUES} values, aliases followed", where=place, hint=hint)
        if depth > MAX_DEPTH:
            raise _too_deep(place)
        self._open.discard(id(node))
        self._built[id(node)] = tree, size, depth
        return self._built[id(node)]

    def _tree(self, node: Node, place: str) -> tuple[Tree, list[tuple[Tree, int, int]]]:
        if isinstance(node, SequenceNode):
            items = [self._measured(item, f"{self._where}:{_line(item)}") for item in node.value]
            return Items(tuple(tree for tree, _, _ in items), place), items
        if isinstance(node, MappingNode):
            return self._table(node, place)
        plain = isinstance(node, ScalarNode) and node.style is None
        return Scalar(node.value if plain else _joined(node.value, place), plain, place), []

    def _table(self, node: MappingNode, place: str) -> tuple[Tree, list[tuple[Tree, int, int]]]:
        parts: dict[str, tuple[Tree, int, int]] = {}
        key_where: dict[str, str] = {}
        for key_node, value_node in node.value:
            key_place = f"{self._where}:{_line(key_node)}"
            key = self._key(key_node, key_place)
            if key in parts:
                hint = f"it stands at {key_where[key]} already; keep one of them"
                raise InvalidInputError(f"duplicate key {key!r}", where=key_place, hint=hint)
            key_where[key] = key_place
            parts[key] = self._measured(value_node, key_place)
        return Table({key: part[0] for key, part in parts.items()}, key_where, place), list(parts.values())

    def _key(self, node: Node, place: str) -> str:
        if not isinstance(node, ScalarNode):
            raise InvalidInputError("a key must be a text", where=place, hint="lists and mappings cannot be keys")
        if node.value == "<<" and node.style is None:
            raise InvalidInputError("merge keys (<<) are not supported", where=place, hint="write the keys out")
        return _joined(node.value, place)


def _joined(text: str, place: str) -> str:
    """Return ``text`` with escaped surrogate pairs joined, as JSON writes them."""
    if not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError as error:
        hint = "write the character itself, or both halves of the pair"
        raise InvalidInputError("half of a surrogate pair is no character", where=place, hint=hint) from error
