"""Requests to an assistant, and which of the earlier ones bear on a question.

What is asked later depends on what was requested before only if both are about the same, by the words they share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hairpin.agents.offline import english
from hairpin.agents.offline.noun_phrases import stem, tokens

_SUBSTANCE: Final = frozenset(map(stem, english.SUBSTANCE_VERBS))
_SWITCHES: Final = frozenset({"on", "off", "open", "close", "start", "stop"})
_WAY: Final = stem("way")
_POLITE: Final = frozenset({"can", "could", "would", "will"})


def is_request(text: str) -> bool:
    """Whether ``text`` wants something done or states something, rather than asks for words."""
    words = [token.bare for token in tokens(text) if token.is_word]
    asks_politely = bool(words) and words[0] in _POLITE and words[1:2] == ["you"]
    left = [word for word in words if word not in english.REQUEST_FRAMES]
    if not left or left[0] in english.ASKING_VERBS or left[0] in english.WH_WORDS:
        return False
    if text.rstrip().endswith("?"):
        return asks_politely
    return words[0] not in english.AUXILIARIES or asks_politely


def bearing_requests(question: str, earlier: Sequence[str]) -> tuple[str, ...]:
    """Return the requests of ``earlier`` that are about what ``question`` is about, in order, without a full stop.

    One that sets anew what another one set, by a number or a switch, takes its place.
    """
    if is_request(question):
        return ()
    about = _subjects(question)
    bearing = list[str]()
    for text in earlier:
        if is_request(text) and about & (subjects := _subjects(text)):
            if _is_absolute(text):
                bearing = [other for other in bearing if _subjects(other) != subjects]
            bearing.append(text.strip().rstrip(".!?").strip())
    return tuple(f"{text[0].lower()}{text[1:]}" for text in bearing)


def _subjects(text: str) -> frozenset[str]:
    words = [token.bare for token in tokens(text) if token.is_word and not token.text[0].isdigit()]
    stems = {stem(_attribute(word)) for word in words if word in english.ATTRIBUTES or _carries(word)}
    moving = "to" in words and any(word in english.MOTION_VERBS for word in words[: words.index("to")])
    way = {_WAY} if moving or any(word in english.WAY_WORDS for word in words) else set()
    return frozenset(stems - _SUBSTANCE | way)


def _carries(word: str) -> bool:
    return word not in english.FUNCTION_WORDS and word not in english.REQUEST_FRAMES


def _attribute(word: str) -> str:
    for base in (word, word.removesuffix("er"), word.removesuffix("r"), word.removesuffix("est")):
        if base in english.ATTRIBUTES:
            return english.ATTRIBUTES[base]
    return word


def _is_absolute(text: str) -> bool:
    words = [token.bare for token in tokens(text) if token.is_word]
    number = any(word[0].isdigit() for word in words) and "by" not in words
    return number or bool(_SWITCHES & set(words))
