"""Texts as encoders see them: of one form, each once, none blank.

Must not know any model.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_INVISIBLE: Final = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})


def normalised(text: str) -> str:
    """Return ``text`` in NFC with single spaces; half characters, which no tokenizer takes, become U+FFFD."""
    return " ".join(unicodedata.normalize("NFC", _LONE_SURROGATE.sub("\ufffd", text)).split())


def is_blank(text: str) -> bool:
    """Whether nothing of ``text`` can be seen."""
    return all(unicodedata.category(char) in _INVISIBLE for char in text)


def distinct(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the distinct normalised texts in order of their first use, and for each of ``texts`` its place in them.

    Raises:
        ValueError: a text is blank: no answer is no vector.
        TypeError: ``texts`` is one text, which would be taken for a sequence of characters.
    """
    if isinstance(texts, str):
        raise TypeError(f"one text is no sequence of texts: {texts[:40]!r}; put it into a list")
    places: dict[str, int] = {}
    where: list[int] = []
    for number, text in enumerate(texts):
        if is_blank(text):
            raise ValueError(f"text {number} of {len(texts)} is blank: {text[:40]!r}; leave it out, it has no vector")
        where.append(places.setdefault(normalised(text), len(places)))
    return list(places), where
