"""What can be read off two answers without a model: equality, numbers, yes and no, a short answer in a longer one.

English only; what it cannot tell is left to the vectors (``None``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

from hairpin.domain.conversation import normalise
from hairpin.domain.texts import is_blank
from hairpin.metamorphic.numbers import is_bare_number, numbers

SHORT_WORDS: Final = 3
"""An answer of so many words, articles aside, is short."""

_WORD: Final = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
_YES: Final = frozenset({"yes", "yeah", "yep", "yup"})
_NO: Final = frozenset({"no", "nope", "nah"})
_NO_HEAD: Final = re.compile(r"(?:no|nope|nah)(?:$|\s*[,.;:!–—-]|\s+(?:he|i|it|she|that|there|they|this|we|you)\b)")
_ARTICLES: Final = frozenset({"a", "an", "the"})
_FUNCTION_WORDS: Final = frozenset(
    """at by for from he her him his i in is it its me my of on or our she so that their them there they this to us was
    we with you your and as are be not""".split()  # noqa: SIM905 - a list of forty strings is no easier to read
)
_NEGATIONS: Final = frozenset(
    {"not", "never", "no", "nobody", "none", "nothing", "nowhere", "neither", "nor", "without", "cannot"}
)
_UNKNOWN: Final = re.compile(
    r"unknown|i (?:do not|don't|cannot|can't) (?:know|tell|say|answer).*|not (?:known|mentioned|stated|specified|told|"
    r"given|enough information).*|(?:it|that|this) is (?:not|un)\s?(?:known|mentioned|stated|specified|clear|told).*|"
    r"(?:the )?(?:story|text|passage|context) (?:does not|doesn't) (?:say|tell|mention|state|specify).*|unanswerable"
)


class AnswerType(StrEnum):
    """What kind of answer: yes or no, one bare number, at most SHORT_WORDS words, longer, or that it is not known."""

    YES_NO = "yes_no"
    NUMBER = "number"
    SHORT = "short"
    LONG = "long"
    UNKNOWN = "unknown"


class Containment(StrEnum):
    """Whether a short answer inside a longer one is the same: never, the second in the first, or either in the other.

    An output may say the gold answer in a whole sentence; that an output says *less* than the gold answer is no match.
    Of two replies of an assistant either may be the shorter.
    """

    NONE = "none"
    SECOND_IN_FIRST = "second_in_first"
    EITHER = "either"


def has_answer(text: str | None) -> bool:
    """Whether anything was answered: no text, or one of which nothing can be seen, is no answer."""
    return text is not None and not is_blank(text)


@lru_cache(maxsize=65536)
def answer_type(text: str) -> AnswerType:
    """Return what kind of answer ``text`` is. A sentence that starts with yes or no is of the kind yes or no."""
    plain = normalise(text)
    if _UNKNOWN.fullmatch(plain):
        return AnswerType.UNKNOWN
    if _head(plain) is not None:
        return AnswerType.YES_NO
    if is_bare_number(plain):
        return AnswerType.NUMBER
    return AnswerType.SHORT if len(_content(_words(plain))) <= SHORT_WORDS else AnswerType.LONG


@lru_cache(maxsize=65536)
def lexical_verdict(first: str, second: str, containment: Containment = Containment.NONE) -> bool | None:
    """Say whether two answers, neither blank, are the same as far as their words tell; ``None``: they do not tell.

    In this order: equal when normalised; one starts with yes and the other with no; they name different numbers (each
    some that the other does not); they are the same bare number; one is a bare yes (no) and the other starts with it;
    a short answer inside a longer one, where ``containment`` allows it.

    Source: design, section 5 (``lexical+embedding``).
    """
    one, other = normalise(first), normalise(second)
    if one == other and (one or first == second):
        return True
    heads = _head(one), _head(other)
    if None not in heads and heads[0] != heads[1]:
        return False
    named = numbers(one), numbers(other)
    if named[0] - named[1] and named[1] - named[0]:
        return False
    if named[0] == named[1] and is_bare_number(one) and is_bare_number(other):
        return True
    if heads[0] is not None and heads[0] == heads[1] and (_is_bare_head(one) or _is_bare_head(other)):
        return True
    return True if _contained(one, other, containment) else None


def _head(plain: str) -> bool | None:
    """Return whether an answer starts with yes or with no. 'No one' and 'no idea' do not say no."""
    first = _WORD.match(plain)
    if first is not None and first.group() in _YES:
        return True
    return False if _NO_HEAD.match(plain) else None


def _is_bare_head(plain: str) -> bool:
    return plain in _YES or plain in _NO


def _contained(one: str, other: str, containment: Containment) -> bool:
    if containment is Containment.NONE:
        return False
    found = _is_in(other, one)
    return found or (containment is Containment.EITHER and _is_in(one, other))


def _is_in(short: str, whole: str) -> bool:
    """Whether ``whole`` says ``short``, word for word and without a negation that ``short`` does not have.

    A bare number may be written another way.
    """
    wanted, said = _content(_words(short)), _words(whole)
    if not 0 < len(wanted) <= SHORT_WORDS or _head(short) is not None or _FUNCTION_WORDS.issuperset(wanted):
        return False
    if _negated(said) and not _negated(wanted):
        return False
    if is_bare_number(short):
        return numbers(short) <= numbers(whole)
    said = _content(said)
    return any(said[place : place + len(wanted)] == wanted for place in range(len(said) - len(wanted) + 1))


def _words(plain: str) -> list[str]:
    return [word.replace("’", "'") for word in _WORD.findall(plain)]


def _content(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in _ARTICLES]


def _negated(words: Sequence[str]) -> bool:
    return any(word in _NEGATIONS or word.endswith("n't") for word in words)
