"""The numbers that an answer names, in digits or in English words.

It must not compare answers; ``metamorphic.answer_words`` does.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

_TOKEN: Final = re.compile(r"(?<![\d.,])[-−](?=\d)|\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_UNITS: Final = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SMALL: Final = {word: number for number, word in enumerate(_UNITS)} | {
    word: 10 * number for number, word in enumerate(_TENS, start=2)
}
_LARGE: Final = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_NO_NUMBER_BEFORE_ONE: Final = frozenset(
    [
        "a",
        "an",
        "any",
        "another",
        "each",
        "either",
        "every",
        "neither",
        "no",
        "other",
        "some",
        "that",
        "the",
        "these",
        "this",
        "those",
        "which",
    ]
)
"""'The one', 'no one', 'which one' name no number."""


def numbers(text: str) -> frozenset[Decimal]:
    """Return the numbers that ``text`` names; 'one' only where it counts something or is all that is said."""
    return frozenset(_numbers(_tokens(text)))


def is_bare_number(text: str) -> bool:
    """Whether ``text`` is one number and nothing else."""
    tokens = _tokens(text)
    return bool(tokens) and all(_is_number_word(token) for token in tokens) and len([*_numbers(tokens)]) == 1


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())


def _is_number_word(token: str) -> bool:
    return token[0].isdecimal() or token in ("-", "−", "and") or token in _SMALL or token in _LARGE


def _numbers(tokens: Sequence[str]) -> Iterator[Decimal]:
    place = 0
    while place < len(tokens):
        if tokens[place][0].isdecimal():
            minus = place > 0 and tokens[place - 1] in ("-", "−")
            value, place = _times_large(tokens, place + 1, _in_digits(tokens[place]))
            yield -value if minus else value
        elif _starts_a_number(tokens, place):
            words, place = _run_of_words(tokens, place)
            yield from _in_words(words)
        else:
            place += 1


def _in_digits(token: str) -> Decimal:
    if _THOUSANDS.fullmatch(token):
        return Decimal(token.replace(",", ""))
    whole, *rest = re.split("[.,]", token)
    return Decimal(f"{whole}.{rest[0]}" if len(rest) == 1 else "".join((whole, *rest)))


def _times_large(tokens: Sequence[str], place: int, value: Decimal) -> tuple[Decimal, int]:
    """Read '3 million'."""
    while place < len(tokens) and tokens[place] in _LARGE:
        value, place = value * _LARGE[tokens[place]], place + 1
    return value, place


def _starts_a_number(tokens: Sequence[str], place: int) -> bool:
    word = tokens[place]
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    if word in ("a", "an"):
        return after in _LARGE
    if word != "one":
        return word in _SMALL or word in _LARGE
    if after in _SMALL or after in _LARGE or len(tokens) == 1:
        return True
    return after not in (None, "of", "another") and (place == 0 or tokens[place - 1] not in _NO_NUMBER_BEFORE_ONE)


def _run_of_words(tokens: Sequence[str], place: int) -> tuple[list[str], int]:
    """Return the words of numbers from ``place`` on; 'and' only inside ('two hundred and five')."""
    words = ["one"] if tokens[place] in ("a", "an") else [tokens[place]]
    place += 1
    while place < len(tokens):
        word = tokens[place]
        inside = word == "and" and words[-1] in _LARGE and place + 1 < len(tokens) and tokens[place + 1] in _SMALL
        if not inside and word not in _SMALL and word not in _LARGE:
            break
        words += [] if inside else [word]
        place += 1
    return words, place


def _in_words(words: Sequence[str]) -> Iterator[Decimal]:
    """Yield the numbers of a run of number words: 'two hundred five' is one, 'two three' are two."""
    total, part, last = 0, 0, ""
    for word in words:
        if word in _LARGE:
            scale = _LARGE[word]
            total, part = (total, max(part, 1) * scale) if scale == 100 else (total + max(part, 1) * scale, 0)
        elif not last or last in _LARGE or _joins(last, word):
            part += _SMALL[word]
        elif _is_a_year(total, part, word):
            part = 100 * part + _SMALL[word]
        else:
            yield Decimal(total + part)
            total, part = 0, _SMALL[word]
        last = word
    yield Decimal(total + part)


def _joins(last: str, word: str) -> bool:
    return last in _TENS and 0 < _SMALL[word] < 10


def _is_a_year(total: int, part: int, word: str) -> bool:
    """Whether it is read in pairs: 'nineteen ninety', 'twenty twelve'."""
    return total == 0 and 11 <= part <= 20 and _SMALL[word] >= 10
