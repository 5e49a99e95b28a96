"""Clauses of English: one statement in parts, and the questions that ask for one of them.

How a question and its answer become a clause is ``statements``'.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from hairpin.domain.base import Value
from hairpin.metamorphic.english_verbs import past_of, third_person_of
from hairpin.metamorphic.word_lists import word_set

_DO: Final = frozenset({"do", "does", "did"})
_SINGULAR: Final = {"are": "is", "am": "is", "were": "was", "have": "has", "do": "does"}


class Part(StrEnum):
    """What a question can ask for."""

    SUBJECT = "subject"
    OBJECT = "object"
    TAIL = "tail"


class Clause(Value):
    """A statement: ``subject`` ``aux`` ``verb`` ``particle`` ``object`` ``tail``, in the order in which it is stated.

    Attributes:
        aux: in lower case; after ``do``, ``does`` and ``did`` the verb is a base form.
        subject: who or what does or is.
        verb: the main verb, or what follows a form of ``be``; may be empty after one.
        particle: what stands between verb and object: the rest of the predicate, a preposition at its end.
        object: may be empty.
        tail: a place, a time, a way or a cause; may be empty.
        answer: which part the answer of the original question fills; ``None``: none of them.
        person: whether the subject or object that is asked for is known to be a person, or known not to be.
    """

    aux: str
    subject: str
    verb: str = ""
    particle: str = ""
    object: str = ""
    tail: str = ""
    answer: Part | None = None
    person: bool | None = None


def polar_question(clause: Clause) -> str:
    """Return the yes/no question whether the clause is true."""
    return _question(clause.aux, clause.subject, clause.verb, clause.particle, clause.object, clause.tail)


def question_for(clause: Clause, part: Part) -> str:
    """Return the question for ``part`` of the clause."""
    if part is Part.SUBJECT:
        return _question(_who(clause), *_finite(_singular(clause)), clause.particle, clause.object, clause.tail)
    if part is Part.OBJECT:
        return _question(_who(clause), clause.aux, clause.subject, clause.verb, clause.particle, clause.tail)
    wh = "when" if is_time(clause.tail) else "where"
    return _question(wh, clause.aux, clause.subject, clause.verb, clause.particle, clause.object)


def is_time(tail: str) -> bool:
    """Whether a tail says when rather than where."""
    words = tail.casefold().split()
    if not words:
        return False
    times = {"before", "after", "during", "since", "until", "when", "while", "today", "yesterday", "tomorrow", "now"}
    return words[0] in times or any(is_date_word(word) for word in words[1:])


def is_date_word(word: str) -> bool:
    """Whether a word is a year, a month, a day or a part of one."""
    plain = word.casefold().strip(".,'\"")
    return (plain.rstrip("s").isdigit() and len(plain.rstrip("s")) in (3, 4)) or plain.rstrip("s") in _DATE_WORDS


_DATE_WORDS: Final = word_set(
    "january february march april may june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday spring summer autumn winter century year decade morning afternoon evening night "
    "day week month time beginning midnight noon"
)


def _singular(clause: Clause) -> Clause:
    """Who is asked for is asked for in the singular."""
    return clause.model_copy(update={"aux": _SINGULAR.get(clause.aux, clause.aux)})


def _finite(clause: Clause) -> tuple[str, ...]:
    """Return aux and verb as they are stated: "did go" is "went"."""
    verb = clause.verb
    if clause.aux not in _DO or not verb:
        return (clause.aux, verb)
    *adverbs, base = verb.split()
    return (*adverbs, past_of(base) if clause.aux == "did" else third_person_of(base))


def _who(clause: Clause) -> str:
    if clause.person is None:
        return "who or what"
    return "who" if clause.person else "what"


def _question(*parts: str) -> str:
    said = " ".join(part for part in parts if part)
    return said[:1].upper() + said[1:] + "?"
