"""How a text may come back from a server: each character as it is, or in an escape of JSON, HTML, addresses or Python.

One expression covers every mixture, because what is escaped differs from library to library. It masks nothing.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html.entities import codepoint2name
from typing import Final
from urllib.parse import quote

_NAMES: Final = {**codepoint2name, ord("'"): "apos"}
_QUOTED: Final = "\"'/"
"""What some put a backslash before."""


@lru_cache(maxsize=256)
def spellings_of(text: str) -> str:
    """Return a regular expression for ``text`` in whatever escapes; to be used without regard to case.

    Letters and digits of ASCII stand for themselves: nothing escapes them. No way back into a character is kept
    (``(?>``), or a long text of escapes could take for ever; so what is plain, or escaped as a whole, comes first.
    A backslash right before a character that is escaped with one is known in the common spellings only.
    What was found is remembered: every session of an assistant has the same credentials.
    """
    whole = (text, quote(text, safe=""), json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
    mixed = "".join(_of_run(character, len([*run])) for character, run in itertools.groupby(text))
    return _any([*map(re.escape, sorted(set(whole), key=len, reverse=True)), mixed])


def _of_run(character: str, length: int) -> str:
    if character.isascii() and character.isalnum():
        return character * length
    if character == "\\":
        # Of a run, not of each: any of its backslashes may be doubled.
        return rf"(?>\\{{{length},{4 * length}}}|(?:%5c){{{length}}}|(?:&#92;){{{length}}})"
    return f"(?>{_any(_spellings(character))}){{{length}}}"


def _any(spellings: Iterable[str]) -> str:
    return "|".join(dict.fromkeys(spellings))


def _spellings(character: str) -> Iterator[str]:
    """Yield what begins with another spelling before that."""
    code = ord(character)
    before = r"\\{0,3}" if character in _QUOTED else ""
    yield from _of_programs(character)
    yield rf"{before}&#(?:0*{code}|x0*{code:x});"
    if code in _NAMES:
        yield f"{before}&{_NAMES[code]};"
    yield _percent(character.encode(errors="surrogatepass"))
    if code < 256:
        yield _percent(bytes([code]))
    if not character.isascii():
        yield from _misread(character.encode(errors="surrogatepass"))
    yield before + re.escape(character)
    if character == " ":
        yield r"\+"


def _of_programs(character: str) -> Iterator[str]:
    code = ord(character)
    yield _backslashed("".join(f"\\x{byte:02x}" for byte in character.encode(errors="surrogatepass")))
    escapes = (json.dumps(character)[1:-1], repr(character)[1:-1], f"\\u{{{code:x}}}")
    yield from (_backslashed(escape) for escape in escapes if escape.startswith("\\"))
    if code < 256:
        yield from (_backslashed(f"\\u{code:04x}"), _backslashed(f"\\x{code:02x}"))


def _percent(encoded: bytes) -> str:
    return "".join(f"%{byte:02x}" for byte in encoded)


def _backslashed(escape: str) -> str:
    """Return the expression for ``escape``, which may itself be in a string that was escaped."""
    return re.escape(escape).replace(r"\\", r"\\{1,3}")


def _misread(encoded: bytes) -> Iterator[str]:
    """Yield UTF-8 read as if it were an encoding of one byte per character."""
    for read in (encoded.decode("latin-1"), "".join(map(_of_windows, encoded))):
        yield re.escape(read)
        yield "".join(_backslashed(json.dumps(character)[1:-1]) for character in read)


def _of_windows(byte: int) -> str:
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)
