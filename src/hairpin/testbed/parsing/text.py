"""Words as the parser sees them: folded text, and names in it.

It must not know what an utterance means.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_MARKS = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": ", "})


def fold(text: str) -> str:
    """Return ``text`` in lower case without accents, quotes or repeated white space; ``ß`` is ``ss``."""
    plain = unicodedata.normalize("NFKD", text.translate(_MARKS).casefold())
    letters = "".join(c for c in plain if not unicodedata.combining(c))
    return " ".join(letters.replace('"', " ").split())


def spellings(name: str) -> frozenset[str]:
    """Return the folded forms in which ``name`` may be written: with or without hyphens, ``ue`` for ``ü``."""
    base = {fold(name), fold(name.casefold().translate(_UMLAUTS))}
    return frozenset(base | {form.replace("-", " ") for form in base})


@dataclass(frozen=True)
class Span(Generic[T]):
    """Something found in a text."""

    start: int
    end: int
    value: T


class PhraseIndex(Generic[T]):
    """Finds known phrases in a folded text. Longer phrases win over shorter ones that overlap them."""

    def __init__(self, phrases: Mapping[str, T]) -> None:
        self._phrases = dict(phrases)
        ordered = sorted(self._phrases, key=lambda phrase: (-len(phrase), phrase))
        self._pattern = re.compile(r"(?<![\w])(?:" + "|".join(map(re.escape, ordered)) + r")(?![\w])")

    def find(self, text: str) -> tuple[Span[T], ...]:
        """Return what is found, from left to right."""
        return tuple(Span(m.start(), m.end(), self._phrases[m[0]]) for m in self._pattern.finditer(text))

    def get(self, phrase: str) -> T | None:
        """Return what the whole ``phrase`` means."""
        return self._phrases.get(phrase)


def without_overlaps(spans: Iterable[Span[T]]) -> tuple[Span[T], ...]:
    """Return the spans from left to right, the longest where some overlap, the first given among equals."""
    chosen: list[Span[T]] = []
    for span in sorted(spans, key=lambda s: s.start - s.end):
        if all(span.end <= other.start or other.end <= span.start for other in chosen):
            chosen.append(span)
    return tuple(sorted(chosen, key=lambda s: s.start))


_WORD = re.compile(r"(?P<starts>(?:^|[.!?]\s+)[\"'(]*)?(?P<word>[\w'’-]+)")


def as_written(folded: str, utterance: str) -> str:
    """Return the words of ``folded`` as they are written in ``utterance``; a sentence's first word stays folded."""
    written = {fold(found["word"]): found["word"] for found in _WORD.finditer(utterance) if found["starts"] is None}
    return " ".join(written.get(word, word) for word in folded.split())


def blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return ``text`` with the spans overwritten by spaces, so that positions stay."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
