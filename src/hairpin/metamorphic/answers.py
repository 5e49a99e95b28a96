"""Answers as parts of a sentence: whether one can be put into a statement, and how it is worded there.

Whether an answer is right is not its business.
"""

from __future__ import annotations

import re
from typing import Final

from hairpin.domain.conversation import normalise
from hairpin.metamorphic.clauses import is_date_word
from hairpin.metamorphic.question_words import AUXILIARIES, DETERMINERS, PREPOSITIONS, PRONOUNS, is_participle
from hairpin.metamorphic.refusal import Refused

MAX_ANSWER_WORDS: Final = 10
"""Longer answers are sentences of their own more often than parts of one."""

_SMALL: Final = DETERMINERS | PREPOSITIONS | frozenset({"because", "when", "while", "if"})
_UNKNOWN: Final = frozenset({"unknown", "i don't know", "none", "nothing", "nobody", "no one", "not mentioned"})
_CAUSES: Final = ("because", "to", "due", "so", "in order", "for", "since", "out of")
_WAYS: Final = ("by", "with", "in", "through", "from", "on", "via", "using", "like", "as", "under", "without")
_MONTH_DAY: Final = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)?\b")
_SHORT_YES: Final = re.compile(rf"(?:he|she|it|they|we|i|you) (?:{'|'.join(sorted(AUXILIARIES))})")
_CLOCK: Final = re.compile(r"(?i)\bo'clock|\d:\d\d|\b[ap]\.?m\b|noon|midnight")
_LAST_OR_NEXT: Final = frozenset({"last", "next", "this", "yesterday", "today", "tomorrow", "now", "soon", "every"})


def is_yes(answer: str) -> bool:
    """Whether an answer says yes, or "he did"."""
    return _SHORT_YES.fullmatch(normalise(answer)) is not None or normalise(answer).split(",")[0].split(".")[0].split(
        " "
    )[0] in ("yes", "yeah", "yep")


def is_no(answer: str) -> bool:
    """Whether an answer says no."""
    return normalise(answer).split(",")[0].split(".")[0].split(" ")[0] in ("no", "nope", "not")


def phrase_of(answer: str) -> str | Refused:
    """Return an answer to a wh-question as a part of a sentence, or why it is none."""
    text = " ".join(re.sub(r'["“”]', " ", answer).split()).strip(" .,;:!?")
    if not text or normalise(text) in _UNKNOWN:
        return Refused(reason="no answer to build on")
    words = text.split()
    if is_yes(text) or is_no(text):
        return Refused(reason="a yes or no answers a question that asks for more")
    if len(words) > MAX_ANSWER_WORDS:
        return Refused(reason=f"an answer of more than {MAX_ANSWER_WORDS} words")
    if _is_sentence(words):
        return Refused(reason="the answer is a sentence of its own")
    first = words[0].casefold()
    return " ".join([first if first in _SMALL else words[0], *words[1:]])


def _is_sentence(words: list[str]) -> bool:
    plain = [word.casefold().strip('.,;:!?"') for word in words]
    if plain[0] in PRONOUNS - {"this", "that", "these", "those", "one"} or any(
        "'" in w and w[-1] == "m" for w in plain
    ):
        return True
    if any(word.endswith((".", "!", "?")) and len(word) > 3 for word in words[:-1]):
        return True
    verbs = AUXILIARIES - {"may", "will", "can", "might"}
    return plain[0] not in ("because", "when") and any(word in verbs for word in plain[1:])


def begins_with_preposition(phrase: str) -> bool:
    """Whether a phrase can follow a verb as it is, as a place or a time."""
    return phrase.split()[0].casefold() in PREPOSITIONS | {"when", "while", "because", "here", "there", "home"}


def as_place(phrase: str) -> str:
    """Return a phrase as a place."""
    return phrase if begins_with_preposition(phrase) else f"in {phrase}"


def as_time(phrase: str) -> str | None:
    """Return a phrase as a time; ``None`` where no preposition is sure to fit."""
    words = phrase.casefold().split()
    if begins_with_preposition(phrase) or words[0] in _LAST_OR_NEXT or words[-1] in ("ago", "later"):
        return phrase
    if _CLOCK.search(phrase):
        return f"at {phrase}"
    if not any(is_date_word(word) for word in words):
        return None
    if words[-1].strip("s") in ("century", "year", "decade", "month"):
        return f"in {phrase}"
    has_day = any(word.endswith("day") for word in words) or (len(words) > 1 and _MONTH_DAY.search(phrase))
    return f"{'on' if has_day else 'in'} {phrase}"


def as_way(phrase: str) -> str | None:
    """Return a phrase as the way in which something is done; ``None`` when it is none."""
    first = phrase.casefold().split()[0]
    fits = first in _WAYS or (first.endswith("ly") and len(phrase.split()) == 1)
    return phrase if fits else f"by {phrase}" if first.endswith("ing") and is_participle(first) else None


def as_cause(phrase: str) -> str | None:
    """Return a phrase as a cause; ``None`` when it is none."""
    return phrase if phrase.casefold().startswith(tuple(f"{cause} " for cause in _CAUSES)) else None
