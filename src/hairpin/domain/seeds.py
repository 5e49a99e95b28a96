"""Which new seed phrases are worth keeping: no phrase twice, and few of one pattern.

It writes none; a model or a person does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

MAX_PER_SKELETON: Final = 3
MAX_CHARS: Final = 300
"""A seed phrase is one thing said at the beginning, not a speech."""

_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD: Final = re.compile(r"[^\W\d_][\w'-]*|#")
_FIRST_PERSON: Final = re.compile(r"I(?:'\w+)?")
_SENTENCE_END: Final = ".!?"
_NAME_AFTER_NAME: Final = re.compile(r"@(?: (?:(?:am|an|der|die|das|im|of|und|zum|zur) )?@)+")


class Drop(StrEnum):
    """Why a phrase is not kept."""

    EMPTY = "empty"
    TOO_LONG = "too long"
    TWICE = "twice"
    ONE_PATTERN = "of one pattern"


class SeedSieve:
    """Takes phrases one after another and keeps those that add something; ``known`` are there already."""

    def __init__(self, known: Iterable[str] = (), *, max_per_skeleton: int = MAX_PER_SKELETON) -> None:
        self._max = max_per_skeleton
        self._seen: set[str] = set()
        self._shapes: Counter[str] = Counter()
        self.drops: Counter[Drop] = Counter()
        for text in known:
            self._note(text)

    def keep(self, text: str) -> bool:
        """Say whether ``text``, white space collapsed, is kept; why it is not is counted in ``drops``."""
        why = self._objection(text)
        if why is not None:
            self.drops[why] += 1
            return False
        self._note(text)
        return True

    def _objection(self, text: str) -> Drop | None:
        if not normalised(text):
            return Drop.EMPTY
        if len(text) > MAX_CHARS:
            return Drop.TOO_LONG
        if normalised(text) in self._seen:
            return Drop.TWICE
        return Drop.ONE_PATTERN if self._shapes[skeleton(text)] >= self._max else None

    def _note(self, text: str) -> None:
        self._seen.add(normalised(text))
        self._shapes[skeleton(text)] += 1


def normalised(text: str) -> str:
    """Return the words of ``text`` without case and punctuation: equal for phrases that are the same."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def skeleton(text: str) -> str:
    """Return ``text`` with names and numbers masked, in lower case and without punctuation.

    A number is a run of digits, also with ``:``, ``.`` or ``,`` inside (times, decimals). A name is a word with a
    capital that does not begin a sentence, except "I"; names side by side, also with a small word such as "am" between
    them, are one.
    """
    plain = _NUMBER.sub("#", text.replace("\u2019", "'"))
    masked = ("@" if _is_name(match) else match.group().lower() for match in _WORD.finditer(plain))
    return _NAME_AFTER_NAME.sub("@", " ".join(masked))


def _is_name(word: re.Match[str]) -> bool:
    if not word.group()[0].isupper() or _FIRST_PERSON.fullmatch(word.group()):
        return False
    before = word.string[: word.start()].rstrip(" \"'(\u201c\u2018")
    return bool(before) and before[-1] not in _SENTENCE_END
