"""Guards on what a model says as the user: each finds one way in which it stops being one.

Pure functions of a draft and of where the conversation stands; asking again is the simulator's work.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Final

from hairpin.agents.llm.guard_phrases import ASKS_AGAIN, POLITE_WORDS
from hairpin.agents.llm.role_slips import role_slips
from hairpin.agents.llm.speaker_labels import find_label, leading_user_label, speakers
from hairpin.agents.llm.unspoken_phrases import (
    DEBRIS,
    END_TOKENS,
    FAREWELL,
    FAREWELL_FILLERS,
    GIVEN_AWAY,
    STAGE_DIRECTION,
)
from hairpin.domain.base import Value
from hairpin.domain.briefs import SpeakBrief
from hairpin.domain.conversation import normalise

MAX_CHARS: Final = 700
"""Longer than what a person says in one turn; a seed phrase may be longer, see ``far_too_long``."""

_SHORT_ANSWER_WORDS: Final = 3
_LONG_ENOUGH_TO_QUOTE: Final = 5


class Guard(StrEnum):
    """The ways in which a simulated user fails."""

    EMPTY = "empty"
    BOTH_SIDES = "both_sides"
    SPEAKER_LABEL = "speaker_label"
    END_TOKEN = "end_token"
    ROLE_SLIP = "role_slip"
    LEAKED_BRIEF = "leaked_brief"
    FAREWELL = "farewell"
    REPETITION = "repetition"
    UNFAITHFUL = "unfaithful"
    TOO_LONG = "too_long"


class Flag(Value):
    """What a guard found: ``evidence`` is the words of the draft that gave it away, '' when it is the whole of it."""

    guard: Guard
    evidence: str = ""


class Draft(Value):
    """A cleaned text and what was taken off it."""

    text: str
    notes: tuple[str, ...] = ()


def clean(text: str, own: Iterable[str] = ()) -> Draft:
    """Take quotation marks around the whole text and a lone speaker label of the user off; both are noted.

    ``own``: further names that the user goes by.
    """
    notes: list[str] = []
    text = text.strip()
    found = leading_user_label(text, own)
    if found is not None:
        notes.append(f"speaker label taken off: {text[: found.end()].strip()}")
        text = text[found.end() :].strip()
    if len(text) > 1 and (text[0], text[-1]) in _QUOTES and not set(text[1:-1]) & {text[0], text[-1]}:
        text = text[1:-1].strip()
    return Draft(text=text, notes=tuple(notes))


def first_flag(text: str, brief: SpeakBrief) -> Flag | None:
    """Return what the first guard that objects to ``text`` as u_t has found, or ``None``."""
    return next((flag for guard in _GUARDS if (flag := guard(text, brief)) is not None), None)


def empty(text: str, brief: SpeakBrief) -> Flag | None:
    """Nothing was said: no letter and no digit."""
    del brief
    return None if any(character.isalnum() for character in text) else Flag(guard=Guard.EMPTY)


def both_sides(text: str, brief: SpeakBrief) -> Flag | None:
    """The text holds words of several speakers: labels of both, or of one more than once."""
    several = len(speakers(text, own_labels(brief))) > 1
    return Flag(guard=Guard.BOTH_SIDES, evidence=_quote(text)) if several else None


def speaker_label(text: str, brief: SpeakBrief) -> Flag | None:
    """A speaker is named in front of the text or within it."""
    found = find_label(text, own_labels(brief))
    return None if found is None else Flag(guard=Guard.SPEAKER_LABEL, evidence=found[0].strip())


def end_token(text: str, brief: SpeakBrief) -> Flag | None:
    """The text holds a mark by which models end a conversation."""
    del brief
    found = next((match for pattern in END_TOKENS if (match := pattern.search(text.strip()))), None)
    return None if found is None else Flag(guard=Guard.END_TOKEN, evidence=found[0])


def role_slip(text: str, brief: SpeakBrief) -> Flag | None:
    """The user speaks as the assistant: offers help, asks for the user's data, reports what it has done."""
    del brief
    slips = role_slips(folded(text))
    return Flag(guard=Guard.ROLE_SLIP, evidence=" … ".join(slips[:2])) if slips else None


def leaked_brief(text: str, brief: SpeakBrief) -> Flag | None:
    """The text speaks of what only the simulator knows, or holds what nobody says: markup, stage directions."""
    plain = folded(text)
    known = folded(" ".join((brief.seed_phrase, *(exchange.assistant for exchange in brief.history))))
    for name in _private_names(brief):
        if re.search(rf"(?<!\w){re.escape(folded(name))}(?!\w)", plain) and folded(name) not in known:
            return Flag(guard=Guard.LEAKED_BRIEF, evidence=name)
    if (quoted := _quoted_brief(plain, brief, known)) is not None:
        return Flag(guard=Guard.LEAKED_BRIEF, evidence=quoted)
    leaks = [match for pattern in GIVEN_AWAY if (match := pattern.search(plain))]
    leaks += [match for pattern in (*DEBRIS, *STAGE_DIRECTION) if (match := pattern.search(text.strip()))]
    return Flag(guard=Guard.LEAKED_BRIEF, evidence=leaks[0][0].strip()) if leaks else None


def farewell(text: str, brief: SpeakBrief) -> Flag | None:
    """The user takes leave, and says nothing else, while targets are open."""
    plain = folded(text)
    if not any(target.open for target in brief.targets) or not any(pattern.search(plain) for pattern in FAREWELL):
        return None
    for pattern in (*FAREWELL, *FAREWELL_FILLERS):
        plain = pattern.sub(" ", plain)
    return None if any(character.isalnum() for character in plain) else Flag(guard=Guard.FAREWELL)


