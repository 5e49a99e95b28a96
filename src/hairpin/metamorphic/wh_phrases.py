"""What a question asks for: "in what year" is a preposition, a wh-word and a noun.

The rest of the question is ``statements``'.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hairpin.domain.base import Value
from hairpin.metamorphic.question_words import AUXILIARIES, is_preposition, low, tensed
from hairpin.metamorphic.word_lists import word_set

_WH: Final = word_set("who whom what which when where why how")
_MAX_NOUNS: Final = 6
_LEAST: Final = ("many", "sons")
"""A count and what is counted."""
COUNTING: Final = frozenset({"many", "much"})


class Asked(Value):
    """What a wh-question asks for."""

    preposition: str
    wh: str
    noun: str


def asked_of(words: Sequence[str]) -> tuple[Asked | None, Sequence[str]]:
    """Return what is asked for, and the words after it."""
    preposition = low(words[0]) if len(words) > 1 and is_preposition(words[0]) and low(words[1]) in _WH else ""
    rest = words[1:] if preposition else words
    if not rest or low(rest[0]) not in _WH:
        return None, rest
    wh, rest = low(rest[0]), rest[1:]
    n_nouns = _n_nouns(wh, rest)
    return Asked(preposition=preposition, wh=wh, noun=" ".join(rest[:n_nouns])), rest[n_nouns:]


def _n_nouns(wh: str, rest: Sequence[str]) -> int:
    """Return how many words belong to the wh-word: "how many other people"."""
    if wh not in ("what", "which", "how"):
        return 0
    window = rest[: _MAX_NOUNS + 1]
    auxiliary = next((place for place, word in enumerate(window) if low(word) in AUXILIARIES), None)
    if auxiliary is not None and (wh == "how" or (tensed(rest[0]) or ("", ""))[0] != "did"):
        return auxiliary
    finite = next((place for place, word in enumerate(window) if _is_finite_after(wh, place, word)), None)
    if finite is not None:
        return finite
    return 0 if len(rest) > 1 and wh != "how" else len(rest)


def _is_finite_after(wh: str, place: int, word: str) -> bool:
    """Whether the verb of "how many people live", "what causes" is ``word``; of a count only the past is sure."""
    finite = tensed(word)
    if finite is None or (wh == "how" and place < len(_LEAST)):
        return False
    return wh != "how" or finite[0] == "did"


def counted(asked: Asked, phrase: str) -> str:
    """Return the answer with what it counts: "three" to "how many sons" is "three sons"."""
    words = asked.noun.split()
    if asked.wh == "how" and words[:1] and low(words[0]) in COUNTING and len(words) > 1 and len(phrase.split()) == 1:
        return f"{phrase} {' '.join(words[1:])}"
    return phrase
