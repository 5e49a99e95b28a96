"""Texts as encoders see them: of one form (``domain.texts``), each once, none blank.

Must not know any model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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


def alike_in_length(texts: Sequence[str], at_most: int, call_cost: float) -> Iterator[list[str]]:
    """Cut ``texts``, the shortest first, into pieces of at most ``at_most`` that a model encodes together.

    A model pads every text of a piece to the longest one. Where that would come to more than ``call_cost`` characters,
    another piece begins.
    """
    piece: list[str] = []
    padding = 0
    for text in texts:
        padding += (len(text) - len(piece[-1])) * len(piece) if piece else 0
        if piece and (len(piece) == at_most or padding > call_cost):
            yield piece
            piece, padding = [], 0
        piece.append(text)
    if piece:
        yield piece
