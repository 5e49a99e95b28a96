"""Questions that say only what is different from the one before ("And Mina?", "Why?"), made whole.

It must not resolve pronouns: both questions come without.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from hairpin.agents.offline import english
from hairpin.agents.offline.noun_phrases import NounPhrase, Token, is_verb, noun_phrases, subject_of, tokens

_ABOUT: Final = re.compile(
    r"^(?:and |but |or )?(?:what about|how about)\s+(?P<changed>.+?)\s*\??$|^(?:and|but|or) (?P<more>.+?)\s*\??$",
    re.IGNORECASE,
)
_MOST_WORDS: Final = 6
_SHORT: Final = 3

BESIDE: Final = ", as to: "
"""What stands between a question that cannot be made whole and the one that it needs."""

IsPerson = Callable[[NounPhrase], bool]


def completed(question: str, previous: str, is_person: IsPerson) -> str:
    """Return ``question`` made whole by ``previous``, which stands alone; as it is if it lacks nothing."""
    words = [token for token in tokens(question) if token.is_word]
    about = _ABOUT.match(question)
    if about is not None and not _has_predicate(changed := about["changed"] or about["more"]):
        return _substituted(previous, changed, is_person) or _beside(question, previous)
    if len(words) > _MOST_WORDS or not words:
        return question
    if all(t.bare in _BARE for t in words) and words[0].bare in english.WH_WORDS:
        return _with_wh(question, words, previous)
    if words[0].bare in english.AUXILIARIES:
        return _echoed(question, words, previous)
    return _beside(question, previous) if _is_fragment(question, words) else question


def _is_fragment(question: str, words: list[Token]) -> bool:
    """Whether it asks without a verb: "In what months?", "Which year?", "Anyone else?"."""
    if not question.rstrip().endswith("?") or _has_predicate(question):
        return False
    if words[0].bare in english.PREPOSITIONS or words[0].bare == "according":
        return True
    if words[0].bare in english.WH_WORDS:
        return words[0].bare in ("what", "which", "how") and len(words) <= _SHORT
    return len(words) < _SHORT


def _has_predicate(text: str) -> bool:
    """Whether ``text`` has an auxiliary or a verb that is no participle after a noun."""
    phrases = noun_phrases(text)
    for token in tokens(text):
        inside = any(p.start <= token.start < p.end for p in phrases)
        verb = token.bare in english.AUXILIARIES or is_verb(token.bare) or token.bare.endswith("ed")
        if token.is_word and verb and not inside:
            return True
    return False


def _substituted(previous: str, changed: str, is_person: IsPerson) -> str | None:
    """Return ``previous`` with the part that ``changed`` stands for put in its place."""
    changed_phrases = noun_phrases(f"about {changed}")
    if not changed_phrases:
        return None
    new, old = changed_phrases[-1], noun_phrases(previous)
    first, _, rest = changed.partition(" ")
    if first.lower() in english.PREPOSITIONS and rest:
        return _with_preposition(previous, changed, new, old)
    if new.head in english.DATES:
        dates = [p for p in old if p.head in english.DATES]
        return _replaced(previous, dates[-1], changed) if dates else _appended(previous, changed)
    if is_person(new):
        return _replaced(previous, next((p for p in old if is_person(p)), None), changed)
    fitting = [p for p in old if not is_person(p) and p.head not in english.RELATIONAL and p.name == new.name]
    return _replaced(previous, fitting[-1] if fitting else None, changed)


def _with_preposition(previous: str, changed: str, new: NounPhrase, old: tuple[NounPhrase, ...]) -> str | None:
    dated = new.head in english.DATES
    word = changed.split()[0].lower()
    for phrase in reversed(old):
        same = phrase.preposition == word or {phrase.preposition, word} <= english.PLACE_PREPOSITIONS
        if same and (phrase.head in english.DATES) is dated:
            start = previous.rindex(" ", 0, phrase.start - 1) + 1
            return f"{previous[:start]}{changed}{previous[phrase.end :]}"
    return _appended(previous, changed) if dated else None


def _appended(previous: str, changed: str) -> str:
    text = previous.rstrip(" ?.!")
    return f"{text} {changed}{previous[len(text) :].strip()}"


def _replaced(previous: str, phrase: NounPhrase | None, by: str) -> str | None:
    if phrase is None:
        return None
    rest = previous[phrase.end :]
    if by.endswith(("'s", "’s")) and rest.startswith(("'s", "’s")):
        rest = rest[2:]
    return f"{previous[: phrase.start]}{by}{rest}"


def _echoed(question: str, words: list[Token], previous: str) -> str:
    """Return "Can Bob?" with what the question before, "Can Alex speak French?", asks of its subject."""
    subject = question[words[0].end :].strip(" ?.")
    before = [t for t in tokens(previous) if t.is_word]
    alike = bool(before) and before[0].bare in english.AUXILIARIES
    if not subject or not alike or len(words) > _SHORT or subject_of(subject) != subject:
        return question
    rest = previous[before[0].end :].lstrip()
    return f"{words[0].text} {subject}{rest[len(subject_of(rest)) :]}"


def _with_wh(question: str, words: list[Token], previous: str) -> str:
    """Return what ``previous`` says, asked for by other words: "Why did she leave?"."""
    asked = question.strip(" ?.!")
    before = [t for t in tokens(previous) if t.is_word]
    auxiliary = next((t for t in before[:3] if t.bare in english.AUXILIARIES), None)
    leads = before[: before.index(auxiliary)] if auxiliary is not None else before
    whole = auxiliary is not None and all(t.bare in english.WH_WORDS for t in leads)
    if not whole or auxiliary is None or words[0].bare in ("who", "whom", "which", "what"):
        return _beside(question, previous)
    rest = previous[auxiliary.start :]
    return f"{asked} {rest[0].lower()}{rest[1:]}"


def _beside(question: str, previous: str) -> str:
    return f"{question.strip().rstrip('?!. ')}{BESIDE}{previous.rpartition(BESIDE)[2]}"


_BARE: Final = english.WH_WORDS | english.ADVERBS | english.PREPOSITIONS | frozenset({"exactly", "many", "much"})
