"""Foreign text made safe to look at: what a reader cannot see is shown, what would steer a screen is only named.

It must not shorten or translate; escaping for HTML or XML is the renderers'.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

NO_ANSWER = "(no answer)"
# Control characters but tab and newline, the soft hyphen, bidirectional controls, zero-width and tag characters, line
# separators, surrogates, non-characters. U+200C and U+200D stay: Persian words and emoji are spelt with them.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ud800-\udfff\ufffe\uffff\U000e0000-\U000e007f]"
)


def is_blank(text: str) -> bool:
    """Whether a reply says nothing."""
    return not text.strip()


def code_point(char: str) -> str:
    """Return the name of a character that is not shown itself, like ``U+202E``."""
    return f"U+{ord(char):04X}"


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield ``text`` in parts: ``(part, True)`` to show as it is, ``(code point, False)`` for an unseen character.

    Line ends are line feeds, whatever they were.
    """
    text, start = text.replace("\r\n", "\n"), 0
    for found in _UNSEEN.finditer(text):
        if found.start() > start:
            yield text[start : found.start()], True
        yield code_point(found.group()), False
        start = found.end()
    if start < len(text):
        yield text[start:], True


def visible(text: str) -> str:
    """Return ``text`` with every unseen character as ``<U+202E>``."""
    return "".join(part if shown else f"<{part}>" for part, shown in pieces(text))


def one_line(text: str) -> str:
    """Return visible ``text`` with white space collapsed to single blanks."""
    return " ".join(visible(text).split())


def display_width(text: str) -> int:
    """Return how many columns ``text`` takes on a terminal: wide characters two, combining ones none."""
    return len(text) if text.isascii() else sum(_columns(char) for char in text)


def wrap(text: str, *, width: int, first: str = "", rest: str = "") -> list[str]:
    """Break visible ``text`` into lines of at most ``width`` columns; long words are cut.

    Args:
        text: may hold line breaks, which are kept.
        width: columns in all, prefixes included.
        first: prefix of the first line.
        rest: prefix of the other lines.
    """
    lines: list[str] = []
    for paragraph in visible(text).split("\n"):
        for part in _fill(paragraph, room=max(8, width - display_width(rest))):
            lines.append((rest if lines else first) + part)
    return lines


def broken(text: str, room: int) -> list[str]:
    """Break visible ``text`` of one line between words into lines of at most ``room`` columns; long words are cut."""
    return _fill(text, room=max(2, room))


def _columns(char: str) -> int:
    if unicodedata.combining(char) or char in "\u200c\u200d\ufe0e\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _fill(paragraph: str, *, room: int) -> list[str]:
    words = paragraph.expandtabs(4)
    indent = words[: min(len(words) - len(words.lstrip()), room // 2)]
    lines, line, used = [], indent, len(indent)
    for word in words.split():
        for part in _cut(word, room - len(indent)):
            size, gap = display_width(part), " " if line.strip() else ""
            if gap and used + 1 + size > room:
                lines.append(line)
                line, used, gap = indent, len(indent), ""
            line, used = line + gap + part, used + len(gap) + size
    return [*lines, line]


def _cut(word: str, room: int) -> Iterator[str]:
    if word.isascii():
        yield from (word[start : start + room] for start in range(0, len(word), room))
        return
    part, used = "", 0
    for char in word:
        size = _columns(char)
        if used + size > room:
            yield part
            part, used = "", 0
        part, used = part + char, used + size
    yield part
