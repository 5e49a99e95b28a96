"""Taking a streamed answer apart: server-sent events and lines, from bytes that are cut anywhere.

Pure: what a piece means is ``http_stream``'s.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final, Literal, Protocol

_LINE_END: Final = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of an answer. ``event``: what a server-sent event calls itself."""

    data: str
    event: str = "message"


class PieceParser(Protocol):
    """Takes the bytes of an answer, gives its pieces."""

    def feed(self, chunk: bytes) -> list[Piece]:
        """Return the pieces that are complete with ``chunk``."""
        ...

    def close(self) -> list[Piece]:
        """Return the piece that the end of the answer completes, if there is one."""
        ...


def parser_of(kind: Literal["sse", "lines"]) -> PieceParser:
    """Return the parser of a format."""
    return SseParser() if kind == "sse" else LineParser()


class SseParser:
    """Server-sent events (HTML, section 9.2.6).

    Two things more than there, for what servers do: an event that the answer ends within counts (a connection that
    broke is no end), and so does one with a name and no data.
    """

    def __init__(self) -> None:
        self._lines = _Lines(_LINE_END)
        self._data: list[str] = []
        self._event = ""

    def feed(self, chunk: bytes) -> list[Piece]:
        """Return the events that are complete with ``chunk``."""
        return [piece for line in self._lines.feed(chunk) if (piece := self._take(line)) is not None]

    def close(self) -> list[Piece]:
        """Return the event that was not ended by a blank line."""
        return [piece for line in (*self._lines.close(), "") if (piece := self._take(line)) is not None]

    def _take(self, line: str) -> Piece | None:
        if not line:
            return self._dispatch()
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._event = value
        return None  # of the other fields, id and retry are for clients that reconnect, and a comment has no name

    def _dispatch(self) -> Piece | None:
        data, event = self._data, self._event
        self._data, self._event = [], ""
        return Piece("\n".join(data), event or "message") if data or event else None


class LineParser:
    """One piece per line that is not blank."""

    def __init__(self) -> None:
        self._lines = _Lines(re.compile(r"\r?\n"))

    def feed(self, chunk: bytes) -> list[Piece]:
        """Return the lines that are complete with ``chunk``."""
        return [Piece(line) for line in self._lines.feed(chunk) if line.strip()]

    def close(self) -> list[Piece]:
        """Return the line that has no end."""
        return [Piece(line) for line in self._lines.close() if line.strip()]


class _Lines:
    """Lines of UTF-8, without their ends and without a byte order mark; what is no UTF-8 becomes U+FFFD."""

    def __init__(self, end: re.Pattern[str]) -> None:
        self._end = end
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._rest: list[str] = []

    def feed(self, chunk: bytes) -> list[str]:
        return self._split(self._decoder.decode(chunk))

    def close(self) -> list[str]:
        lines = self._split(self._decoder.decode(b"", final=True))
        rest, self._rest = "".join(self._rest), []
        return [*lines, *self._end.split(rest)] if rest else lines

    def _split(self, text: str) -> list[str]:
        # A long line is joined once, when its end has come: not copied with every chunk.
        if not text or not (self._end.search(text) or (self._rest and self._rest[-1].endswith("\r"))):
            self._rest += [text] if text else []
            return []
        text = "".join((*self._rest, text))
        # A carriage return at the end may be half of a line end.
        held = "\r" if text.endswith("\r") else ""
        *lines, rest = self._end.split(text[: len(text) - len(held)])
        self._rest = [rest + held] if rest or held else []
        return lines
