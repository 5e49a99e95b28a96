"""The offline reference answerer: the few words of a story that share most with a question.

Deterministic; it knows nothing but the story and English function words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from hairpin.agents.offline import english
from hairpin.agents.offline.languages import refuse_unknown_language
from hairpin.agents.offline.noun_phrases import Token, content_stems, noun_phrases, stem, tokens
from hairpin.agents.offline.story_reader import ReadStory, StorySentence, names_in, read
from hairpin.domain.briefs import AnswerBrief

_ENOUGH: Final = 0.55
_MOST_WORDS: Final = 12
_YEAR: Final = re.compile(r"\b(?:in |since |by |around )?(?:1\d{3}|20\d{2})\b")
_NUMBER: Final = re.compile(r"\d[\d,.]*\d|\d")


class OfflineReferenceAnswerer:
    """Implements ``ports.ReferenceAnswerer`` by the best sentence of the story.

    Raises:
        InvalidInputError: a language other than English.
    """

    def __init__(self, language: str = english.LANGUAGE) -> None:
        refuse_unknown_language(language, role="reference_answerer")

    async def answer(self, brief: AnswerBrief) -> str:
        """Return a span of the story, yes or no, or ``unknown``."""
        return found.text if (found := find_answer(brief.reference_text, brief.question)) else english.UNKNOWN


@dataclass(frozen=True, slots=True)
class FoundAnswer:
    """A span of a story; ``support``: the share of the question's weight that its sentence has, from 0 to 1."""

    text: str
    support: float


@lru_cache(maxsize=8192)
def find_answer(story_text: str, question: str) -> FoundAnswer | None:
    """Return what ``story_text`` answers to ``question``, ``None`` when that cannot be told.

    A question about "he" or "she", or that ends in "it" or "there", does not stand alone, and has no answer. What was
    found is remembered: each rewrite of a question asks for the answers to all those before it.
    """
    story = read(story_text)
    wanted = content_stems(question)
    if not wanted or _leans_on_others(question):
        return None
    asked = _Asked.of(question)
    ranked = sorted(
        ((_support(story, wanted, s), _adjacent(wanted, s), -n, s) for n, s in enumerate(story.sentences)),
        key=lambda row: row[:3],
        reverse=True,
    )
    for support, _, _, sentence in ranked[:5]:
        if support < _ENOUGH:
            break
        span = _span(story, asked, set(wanted), sentence)
        if span:
            return FoundAnswer(span, support)
    return None


def _leans_on_others(question: str) -> bool:
    words = [token.lower for token in tokens(question) if token.is_word]
    return bool(words) and (words[-1] in ("it", "there") or any(word in english.PERSON_PRONOUNS for word in words))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What kind of answer a question wants: its wh-word, and the word after it."""

    wh: str
    of_what: str
    question: str

    @classmethod
    def of(cls, question: str) -> _Asked:
        words = [token.bare for token in tokens(question) if token.is_word]
        place = next((n for n, word in enumerate(words) if word in english.WH_WORDS), None)
        if place is None:
            return cls("yes/no" if words and words[0] in english.AUXILIARIES else "what", "", question)
        return cls(words[place].split("'")[0], words[place + 1] if place + 1 < len(words) else "", question)


def _support(story: ReadStory, wanted: tuple[str, ...], sentence: StorySentence) -> float:
    have = set(sentence.stems)
    total = sum(story.weight(word) for word in set(wanted))
    return sum(story.weight(word) for word in set(wanted) & have) / total


def _adjacent(wanted: tuple[str, ...], sentence: StorySentence) -> int:
    """Return how many neighbours of the question are neighbours in the sentence."""
    pairs = set(pairwise(sentence.stems))
    return sum(pair in pairs for pair in pairwise(wanted))


def _span(story: ReadStory, asked: _Asked, wanted: set[str], sentence: StorySentence) -> str | None:
    text = sentence.text
    if asked.wh == "yes/no":
        negated = bool({t.bare for t in tokens(text)} & english.NEGATIONS) or "n't" in text
        return "no" if negated else "yes"
    if asked.wh in ("who", "whom", "whose"):
        others = [name for name in names_in(text, story.genders) if not set(map(stem, name.split())) & wanted]
        return others[0] if others else None
    if asked.wh == "where":
        return _place(text, wanted)
    if asked.wh == "when":
        return _time(text)
    if asked.wh == "how" and asked.of_what in ("many", "much", "old", "long", "far", "tall", "high"):
        return _number(text)
    if asked.wh == "why":
        reason = re.search(r"\b(?:because|due to|so that|in order to)\b[^.;]*", text)
        return reason.group().strip() if reason else _longest_run(text, wanted)
    return _longest_run(text, wanted)


def _place(text: str, wanted: set[str]) -> str | None:
    places = [
        phrase
        for phrase in noun_phrases(text)
        if phrase.preposition in english.PLACE_PREPOSITIONS and not set(content_stems(phrase.text)) <= wanted
    ]
    known = [p for p in places if p.head not in english.DATES and not p.text.isdigit()]
    return f"{known[-1].preposition} {known[-1].text}".lstrip() if known else None


def _time(text: str) -> str | None:
    for phrase in noun_phrases(text):
        if set(phrase.text.lower().split()) & english.DATES:
            return f"{phrase.preposition} {phrase.text}".lstrip()
    year = _YEAR.search(text)
    return year.group() if year else None


def _number(text: str) -> str | None:
    digits = _NUMBER.search(text)
    if digits:
        return digits.group()
    return next((token.text for token in tokens(text) if token.lower in english.NUMBER_WORDS), None)


def _longest_run(text: str, wanted: set[str]) -> str | None:
    """Return the longest run of words that the question does not have, without function words at its ends."""
    runs, run = list[list[Token]](), list[Token]()
    for token in tokens(text):
        if token.is_word and stem(token.bare) not in wanted:
            run.append(token)
        else:
            runs.append(run)
            run = []
    trimmed = [t for t in (_trimmed(run) for run in (*runs, run)) if t]
    if not trimmed:
        return None
    best = max(trimmed, key=len)[:_MOST_WORDS]
    return text[best[0].start : best[-1].end]


def _trimmed(run: list[Token]) -> list[Token]:
    words = list(run)
    while words and words[-1].bare in english.FUNCTION_WORDS:
        words.pop()
    while words and words[0].bare in english.FUNCTION_WORDS - english.DETERMINERS:
        words.pop(0)
    return words if any(word.bare not in english.FUNCTION_WORDS for word in words) else []
