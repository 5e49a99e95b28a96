"""METAL's four relations on one question: words replaced by synonyms, a word added, typos, leet.

Our own implementation from the papers' descriptions. Which question is changed, and in what context it is asked, is
decided elsewhere.

The papers give no rates; ours, per question, of the words that a relation can change, rounded half up, one at least:

* ``synonym``: 0.5 of the words in ``synonyms`` get another of their group, in the same inflected form;
* ``word``: one unrelated noun for every ten words, anywhere before the last;
* ``typo``: 0.3 of the words with four letters or more get one typo each: two letters swapped, one left out, doubled, or
  replaced by its neighbour on the keyboard;
* ``leet``: every a, e, i, o, s and t of every word becomes 4, 3, 1, 0, 5 or 7.

``paper`` may change any word, as METAL does, so that "What is Pear a gene?" can come of it. ``careful`` leaves
wh-words, names (capitalised words that do not begin the question), numbers and negations as they are, and puts the
added word in front of the question instead of into it.

Source: MORTAR, section IV-C and V-E1; METAL: Hyun et al., 2024.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from random import Random
from typing import Final

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.relations import MetalMode
from hairpin.metamorphic.drawing import below, generator, pick, subset
from hairpin.metamorphic.perturbations import n_changed
from hairpin.metamorphic.refusal import Refused
from hairpin.metamorphic.synonyms import SYNONYMS
from hairpin.metamorphic.word_lists import word_set


class MetalRelation(StrEnum):
    """Which change of a question must leave its answer as it is."""

    SYNONYM = "synonym"
    WORD = "word"
    TYPO = "typo"
    LEET = "leet"


class MetalRates(Value):
    """How much of a question is changed: shares of the words that can be, in (0, 1]; see the module."""

    synonyms: float = Field(default=0.5, gt=0, le=1)
    added: float = Field(default=0.1, gt=0, le=1)
    typos: float = Field(default=0.3, gt=0, le=1)
    leet: float = Field(default=1.0, gt=0, le=1)


RATES: Final = MetalRates()

_ADDED_WORDS: Final = """
pear button ladder pillow carpet spoon candle basket bottle hammer blanket umbrella teapot curtain cushion drawer
envelope feather garlic hedge jacket kettle lantern marble napkin onion pepper ribbon saddle towel velvet walnut
zipper anchor bucket cabbage dumpling easel fiddle goblet hinge igloo jelly kite lemon mustard nutmeg oar pancake
quilt radish scarf thimble vase whistle yarn acorn brush comb dice
"""
ADDED_WORDS: Final = tuple(_ADDED_WORDS.split())
"""What ``word`` adds: things that questions seldom are about."""

_WORD: Final = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_WH: Final = word_set("who whom whose what which when where why how")
_NEGATION: Final = re.compile(r"not|no|never|none|nobody|nothing|nowhere|neither|nor|without|cannot|.*n['’]t")
_LEET: Final = str.maketrans("aeiostAEIOST", "431057431057")
_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_MIN_TYPO: Final = 4
_VOWELS: Final = "aeiou"


def change(
    question: str, relation: MetalRelation, mode: MetalMode, *, rng_seed: int, rates: MetalRates = RATES
) -> str | Refused:
    """Return ``question`` changed, never equal to it; the same for the same ``rng_seed``, whatever else is changed."""
    rng = generator(rng_seed, "metal", relation.value)
    words = [match for match in _WORD.finditer(question) if mode is MetalMode.PAPER or not _protected(match, question)]
    if relation is MetalRelation.WORD:
        return _with_word(question, mode, rng, rates.added)
    fits, rewrite, rate, lacking = _relation(relation, rates)
    chosen = [word for word in words if fits(word[0])]
    if not chosen:
        return Refused(reason=lacking)
    return _replaced(question, chosen, rewrite, rng, rate)


def _relation(
    relation: MetalRelation, rates: MetalRates
) -> tuple[Callable[[str], bool], Callable[[str, Random], str], float, str]:
    """Return which words fit, what becomes of one, of how many of them, and what is said when none fits."""
    if relation is MetalRelation.SYNONYM:
        return _has_synonym, _synonym, rates.synonyms, "no word with a known synonym"
    if relation is MetalRelation.TYPO:
        return _takes_typo, _typo, rates.typos, f"no word of {_MIN_TYPO} letters or more to mistype"
    return _takes_leet, lambda word, _: _leet(word), rates.leet, "no letter that leet writes otherwise"


def _replaced(
    question: str, words: Sequence[re.Match[str]], rewrite: Callable[[str, Random], str], rng: Random, rate: float
) -> str:
    chosen = subset(rng, words, min(n_changed(rate, len(words)), len(words)))
    parts, end = [], 0
    for word in sorted(chosen, key=lambda match: match.start()):
        new = rewrite(word[0], rng)
        parts += [_article_fitted(question[end : word.start()], new), new]
        end = word.end()
    return "".join([*parts, question[end:]])


def _protected(word: re.Match[str], question: str) -> bool:
    text, first = word[0].casefold(), not _WORD.search(question[: word.start()])
    if text in _WH or text.split("'")[0].split("’")[0] in _WH or _NEGATION.fullmatch(text):
        return True
    return any(letter.isdigit() for letter in text) or (not first and not word[0].islower())


def _with_word(question: str, mode: MetalMode, rng: Random, rate: float) -> str | Refused:
    words = question.split()
    if not words:
        return Refused(reason="no words")
    added = subset(rng, ADDED_WORDS, min(n_changed(rate, len(words)), len(ADDED_WORDS)))
    if mode is MetalMode.CAREFUL:
        return f"{', '.join(added).capitalize()}. {question}"
    for word in added:
        words.insert(below(rng, len(words)), word)
    return " ".join(words)


def _has_synonym(word: str) -> bool:
    return word.casefold() in SYNONYMS


def _synonym(word: str, rng: Random) -> str:
    new = pick(rng, SYNONYMS[word.casefold()])
    return new.capitalize() if word[0].isupper() else new


def _article_fitted(before: str, new: str) -> str:
    """Return the text before a replaced word with its indefinite article as ``new`` wants it."""
    match = re.search(r"\b([Aa])n?(\s+)$", before)
    if match is None:
        return before
    article = match[1] + ("n" if new[0].casefold() in _VOWELS else "")
    return before[: match.start()] + article + match[2]


def _takes_typo(word: str) -> bool:
    return len(word) >= _MIN_TYPO and word.isalpha()


def _typo(word: str, rng: Random) -> str:
    """Return ``word`` with one typo after its first letter."""
    at = 1 + below(rng, len(word) - 2)
    before, letter, after = word[:at], word[at], word[at + 1 :]
    typos = (
        before + after[0] + letter + after[1:],
        before + after,
        before + letter + letter + after,
        before + _neighbour(letter, rng) + after,
    )
    first = below(rng, len(typos))
    return next(typo for typo in (*typos[first:], *typos[:first]) if typo != word)


def _neighbour(letter: str, rng: Random) -> str:
    """Return a letter beside ``letter`` on the keyboard; ``letter`` itself if it is not there."""
    small = letter.casefold()
    row = next((row for row in _ROWS if small in row), "")
    beside = [row[near] for near in (row.find(small) - 1, row.find(small) + 1) if row and 0 <= near < len(row)]
    new = pick(rng, beside or [letter])
    return new.upper() if letter.isupper() else new


def _takes_leet(word: str) -> bool:
    return _leet(word) != word


def _leet(word: str) -> str:
    return word.translate(_LEET)
