"""A story as offline agents read it: its sentences with pronouns put into names, its people, how rare each word is.

It must not answer questions.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from hairpin.agents.offline import english
from hairpin.agents.offline.noun_phrases import Token, content_stems, tokens
from hairpin.agents.offline.text import sentences

_SAID_OUTRIGHT = 5
_MOST_READ = 60_000
_BE = frozenset({"is", "was"})


@dataclass(frozen=True, slots=True)
class StorySentence:
    """A sentence with names for pronouns, and the stems of its words that carry subject matter, in order."""

    text: str
    stems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadStory:
    """A story: its sentences, its people with ``m`` or ``f`` or ``None``, other names, and the weight of each stem."""

    sentences: tuple[StorySentence, ...]
    genders: Mapping[str, str | None]
    weights: Mapping[str, float]

    def weight(self, word_stem: str) -> float:
        """Return how much a word tells: the rarer in the story, the more."""
        return self.weights.get(word_stem, math.log(1 + len(self.sentences)) + 0.1)

    def gender(self, name: str) -> str | None:
        """Return ``m`` or ``f`` of a person, by the first of the names that tells, ``None`` when none does."""
        return next((self.genders[word] for word in name.split() if self.genders.get(word)), None)


@lru_cache(maxsize=64)
def read(text: str) -> ReadStory:
    """Return ``text`` read. Of a very long one only the beginning is."""
    raw = [s for paragraph in text[:_MOST_READ].splitlines() for s in sentences(paragraph)]
    names = _names(raw)
    genders = _genders(raw, names)
    expanded = _expanded(raw, names, genders)
    parsed = tuple(StorySentence(sentence, content_stems(sentence)) for sentence in expanded)
    in_how_many = Counter(word for sentence in parsed for word in set(sentence.stems))
    weights = {word: math.log((1 + len(parsed)) / n) + 0.1 for word, n in in_how_many.items()}
    return ReadStory(parsed, genders, weights)


def names_in(text: str, known: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names of ``known`` in ``text``, as runs of capitalised words, in order."""
    found, run = list[str](), list[str]()
    for token in (*tokens(text), Token(".", len(text), len(text))):
        word = token.text.removesuffix("'s").removesuffix("’s")
        if token.is_word and token.capital and any(word in name.split() for name in known):
            run.append(word)
            if word == token.text:
                continue
        if run:
            found.append(" ".join(run))
        run = []
    return tuple(found)


def _names(raw: list[str]) -> dict[str, None]:
    """Return the capitalised words that stand for somebody or something, by how they are used."""
    inside, small, first = Counter[str](), set[str](), Counter[str]()
    for sentence in raw:
        words = [token for token in tokens(sentence) if token.is_word]
        for place, token in enumerate(words):
            word = token.text.removesuffix("'s").removesuffix("’s")
            if not token.capital:
                small.add(word.lower())
            elif place:
                inside[word] += 1
            else:
                introduced = len(words) > 1 and (words[1].lower in _BE or words[1].capital)
                first[word] += 2 if introduced else 1
    dates = english.WEEKDAYS | english.MONTHS
    usable = [w for w in (*inside, *(w for w, n in first.items() if n > 1)) if w.lower() not in english.FUNCTION_WORDS]
    return dict.fromkeys(w for w in usable if w.lower() not in dates and (w in inside or w.lower() not in small))


def _genders(raw: list[str], names: Mapping[str, object]) -> dict[str, str | None]:
    votes: dict[str, Counter[str]] = {name: Counter() for name in names}
    subject: str | None = None
    for sentence in raw:
        words = [token for token in tokens(sentence) if token.is_word]
        here = [w.bare for w in words]
        named = [w.text.removesuffix("'s") for w in words if w.text.removesuffix("'s") in names]
        if named and not set(here[:3]) & english.PERSON_PRONOUNS.keys():
            subject = named[0]
        _vote_outright(words, names, votes)
        if subject is not None:
            for word in here:
                if word in english.PERSON_PRONOUNS:
                    votes[subject][english.PERSON_PRONOUNS[word]] += 1
    return {name: _majority(counted) for name, counted in votes.items()}


def _vote_outright(words: list[Token], names: Mapping[str, object], votes: dict[str, Counter[str]]) -> None:
    """Count "Mina is a woman" and "her sister is Mina", "King Karl" and "the king, Karl"."""
    for place, token in enumerate(words):
        gender = "m" if token.bare in english.MALE else "f" if token.bare in english.FEMALE else None
        if gender is None:
            continue
        before = words[max(0, place - 4) : place]
        after = words[place + 1 : place + 3]
        for name in _called(before, after):
            if name in names:
                votes[name][gender] += _SAID_OUTRIGHT


def _called(before: list[Token], after: list[Token]) -> list[str]:
    """Return the names of who is called by the noun between ``before`` and ``after``."""
    if len(before) > 1 and before[-1].lower in ("a", "an", "the") and before[-2].lower in _BE:
        return [token.text for token in takewhile(lambda token: token.capital, reversed(before[:-2]))]
    if after and after[0].capital:
        return [after[0].text]
    return [after[1].text] if len(after) > 1 and after[0].lower in _BE else []


def _majority(votes: Counter[str]) -> str | None:
    if votes["m"] == votes["f"]:
        return None
    return "m" if votes["m"] > votes["f"] else "f"


def _expanded(raw: list[str], names: Mapping[str, object], genders: Mapping[str, str | None]) -> list[str]:
    """Return the sentences with the last subject of that gender for each pronoun."""
    last: dict[str, str] = {}
    lines: list[str] = []
    for sentence in raw:
        words = tokens(sentence)
        line, end = "", 0
        for place, token in enumerate(words):
            gender = english.PERSON_PRONOUNS.get(token.lower)
            name = last.get(gender or "")
            if name is None:
                continue
            owner = token.lower == "his" or (token.lower == "her" and _followed_by_noun(words[place + 1 : place + 2]))
            line += sentence[end : token.start] + (f"{name}'s" if owner else name)
            end = token.end
        line += sentence[end:]
        lines.append(line)
        subject = next(iter(names_in(line, names)), None)
        gender = None if subject is None else next((genders[w] for w in subject.split() if genders.get(w)), None)
        if subject is not None and gender is not None:
            last[gender] = subject
    return lines


def _followed_by_noun(after: tuple[Token, ...]) -> bool:
    return bool(after) and after[0].is_word and after[0].lower not in english.FUNCTION_WORDS
