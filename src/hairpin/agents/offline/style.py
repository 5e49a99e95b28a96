"""How a persona dresses a sentence: phrases before and after it, from the persona pack.

What is said stays as it is; only the wrapping changes.
"""

from __future__ import annotations

from enum import StrEnum

from hairpin.agents.offline.text import pick
from hairpin.domain.users import Persona

PLACE = "{text}"
"""Where a phrase of a persona's style takes the sentence."""


class Manner(StrEnum):
    """What a sentence does, which is the key of a persona's style."""

    FIRST = "first"
    ASK = "ask"
    AGAIN = "again"
    ANSWER = "answer"


def dressed(text: str, manner: Manner, persona: Persona, *, rng_seed: int, t: int) -> str:
    """Return ``text`` as a full sentence in the persona's manner; without a phrase for it, as it is."""
    sentence = text.strip()
    if sentence[-1:] not in ".!?…":
        sentence += "."
    sentence = sentence[:1].upper() + sentence[1:]
    phrases = persona.style.get(manner, ())
    if not phrases:
        return sentence
    return pick(phrases, rng_seed, "style", manner, str(t)).replace(PLACE, sentence)
