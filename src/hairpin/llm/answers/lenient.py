"""JSON as models write it: read where only one reading is possible, refused everywhere else.

Beyond JSON it takes raw control characters in strings, a backslash that begins no escape (kept as it stands; an escape
that JSON knows means what JSON says, so the ``\\t`` of ``C:\\temp`` is a tab), ``\\'``, trailing commas, Python's
literals and single-quoted strings, keys without quotes, ``//`` comments and numbers such as ``+1``, ``.5`` and ``5.``.
It never adds what is missing: no quote, no comma, no closing brace.
"""

from __future__ import annotations

import json
import re
from typing import Final

JsonObject = dict[str, object]

_MAX_DEPTH: Final = 64
_VALUE_WANTED: Final = "a value"
_PYTHON_OBJECT: Final = re.compile(r"\{\s*'")
_SPACE: Final = re.compile(r"(?:\s+|//[^\n]*)*")
_STRINGS: Final = {
    '"': re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL),
    "'": re.compile(r"'([^'\\]*(?:\\.[^'\\]*)*)'", re.DOTALL),
}
_AFTER_STRING: Final = re.compile(r"\s*[,:\]}]")
_NUMBER: Final = re.compile(r"[+-]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![\w.])")
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_LITERALS: Final = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_NOT_FINITE: Final = re.compile(r"([+-]?)(NaN|nan|Infinity|inf)\b")
_JSON_ESCAPE: Final = re.compile(r"""\\(u[0-9a-fA-F]{4}|["\\/bfnrt'])""")
_PYTHON_ESCAPE: Final = re.compile(r"""\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|["\\/bfnrt'])""")
_ESCAPED: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_LARGEST_CODE_POINT: Final = 0x10FFFF


class UnreadableJsonError(ValueError):
    """No JSON object that can be read in one way only begins there: says why, and at which offset reading ended."""

    def __init__(self, what: str, position: int) -> None:
        self.what = what
        self.position = position
        self.wants_value = what.startswith(_VALUE_WANTED)
        super().__init__(f"{what} (offset {position})")


def unique_pairs(pairs: list[tuple[str, object]]) -> JsonObject:
    """Return the object of ``pairs``. A key may come twice with one value.

    Raises:
        DuplicateKeyError: it comes with two.
    """
    found = dict(pairs)
    if len(found) != len(pairs):
        _refuse_contradictions(pairs)
    return found


class DuplicateKeyError(ValueError):
    """An object says two things under one key."""


def _refuse_contradictions(pairs: list[tuple[str, object]]) -> None:
    seen: JsonObject = {}
    for key, value in pairs:
        if key in seen and canonical(seen[key]) != canonical(value):
            raise DuplicateKeyError(f"the key {key[:60]!r} comes twice, with different values")
        seen[key] = value


def canonical(value: object) -> str:
    """Return a text that two parsed values share when they are the same JSON; 1, 1.0 and true are not."""
    return json.dumps(value, sort_keys=True)


def read_object(text: str, start: int) -> tuple[JsonObject, int]:
    """Read the object that begins at ``text[start]``, which is ``{``; return it and the offset behind it.

    Takes time in proportion to what it reads.

    Raises:
        UnreadableJsonError: there is none.
    """
    return _Reader(text, start).read()


class _Reader:
    """Reads one object, from left to right, without going back."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._at = start
        self._escape = _JSON_ESCAPE

    def read(self) -> tuple[JsonObject, int]:
        if _PYTHON_OBJECT.match(self._text, self._at):
            self._escape = _PYTHON_ESCAPE
        return self._object(_MAX_DEPTH), self._at

    def _object(self, depth: int) -> JsonObject:
        self._at += 1
        pairs: list[tuple[str, object]] = []
        while self._peek() != "}":
            key = self._key()
            self._expect(":", f"a colon after the key {key[:60]!r}")
            pairs.append((key, self._value(depth)))
            self._separate("}")
        self._at += 1
        try:
            return unique_pairs(pairs)
        except DuplicateKeyError as error:
            raise UnreadableJsonError(str(error), self._at) from None

    def _array(self, depth: int) -> list[object]:
        self._at += 1
        items: list[object] = []
        while self._peek() != "]":
            items.append(self._value(depth))
            self._separate("]")
        self._at += 1
        return items

    def _value(self, depth: int) -> object:
        if depth == 0:
            raise UnreadableJsonError("nested too deep", self._at)
        head = self._peek()
        if head == "{":
            return self._object(depth - 1)
        if head == "[":
            return self._array(depth - 1)
        if head in _STRINGS:
            return self._string(head)
        return self._bare_value()

    def _bare_value(self) -> object:
        if match := _NUMBER.match(self._text, self._at):
            self._at = match.end()
            return _number(match[0], match.start())
        if match := _NOT_FINITE.match(self._text, self._at):
            self._at = match.end()
            return float(match[1] + match[2])
        match = _WORD.match(self._text, self._at)
        if match is None or match[0] not in _LITERALS:
            raise self._unexpected(_VALUE_WANTED)
        self._at = match.end()
        return _LITERALS[match[0]]

    def _key(self) -> str:
        head = self._peek()
        if head in _STRINGS:
            return self._string(head)
        match = _WORD.match(self._text, self._at)
        if match is None:
            raise self._unexpected("a key")
        self._at = match.end()
        return match[0]

    def _string(self, quote: str) -> str:
        match = _STRINGS[quote].match(self._text, self._at)
        if match is None:
            raise UnreadableJsonError("the text ends within a string", len(self._text))
        if self._escape is _PYTHON_ESCAPE and "\n" in match[1]:
            raise UnreadableJsonError("a string in Python's notation ends with its line", match.start())
        # An apostrophe looks like the end of a single-quoted string: what follows must leave no doubt.
        if quote == "'" and not _AFTER_STRING.match(self._text, match.end()):
            raise UnreadableJsonError("a single-quoted string cannot be told from its apostrophes", match.end())
        self._at = match.end()
        return _with_pairs_joined(self._escape.sub(_unescape, match[1])) if "\\" in match[1] else match[1]

    def _separate(self, end: str) -> None:
        """Step over a comma; the last one of a container may be there or not."""
        head = self._peek()
        if head == ",":
            self._at += 1
        elif head != end:
            raise self._unexpected(f"',' or {end!r}")

    def _expect(self, char: str, what: str) -> None:
        if self._peek() != char:
            raise self._unexpected(what)
        self._at += 1

    def _peek(self) -> str:
        match = _SPACE.match(self._text, self._at)
        assert match is not None, "it also matches nothing"
        self._at = match.end()
        return self._text[self._at : self._at + 1]

    def _unexpected(self, wanted: str) -> UnreadableJsonError:
        found = self._text[self._at : self._at + 12]
        but = f"not {found!r}" if found else "but the text ends there"
        return UnreadableJsonError(f"{wanted} expected, {but}", self._at)


def _with_pairs_joined(text: str) -> str:
    """Return ``text`` with two escaped halves of one character as that character; a half alone stays as it is."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _number(text: str, position: int) -> int | float:
    digits = text.lstrip("+-")
    if digits.isdigit():
        try:
            return int(text)
        except ValueError:  # thousands of digits
            raise UnreadableJsonError("a number of thousands of digits", position) from None
    return float(text)


def _unescape(match: re.Match[str]) -> str:
    body = match[1]
    if len(body) == 1:
        return _ESCAPED.get(body, body)
    code = int(body[1:], 16)
    return chr(code) if code <= _LARGEST_CODE_POINT else match[0]