def repetition(text: str, brief: SpeakBrief) -> Flag | None:
    """The user says again, word for word, what was said before, by itself or by the assistant, or the seed phrase.

    Punctuation and words of politeness make no difference to its own words. It may when the assistant asked for it or
    gave the same reply twice, and a short answer to a question may recur.
    """
    said, replies = normalise(text), [normalise(exchange.assistant) for exchange in brief.history]
    echoed = [reply for reply in replies if reply and (reply == said or _holds(said, reply))]
    if echoed and len(said.split()) > _SHORT_ANSWER_WORDS:
        return Flag(guard=Guard.REPETITION, evidence="the assistant's own words")
    own = [brief.seed_phrase, *(exchange.user for exchange in brief.history)] if brief.t > 0 else []
    if _bare(text) not in map(_bare, own) or _may_repeat(said, brief, replies):
        return None
    return Flag(guard=Guard.REPETITION, evidence="said before in the same words")


def unfaithful(text: str, brief: SpeakBrief) -> Flag | None:
    """u_0 leaves out a number of the seed phrase, or more than half of its names.

    Names are words with a capital letter that begin no sentence, where not most words have one.
    """
    if brief.t > 0:
        return None
    numbers = set(_NUMBER.findall(brief.seed_phrase)) - set(_NUMBER.findall(text))
    inner = _INNER_WORD.findall(brief.seed_phrase)
    names = dict.fromkeys(word for word in inner if word[0].isupper() and len(word) > 1)
    missing = [name for name in names if folded(name) not in folded(text)]
    if 2 * len(missing) <= len(names) or 3 * len(names) > len(inner) + 1:
        missing = []
    left_out = [*sorted(numbers), *missing]
    return Flag(guard=Guard.UNFAITHFUL, evidence=", ".join(left_out)) if left_out else None


def far_too_long(text: str, brief: SpeakBrief) -> Flag | None:
    """The text is longer than a turn of a person; u_0 may be twice as long as the seed phrase."""
    limit = max(MAX_CHARS, 2 * len(brief.seed_phrase))
    return Flag(guard=Guard.TOO_LONG, evidence=f"{len(text)} characters") if len(text) > limit else None


_GUARDS: Final[tuple[Callable[[str, SpeakBrief], Flag | None], ...]] = (
    empty,
    both_sides,
    speaker_label,
    end_token,
    role_slip,
    leaked_brief,
    farewell,
    repetition,
    unfaithful,
    far_too_long,
)

_QUOTES: Final = {('"', '"'), ("“", "”"), ("„", "“"), ("„", "”"), ("«", "»"), ("'", "'"), ("‘", "’")}
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_INNER_WORD: Final = re.compile(r"(?<=[^\W_] |[,;:] )[^\W\d_][\w'-]*")
_WORD: Final = re.compile(r"[\w']+")
_QUOTED_WORDS: Final = 6
"""So many words in a row are no coincidence."""
_APOSTROPHES: Final = str.maketrans("’‘`´", "''''")


def folded(text: str) -> str:
    """Return ``text`` in lower case, with plain apostrophes and single spaces."""
    return " ".join(text.translate(_APOSTROPHES).casefold().split())


def _bare(text: str) -> tuple[str, ...]:
    """Return the words of ``text``, those of politeness only where there are no others."""
    plain = normalise(text)
    return tuple(_WORD.findall(POLITE_WORDS.sub(" ", plain)) or _WORD.findall(plain) or [plain])


def _holds(text: str, words: str) -> bool:
    """Whether ``text`` quotes ``words``, if they are more than a phrase anybody may use."""
    return len(words.split()) >= _LONG_ENOUGH_TO_QUOTE and words in text


def _may_repeat(said: str, brief: SpeakBrief, replies: list[str]) -> bool:
    last = folded(brief.history[-1].assistant)
    stuck = len(replies) > 1 and replies[-1] == replies[-2]
    asked = any(pattern.search(last) for pattern in ASKS_AGAIN)
    answers = "?" in last and len(said.split()) <= _SHORT_ANSWER_WORDS
    return stuck or asked or answers


def _quoted_brief(plain: str, brief: SpeakBrief, known: str) -> str | None:
    """Return a run of words that ``plain`` shares with what the simulator was told and nobody has said."""
    told = [brief.persona.description] + ([] if brief.strategy is None else [brief.strategy.guidance])
    told_words = [f" {' '.join(_words(text))} " for text in told]
    words = _words(plain)
    known_words = f" {' '.join(_words(known))} "
    for start in range(len(words) - _QUOTED_WORDS + 1):
        run = f" {' '.join(words[start : start + _QUOTED_WORDS])} "
        if run not in known_words and any(run in text for text in told_words):
            return run.strip()
    return None


def _words(text: str) -> list[str]:
    return _WORD.findall(folded(text))


def _private_names(brief: SpeakBrief) -> tuple[str, ...]:
    strategy = brief.strategy
    hidden = () if strategy is None else (strategy.title, strategy.id, strategy.target_mode)
    spelt = tuple(name for name in hidden if len(name.split()) > 1 or "_" in name)
    manner = (f"supposed to be {brief.persona.id}", f"supposed to be {brief.persona.title}")
    return (*spelt, brief.persona.title, *manner, *(f"target {target.id}" for target in brief.targets))


def own_labels(brief: SpeakBrief) -> tuple[str, ...]:
    """Return the names that a model may give the user."""
    return (brief.persona.id, brief.persona.title)


def _quote(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:119]}…"
