"""Sentences, quotations and choices: the small tools of the offline agents.

Nothing here knows a lexicon or a dialogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from hairpin.domain.rng import derive_rng_seed

NO_ANSWER = "(no answer)"
"""How an empty reply is quoted."""

MAX_QUOTE = 160
"""Characters of a quotation; longer ones are cut with an ellipsis."""

MAX_READ = 8_000
"""Characters of one utterance or reply that the offline agents read; the rest is left out, and said to be."""

MAX_SENTENCE = 500
"""Characters of one sentence; what runs on for longer is cut at a space, so that no pattern looks far."""

Item = TypeVar("Item")

# possessive, and every run of white space is one character already, so that no text is scanned twice
_END = re.compile(r"(?<=[.!?…])[\"')\]]*+[ \n]|[;\n]++ ?")
_ABBREVIATION = re.compile(r"(?:\b(?:[A-Za-z]|St|Dr|Mr|Mrs|approx|min|e\.g|i\.e|No)\.)$")
_BULLET = re.compile(r"^(?:[-*•]+|\d+[.)])\s+")


def collapsed(text: str) -> str:
    """Return ``text`` with one space for white space and one line break where there was any."""
    return "\n".join(line for part in text.splitlines() if (line := " ".join(part.split())))


def readable(text: str) -> str:
    """Return what the offline agents read of ``text``: collapsed, and its beginning only when it is very long."""
    return collapsed(text)[:MAX_READ]


def unread(text: str) -> int:
    """Return how many characters of ``text`` the offline agents do not read."""
    return max(0, len(collapsed(text)) - MAX_READ) if len(text) > MAX_READ else 0


def sentences(text: str) -> tuple[str, ...]:
    """Split what is read of ``text`` into sentences and list items, trimmed, without blank ones."""
    text = readable(text)
    found: list[str] = []
    start = 0
    for match in _END.finditer(text):
        if "\n" not in match.group() and _ABBREVIATION.search(text[max(start, match.start() - 8) : match.start()]):
            continue
        found.append(text[start : match.end()])
        start = match.end()
    found.append(text[start:])
    trimmed = (_BULLET.sub("", sentence.strip().strip(";").strip()) for sentence in found)
    return tuple(piece for sentence in trimmed if sentence for piece in _pieces(sentence))


def _pieces(sentence: str) -> list[str]:
    pieces: list[str] = []
    while len(sentence) > MAX_SENTENCE:
        cut = sentence.rfind(" ", 1, MAX_SENTENCE)
        cut = cut if cut > 0 else MAX_SENTENCE
        pieces.append(sentence[:cut])
        sentence = sentence[cut:].strip()
    return [*pieces, sentence] if sentence else pieces


def quote(text: str) -> str:
    """Return ``text`` as evidence: in quotation marks, on one line, cut when long, or ``(no answer)`` when blank."""
    line = " ".join(text.split())
    if not line:
        return NO_ANSWER
    return f"“{line if len(line) <= MAX_QUOTE else line[: MAX_QUOTE - 1].rstrip() + '…'}”"


def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two spans share a character."""
    return one[0] < other[1] and other[0] < one[1]


def overlaps_any(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    """Whether ``span`` shares a character with one of ``others``."""
    return any(overlap(span, other) for other in others)


def pick(items: Sequence[Item], rng_seed: int, *path: str) -> Item:
    """Return one of ``items``, not empty; the choice depends on nothing but the seed, the path and their number."""
    return items[derive_rng_seed(rng_seed, *path) % len(items)]


def shuffled(items: Sequence[Item], rng_seed: int, *path: str) -> tuple[Item, ...]:
    """Return ``items`` in an order that depends on nothing but the seed, the path and their places."""
    keyed = sorted(range(len(items)), key=lambda place: derive_rng_seed(rng_seed, *path, str(place)))
    return tuple(items[place] for place in keyed)


_CONTENT_WORD = re.compile(r"\w{4,}")


def content_words(text: str) -> frozenset[str]:
    """Return the words of at least four letters, case-folded."""
    return frozenset(word.casefold() for word in _CONTENT_WORD.findall(text))


_OPTION_BREAK = re.compile(r",\s+or\s+|\s+or\s+|,\s+|\s+oder\s+", re.IGNORECASE)


def options_in(text: str) -> tuple[str, ...]:
    """Split a list of options (``A, B or C``) into its parts."""
    return tuple(part.strip(" ?.") for part in _OPTION_BREAK.split(text) if part.strip(" ?."))
