"""Texts as encoders see them: of one form (``domain.texts``), each once, none blank.

Must not know any model.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.domain.texts import is_blank as is_blank
from hairpin.domain.texts import normalised as normalised


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
