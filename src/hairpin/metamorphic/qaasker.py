"""QAAsker's three relations: a question and its answer become a statement, the statement becomes another question.

* ``wh_to_wh``: another part of the statement is asked for, and is the answer expected;
* ``wh_to_polar``: whether the statement is true; "yes" is expected;
* ``polar_to_wh``: of a yes/no question answered with yes, a part is asked for.

The answer is the first gold answer, so that every assistant gets the same test cases, as in MORTAR's Table V; without
one it is the assistant's own (``baselines``).

Our own implementation from the papers' descriptions, by rules, and by a model for what the rules refuse where one is
given. The method's own weakness stays: questions in a dialogue are often elliptic or point back, and what is made of
them may ask for something the text does not tell.

Source: MORTAR, section IV-C and V-E1; QAAsker: Chen et al., 2021.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from hairpin.domain.briefs import QuestionBrief
from hairpin.domain.conversation import normalise
from hairpin.metamorphic.answers import is_no, is_yes
from hairpin.metamorphic.clauses import Clause, Part, polar_question, question_for
from hairpin.metamorphic.question_words import (
    ADVERBS,
    AUXILIARIES,
    BE,
    DETERMINERS,
    OBJECT_PRONOUNS,
    PRONOUNS,
    TAIL_PREPOSITIONS,
    begins_noun_phrase,
    is_manner,
    low,
)
from hairpin.metamorphic.refusal import Refused
from hairpin.metamorphic.statements import is_polar, polar_statement, statement
from hairpin.metamorphic.word_lists import word_set
from hairpin.ports import QuestionWriter, RoleError, WrittenQuestion

_SUBJECT_PRONOUNS: Final = word_set("he she it they we i you")


class QaaskerRelation(StrEnum):
    """From which kind of question to which."""

    WH_TO_WH = "wh_to_wh"
    WH_TO_POLAR = "wh_to_polar"
    POLAR_TO_WH = "polar_to_wh"

    @property
    def from_polar(self) -> bool:
        """Whether it takes yes/no questions; the others take wh-questions."""
        return self is QaaskerRelation.POLAR_TO_WH


def convert(question: str, answer: str, relation: QaaskerRelation) -> WrittenQuestion | Refused:
    """Return the new question with the answer it must get, by rules alone."""
    unfit = _unfit(question, answer, relation)
    if unfit is not None:
        return unfit
    clause = polar_statement(question) if relation.from_polar else statement(question, answer)
    if isinstance(clause, Refused):
        return clause
    if relation is QaaskerRelation.WH_TO_POLAR:
        return WrittenQuestion(question=polar_question(clause), expected="yes")
    return _asking_other(clause)


async def written(brief: QuestionBrief, writer: QuestionWriter | None) -> WrittenQuestion | Refused:
    """Return the new question by rules, else by ``writer`` for questions of a kind that the relation takes.

    Raises:
        EndsRunError: a model takes no call any more.
    """
    relation = QaaskerRelation(brief.kind)
    made = convert(brief.question, brief.answer, relation)
    if isinstance(made, WrittenQuestion) or writer is None or _unfit(brief.question, brief.answer, relation):
        return made
    try:
        asked = await writer.write(brief)
    except RoleError as error:
        return Refused(reason=f"{made.reason}; the question writer failed: {error.detail}")
    return asked or Refused(reason=f"{made.reason}; the question writer found none either")


def _unfit(question: str, answer: str, relation: QaaskerRelation) -> Refused | None:
    if not normalise(answer):
        return Refused(reason="no answer to build on")
    if is_polar(question) is not relation.from_polar:
        return Refused(reason="a yes/no question" if is_polar(question) else "not a yes/no question")
    if relation.from_polar and not is_yes(answer):
        why = "answered with no: what is true instead is not said" if is_no(answer) else "not answered with yes or no"
        return Refused(reason=why)
    return None


def _asking_other(clause: Clause) -> WrittenQuestion | Refused:
    """Ask for the first part, from the end, that says something and is not the answer of the original question."""
    for part, text in ((Part.TAIL, clause.tail), (Part.OBJECT, clause.object), (Part.SUBJECT, clause.subject)):
        if part is not clause.answer and _is_askable(part, text, clause):
            return WrittenQuestion(question=question_for(clause, part), expected=text.removeprefix("any "))
    if _says_what_it_is(clause):
        return WrittenQuestion(question=question_for(clause, Part.OBJECT), expected=clause.object)
    return Refused(reason="no other part of it says enough to be asked for")


def _says_what_it_is(clause: Clause) -> bool:
    """Whether a yes/no question is "is it a city", which leaves "what is it"."""
    words = clause.object.split()
    bare = clause.answer is None and clause.aux in BE and not (clause.verb or clause.particle or clause.tail)
    return bare and bool(words) and low(words[0]) in DETERMINERS and not _SUBJECT_PRONOUNS & {low(w) for w in words}


def _is_askable(part: Part, text: str, clause: Clause) -> bool:
    words = [low(word) for word in text.split()]
    if not words or words[0] in PRONOUNS or words[-1] in PRONOUNS | OBJECT_PRONOUNS or ADVERBS & set(words):
        return False
    if part is Part.TAIL:
        return words[0] in TAIL_PREPOSITIONS and words[1] not in ("a", "an")
    if (_SUBJECT_PRONOUNS | AUXILIARIES) & set(words) or any(is_manner(word) for word in words):
        return False
    if (part is Part.OBJECT and "to" in words) or not begins_noun_phrase(text.split()):
        return False
    return bool(clause.verb) if part is Part.OBJECT else _tells(clause)


def _tells(clause: Clause) -> bool:
    """Whether enough is said of the subject to ask for it: of "X is red" much else is red too."""
    if clause.answer is not Part.OBJECT or clause.verb:
        return True
    first = clause.object.split()[0]
    return low(first) in DETERMINERS or first[0].isupper()
