"""The JSON values of a file of conversations, one after another, each with its line.

It knows no format: what a value has to look like is ``recording_formats``' work.

A file is JSON lines (one value a line), one JSON array of values, or values that are spread over several lines. JSON
lines are read line by line; the others are read whole, which is why their size is bounded.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from json import JSONDecodeError, JSONDecoder
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn

from hairpin.domain.recording import RecordingProblem
from hairpin.errors import InvalidInputError
from hairpin.packs.files import nearby_file

MAX_LINE_BYTES: Final = 16 * 1024**2
MAX_WHOLE_BYTES: Final = 256 * 1024**2

_BOM: Final = b"\xef\xbb\xbf"
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_GZIP: Final = b"\x1f\x8b"
_SPACE: Final = " \t\r\n"
_SPACE_BYTES: Final = b" \t\r\n"
_CHUNK_BYTES: Final = 1024**2


@dataclass(frozen=True, slots=True)
class Placed:
    """A JSON value and the line, from 1, on which it begins."""

    line: int
    value: object


@dataclass(slots=True)
class RecordingSource:
    """A file that is being read; ``digest`` is that of all its bytes once ``values`` is exhausted."""

    path: Path
    _hash: Any = field(default_factory=hashlib.sha256)

    @property
    def digest(self) -> str:
        """The SHA-256 of the bytes read so far, as hex."""
        return str(self._hash.hexdigest())

    def values(self) -> Iterator[Placed | RecordingProblem]:
        """Yield every value, and in the place of what is none the reason.

        Raises:
            InvalidInputError: the file cannot be read, is no text in UTF-8 at all, or is too large to be read whole.
        """
        try:
            with self.path.open("rb") as file:
                yield from self._values(file)
        except FileNotFoundError as error:
            hint = nearby_file(self.path)
            raise InvalidInputError("the file does not exist", where=self._where, hint=hint) from error
        except IsADirectoryError as error:
            raise InvalidInputError("this is a folder", where=self._where, hint="name a file in it") from error
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            hint = "check its name and permissions"
            raise InvalidInputError(f"the file cannot be read: {reason}", where=self._where, hint=hint) from error

    @property
    def _where(self) -> str:
        return str(self.path)

    def _values(self, file: BinaryIO) -> Iterator[Placed | RecordingProblem]:
        number, line = self._first_line(file)
        if _is_spread(line):
            yield from self._read_whole(file, number, line)
            return
        while line:
            if line.strip(_SPACE_BYTES):
                yield _of_line(number, line) if len(line) <= MAX_LINE_BYTES else self._too_long(file, number, line)
            number, line = number + 1, self._next_line(file)

    def _first_line(self, file: BinaryIO) -> tuple[int, bytes]:
        """Return the first line that is not blank, and its number; an empty line at the end."""
        number, line = 1, self._next_line(file)
        if line.startswith(_UTF_16):
            hint = "save it as UTF-8"
            raise InvalidInputError("the file is not UTF-8 but UTF-16", where=self._where, hint=hint)
        if line.startswith(_GZIP):
            hint = "unpack it, for instance with 'gunzip', and import what comes out"
            raise InvalidInputError("the file is packed with gzip", where=self._where, hint=hint)
        line = line.removeprefix(_BOM)
        while line and not line.strip(_SPACE_BYTES):
            number, line = number + 1, self._next_line(file)
        return number, line

    def _next_line(self, file: BinaryIO) -> bytes:
        """Return the next line, of one that is too long only the beginning."""
        return self._hashed(file.readline(MAX_LINE_BYTES + 1))

    def _hashed(self, data: bytes) -> bytes:
        self._hash.update(data)
        return data

    def _too_long(self, file: BinaryIO, number: int, line: bytes) -> RecordingProblem:
        """Pass over the rest of a line that is too long."""
        while line and not line.endswith(b"\n"):
            line = self._hashed(file.readline(_CHUNK_BYTES))
        return RecordingProblem(line=number, what=f"longer than {MAX_LINE_BYTES // 1024**2} MiB")

    def _read_whole(self, file: BinaryIO, number: int, first: bytes) -> Iterator[Placed | RecordingProblem]:
        data = first + self._hashed(file.read(MAX_WHOLE_BYTES + 1 - len(first)))
        if len(data) > MAX_WHOLE_BYTES:
            what = f"the file is one JSON text of more than {MAX_WHOLE_BYTES // 1024**2} MiB"
            raise InvalidInputError(what, where=self._where, hint="write it as JSON lines: one conversation a line")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = number + data.count(b"\n", 0, error.start)
            yield RecordingProblem(line=line, what=f"{_not_utf_8(data, error)}; nothing of the file was read")
            return
        if "\n" not in text:
            text = text.replace("\r", "\n")  # lines that end as on old Macs; no text of JSON holds either
        yield from _Spread(text, number).values()


def _is_spread(line: bytes) -> bool:
    """Whether the first line shows that the file is not one value a line: it opens something that it does not close,
    or its lines end in CR alone.

    A whole array is a file's conversations in one, unless it is the messages of one conversation.
    """
    start = line.strip(_SPACE_BYTES)
    if start == b"{" or (b"\r" in start and not line.endswith(b"\n")):
        return True
    if not start.startswith(b"["):
        return False
    found = _of_line(1, line)
    if isinstance(found, RecordingProblem) or not isinstance(found.value, list):
        return True
    return bool(found.value) and not all(isinstance(item, dict) and _is_message(item) for item in found.value)


def _is_message(item: dict[str, object]) -> bool:
    return isinstance(item.get("role", item.get("from")), str)


def _of_line(number: int, line: bytes) -> Placed | RecordingProblem:
    try:
        return Placed(number, _DECODER.decode(line.decode("utf-8").strip(_SPACE)))
    except UnicodeDecodeError as error:
        return RecordingProblem(line=number, what=_not_utf_8(line, error))
    except (ValueError, RecursionError) as error:
        return RecordingProblem(line=number, what=_not_json(error))


def _not_utf_8(data: bytes, error: UnicodeDecodeError) -> str:
    place = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
    return f"not UTF-8: byte 0x{data[error.start]:02X} at position {place} of the line"


def _not_json(error: ValueError | RecursionError) -> str:
    if isinstance(error, JSONDecodeError):
        return f"not JSON: {error.msg} at character {error.colno} of the line"
    if isinstance(error, RecursionError):
        return "not readable: nested too deeply"
    return f"not readable: {' '.join(str(error).split())[:200]}"


class _Spread:
    """Values in one text that do not keep to lines: an array's, or one after another."""

    def __init__(self, text: str, line: int) -> None:
        self._text = text
        self._at = 0
        self._line = line
        self._counted = 0

    def values(self) -> Iterator[Placed | RecordingProblem]:
        """Yield them up to the first that cannot be read: after that nobody knows where the next one begins."""
        self._skip_space()
        closing = "]" if self._text.startswith("[", self._at) else ""
        self._at += len(closing)
        while self._skip_space() and not self._closes(closing):
            start = self._at
            try:
                value, self._at = _DECODER.raw_decode(self._text, start)
            except (ValueError, RecursionError) as error:
                yield self._problem(error, start)
                return
            yield Placed(self._line_at(start), value)
            if closing and not self._skip_comma(closing):
                yield self._rest("something other than a comma follows the conversation")
                return
        if closing and self._at >= len(self._text):
            yield self._rest("the array is not closed")
        elif closing:
            self._at += 1
            if self._skip_space():
                yield self._rest("something follows the array")

    def _closes(self, closing: str) -> bool:
        return bool(closing) and self._text.startswith(closing, self._at)

    def _skip_space(self) -> bool:
        """Go to the next character that is no white space; whether there is one."""
        while self._at < len(self._text) and self._text[self._at] in _SPACE:
            self._at += 1
        return self._at < len(self._text)

    def _skip_comma(self, closing: str) -> bool:
        if not self._skip_space() or self._closes(closing):
            return True
        if not self._text.startswith(",", self._at):
            return False
        self._at += 1
        return True

    def _problem(self, error: ValueError | RecursionError, start: int) -> RecordingProblem:
        place = error.pos if isinstance(error, JSONDecodeError) else start
        line = self._line_at(min(place, len(self._text)))
        return RecordingProblem(line=line, what=f"{_not_json(error)}; nothing after it was read")

    def _rest(self, what: str) -> RecordingProblem:
        return RecordingProblem(line=self._line_at(min(self._at, len(self._text))), what=f"{what}; it was not read")

    def _line_at(self, place: int) -> int:
        self._line += self._text.count("\n", self._counted, place)
        self._counted = place
        return self._line


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:40]} is too large a number")
    return number


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = Counter(key for key, _ in pairs)
    for key, times in keys.items():
        if times > 1:
            raise ValueError(f"an object has the key {key[:40]!r} {times} times")
    return dict(pairs)


_DECODER: Final = JSONDecoder(parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_once)


def to_line(value: object) -> str:
    """Return a JSON value as one line of a file, without its line end."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
