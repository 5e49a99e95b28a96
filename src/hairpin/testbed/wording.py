"""Wording sets: the sentences of the assistant, and how a phrase is put into words.

It must not decide what is said. The sets are data files, all with the same keys and slots.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from pydantic import TypeAdapter

from hairpin.domain.rng import derive_rng_seed
from hairpin.errors import UnknownReferenceError

IN_SAMPLE_WORDINGS = ("plain", "warm", "terse")
HELD_OUT_WORDING = "formal"
"""Never drawn, and never looked at by those who build judges: it shows how they do on words they do not know."""

WORDINGS = (*IN_SAMPLE_WORDINGS, HELD_OUT_WORDING)

_SLOT = re.compile(r"\{(\w+)\}")
_SENTENCE_START = re.compile(r"(?:^|(?<=[.!?] ))[^\W\d_]")
_FILE = TypeAdapter(dict[str, str])


@dataclass(frozen=True, slots=True)
class Phrase:
    """Something said, without words: the key of a sentence or term, and what goes into its slots."""

    key: str
    slots: Mapping[str, str | Phrase | Listing] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Listing:
    """An enumeration; ``word`` stands before the last item."""

    items: tuple[str | Phrase, ...]
    word: str = "and"


class Wording:
    """One wording set.

    Args:
        name: how it is called.
        sentences: a text with slots for each key.
    """

    def __init__(self, name: str, sentences: Mapping[str, str]) -> None:
        self.name = name
        self.sentences = dict(sentences)

    def say(self, phrases: tuple[Phrase, ...]) -> str:
        """Return the phrases as sentences, each with a capital first letter."""
        text = " ".join(self.render(phrase) for phrase in phrases).replace(" 1 minutes", " 1 minute")
        return _SENTENCE_START.sub(lambda m: m[0].upper(), text)

    def render(self, part: str | Phrase | Listing) -> str:
        """Return one part in words. Raises KeyError for an unknown key or an empty slot."""
        if isinstance(part, str):
            return part
        if isinstance(part, Listing):
            return joined([self.render(item) for item in part.items], part.word)
        slots = {name: self.render(value) for name, value in part.slots.items()}
        return self.sentences[part.key].format_map(slots)


def slots(sentence: str) -> frozenset[str]:
    """Return the names of the slots in ``sentence``."""
    return frozenset(_SLOT.findall(sentence))


def joined(items: list[str], word: str) -> str:
    """Return "a", "a and b", "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


@cache
def load_wording(name: str) -> Wording:
    """Return the wording set called ``name``.

    Raises:
        UnknownReferenceError: there is no such set.
    """
    if name not in WORDINGS:
        raise UnknownReferenceError("wording", name, where="testbed", known=WORDINGS)
    text = files("hairpin.testbed").joinpath("wordings", f"{name}.json").read_text(encoding="utf-8")
    return Wording(name, _FILE.validate_json(text))


def draw_wording(rng_seed: int) -> Wording:
    """Return the wording set of a session, one of those in sample."""
    return load_wording(IN_SAMPLE_WORDINGS[derive_rng_seed(rng_seed, "testbed", "wording") % len(IN_SAMPLE_WORDINGS)])
