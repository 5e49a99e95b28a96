"""Words, stems and noun phrases of English sentences, by closed classes of words alone.

It must not know what was said before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Final

from hairpin.agents.offline import english

_TOKEN: Final = re.compile(r"[^\W_](?:[\w'’&.\-]*\w)?|[^\w\s]")
_POSSESSIVE: Final = re.compile(r"(?:['’]s|(?<=s)['’])$")
_LEAST_STEM: Final = 3
_LEAST_PHRASE: Final = 2
_ENDINGS: Final = ("ingly", "edly", "ings", "ing", "ers", "er", "ied", "ies", "ed", "es", "ly", "s", "e")


@dataclass(frozen=True, slots=True)
class Token:
    """A word or mark, and where it stands."""

    text: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        """Return it in small letters, with a straight apostrophe."""
        return self.text.lower().replace("’", "'")

    @property
    def bare(self) -> str:
        """Return it in small letters without a possessive ending."""
        return _POSSESSIVE.sub("", self.lower)

    @property
    def is_word(self) -> bool:
        """Whether it is no mark."""
        return self.text[0].isalnum()

    @property
    def capital(self) -> bool:
        """Whether it begins with a capital letter."""
        return self.text[0].isupper()


@dataclass(frozen=True, slots=True, kw_only=True)
class NounPhrase:
    """A noun phrase: ``text`` without possessive ending, ``preposition`` before it or ``""``, and where it stands.

    ``name``: all its words but articles are capitalised. ``owned``: it is what "of" or "for" follows.
    """

    text: str
    start: int
    end: int
    preposition: str = ""
    name: bool = False
    owned: bool = False

    @property
    def head(self) -> str:
        """Return the last word, in small letters."""
        return self.text.lower().split()[-1]

    @property
    def core(self) -> str:
        """Return the words without a determiner, in small letters."""
        words = self.text.lower().split()
        return " ".join(words[1:] if len(words) > 1 and words[0] in english.DETERMINERS else words)

    @property
    def plural(self) -> bool:
        """Whether it looks like more than one."""
        return self.head.endswith("s") and not self.head.endswith(("ss", "us", "is"))


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[Token, ...]:
    """Return the words and marks of ``text``."""
    return tuple(Token(text=m.group(), start=m.start(), end=m.end()) for m in _TOKEN.finditer(text))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return what forms of one word have in common, roughly."""
    word = _POSSESSIVE.sub("", word.lower().replace("’", "'"))
    word = english.PASTS.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            word = word[: -len(ending)]
            break
    while len(word) > _LEAST_STEM and (word[-1] == word[-2] or word[-1] in "yi"):
        word = word[:-1]
    return word


def content_stems(text: str) -> tuple[str, ...]:
    """Return the stems of the words of ``text`` that carry subject matter, in order."""
    return tuple(stem(t.bare) for t in tokens(text) if t.is_word and t.bare not in english.FUNCTION_WORDS)


@lru_cache(maxsize=8192)
def noun_phrases(text: str) -> tuple[NounPhrase, ...]:
    """Return the noun phrases of a question or sentence, in order; pronouns are none."""
    found, run = list[NounPhrase](), list[Token]()
    every = tokens(text)
    for place, token in enumerate(every):
        before, after = every[place - 1 : place] if place else (), every[place + 1 : place + 2]
        if not _is_infinitive(before, after) and _goes_on(token, run, before[0] if before else None, after):
            run.append(token)
            if token.lower != token.bare:
                _close(text, run, every, found)
            continue
        _close(text, run, every, found)
        if token.lower in english.DETERMINERS and token.lower not in english.POSSESSIVES and token.bare != "that":
            run.append(token)
    _close(text, run, every, found)
    return tuple(found)


def subject_of(text: str) -> str:
    """Return who or what does it in ``text``, words after an auxiliary: "the king" of "the king marry"."""
    words = [token for token in tokens(text) if token.is_word]
    if not words:
        return ""
    phrases = noun_phrases(text)
    if words[0].lower in english.DETERMINERS and phrases and phrases[0].start == words[0].start:
        inside = [word for word in words if word.end <= phrases[0].end]
        whole = phrases[0].end == words[-1].end and len(inside) > _LEAST_PHRASE
        return text[words[0].start : inside[-2 if whole else -1].end]
    capitals = list(takewhile(lambda word: word.capital, words))
    return text[words[0].start : (capitals or words)[-1 if capitals else 0].end]


def _goes_on(token: Token, run: list[Token], before: Token | None, after: tuple[Token, ...]) -> bool:
    if not token.is_word:
        return False
    if token.text.isupper() and len(token.text) > 1:
        return True
    if token.capital and before is not None and before.text not in _ENDS:
        return token.lower not in english.PRONOUNS and token.lower not in english.WH_WORDS
    if token.bare == "of" and run and run[-1].capital and after and after[0].capital:
        return True
    determined = bool(run) and run[0].lower in english.DETERMINERS and run[0].lower not in english.WH_WORDS
    if token.bare in english.FUNCTION_WORDS:
        return determined and len(run) == 1 and token.bare in _ADJECTIVAL
    if not is_verb(token.bare):
        return True
    last = not after or not after[0].is_word or after[0].lower in english.PREPOSITIONS
    return determined and (len(run) == 1 or last)


def _is_infinitive(before: tuple[Token, ...], after: tuple[Token, ...]) -> bool:
    """Whether "to" stands before, and after it what only follows a verb: "to fix it"."""
    takes_object = english.PRONOUNS | english.DETERMINERS
    return bool(before) and before[0].lower == "to" and bool(after) and after[0].lower in takes_object


def is_verb(word: str) -> bool:
    """Whether ``word``, in small letters, is a form of a verb of questions."""
    return word in english.VERBS or stem(word) in _VERB_STEMS


def _close(text: str, run: list[Token], every: tuple[Token, ...], found: list[NounPhrase]) -> None:
    words = list(run)
    run.clear()
    while words and _is_no_head(words):
        words.pop()
    if not words:
        return
    before = [t for t in every if t.end <= words[0].start]
    after = next((t for t in every if t.start >= words[-1].end), None)
    content = [t for t in words if t.lower not in english.DETERMINERS and t.lower != "of"]
    found.append(
        NounPhrase(
            text=_POSSESSIVE.sub("", text[words[0].start : words[-1].end]),
            preposition=before[-1].lower if before and before[-1].lower in english.PREPOSITIONS else "",
            start=words[0].start,
            end=words[-1].end,
            name=all(t.capital for t in content) and words[0].start > 0,
            owned=after is not None and after.lower in ("of", "for"),
        )
    )


def _is_no_head(words: list[Token]) -> bool:
    word = words[-1].bare
    if words[-1].capital and words[-1].start > 0:
        return False
    return word in english.PREDICATES or word.endswith("ed") or word in english.FUNCTION_WORDS


_ENDS: Final = frozenset(".?!")
_ADJECTIVAL: Final = frozenset({"first", "most", "more", "long", "early", "other"})
_VERB_STEMS: Final = frozenset(stem(verb) for verb in english.VERBS)
