"""Foreign rounds: questions of general knowledge that have nothing to do with a dialogue.

Where one is inserted, ``perturbations`` decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random
from typing import Final

from hairpin.metamorphic.drawing import pick
from hairpin.metamorphic.word_lists import word_set

FOREIGN_QUESTIONS: Final = (
    "What is seven times eight?",
    "How many days does February have in a leap year?",
    "Which planet is closest to the sun?",
    "What colour do you get when you mix blue and yellow?",
    "How many legs does a spider have?",
    "What is the freezing point of water in degrees Celsius?",
    "Which gas do plants take in from the air?",
    "How many strings does a violin have?",
    "What is the largest mammal on Earth?",
    "How many sides does a hexagon have?",
    "Which metal is liquid at room temperature?",
    "How many letters are there in the English alphabet?",
    "What do caterpillars turn into?",
    "How many minutes are there in two hours?",
    "Which bird is a symbol of peace?",
    "What is the square root of eighty-one?",
)
"""Each can be answered by anybody, in a word, without any context."""

_WORD: Final = re.compile(r"[a-z]{4,}")
_COMMON: Final = word_set("what which many does have there from when that with this were where your into")


def foreign_question(rng: Random, texts: Iterable[str]) -> str:
    """Return one that shares no longer word with ``texts``; any of them where all do."""
    used = {word for text in texts for word in _WORD.findall(text.casefold())} - _COMMON
    apart = [question for question in FOREIGN_QUESTIONS if not used & set(_WORD.findall(question.casefold()))]
    return pick(rng, apart or FOREIGN_QUESTIONS)
