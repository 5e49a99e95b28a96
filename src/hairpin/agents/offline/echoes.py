"""The words of the user, for finding them again in a reply that only says them back.

It must not judge what saying them back is worth; ``agents.offline.replies`` does.
"""

from __future__ import annotations

import re

from hairpin.agents.offline.reading import read_user
from hairpin.agents.offline.text import readable, sentences
from hairpin.domain.conversation import normalise
from hairpin.domain.lexicon import Language

MAX_AROUND = 6
"""Words around a sentence of the user with which a reply still only says it back."""

MIN_WORDS = 3
"""Words of a sentence of the user that nobody repeats by chance."""

_FIRST_PERSON = {"you": "me", "your": "my", "yours": "mine"}
_SECOND_PERSON = re.compile(r"\b(?:you|your|yours)\b")
_NEWS = re.compile(r"\d")


class Heard:
    """One utterance, for comparison with the reply to it."""

    def __init__(self, said: str, language: Language) -> None:
        self._language = language
        self._said = _as_said(readable(said))
        spoken = dict.fromkeys((readable(said), *sentences(said)))
        self._wishes = tuple((_as_said(s), s.endswith("?")) for s in spoken if self._asks_for_something(s))

    def echoed_in(self, sentence: str) -> bool:
        """Whether ``sentence`` is a request in the words of the user."""
        if _as_said(sentence) not in self._said:
            return False
        reading = read_user(sentence, self._language)
        return bool(reading.requests or reading.unsafe)

    def around(self, sentence: str) -> str | None:
        """Return what ``sentence`` says around a sentence of the user, a few words; ``None`` if it says none back.

        A number is news, and a statement in the words of a question answers it.
        """
        spoken = _as_said(sentence)
        for words, asks in self._wishes:
            if words in spoken and ("?" in sentence or not asks):
                rest = spoken.replace(words, " ", 1)
                if len(rest.split()) <= MAX_AROUND and not _NEWS.search(rest):
                    return rest
        return None

    def _asks_for_something(self, sentence: str) -> bool:
        if len(sentence.split()) < MIN_WORDS:
            return False
        reading = read_user(sentence, self._language)
        return bool(reading.requests or reading.unsafe or reading.other)


def _as_said(text: str) -> str:
    """Return ``text`` for comparison with what was said to it: "near you" is "near me"."""
    return _SECOND_PERSON.sub(lambda match: _FIRST_PERSON[match.group()], normalise(text))
