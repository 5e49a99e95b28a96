"""The question writer played by a model: a question and its answer become a statement, and that another question.

Which question is turned into what is decided elsewhere, and so is whether an assistant answers it right.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from hairpin.agents.llm.languages import language_name
from hairpin.agents.llm.request_parts import request_parts
from hairpin.agents.llm.story import question_list, story_prompt
from hairpin.agents.llm.transcript import one_line
from hairpin.domain.briefs import QuestionBrief
from hairpin.domain.conversation import normalise
from hairpin.domain.llm_calls import Purpose
from hairpin.domain.prompts import PromptSlots, RolePrompt, fill
from hairpin.metamorphic.qaasker import QaaskerRelation
from hairpin.metamorphic.statements import is_polar
from hairpin.ports import ChatModel, ChatPrompt, InvalidAnswerError, WrittenQuestion

QUESTION_WRITER_SLOTS: Final = PromptSlots(
    system=frozenset({"language"}),
    request=frozenset({"language", "earlier", "question", "answer"}),
    required=frozenset({"language", "question", "answer"}),
)

_ENGLISH: Final = "en"
"""The language whose words are looked at."""

_YES: Final = "yes"
_MOST_CHARS: Final = 300
_YES_OR_NO: Final = frozenset({"yes", "no", "true", "false"})


class NewQuestion(BaseModel):
    """What the model answers."""

    model_config = ConfigDict(extra="forbid")

    statement: str = Field(description="question and answer as one sentence", json_schema_extra={"maxLength": 400})
    question: str = Field(description="the new question, empty if there is none", json_schema_extra={"maxLength": 300})
    answer: str = Field(description="the answer to the new question", json_schema_extra={"maxLength": 200})


class LlmQuestionWriter:
    """Writes QAAsker's questions by what a model says."""

    def __init__(self, model: ChatModel, prompt: RolePrompt) -> None:
        """Raises InvalidInputError: the request has not a part for each relation."""
        self._model = model
        self._prompt = prompt
        self._requests = request_parts(prompt, [relation.value for relation in QaaskerRelation])

    async def write(self, brief: QuestionBrief) -> WrittenQuestion | None:
        """Return the new question with its answer, ``None`` where the model finds none. Raises RoleError."""
        origin = brief.origin.model_copy(update={"purpose": Purpose.REPLAY})
        check = partial(_refuse_unusable, brief=brief)
        found = await self._model.ask(self.prompt(brief), NewQuestion, origin=origin, check=check)
        question = " ".join(found.question.split())
        if not normalise(question):
            return None
        polar = brief.kind == QaaskerRelation.WH_TO_POLAR
        return WrittenQuestion(question=question, expected=_YES if polar else " ".join(found.answer.split()))

    def prompt(self, brief: QuestionBrief) -> ChatPrompt:
        """Return what the model is asked: instructions, the story, then the question with its answer."""
        values = {
            "language": language_name(brief.language),
            "earlier": question_list(brief.earlier),
            "question": one_line(brief.question),
            "answer": one_line(brief.answer),
        }
        return story_prompt(
            fill(self._prompt.system, values), brief.reference_text, fill(self._requests[brief.kind], values)
        )


def _refuse_unusable(found: NewQuestion, brief: QuestionBrief) -> None:
    question = normalise(found.question)
    if not question:
        return
    if question in {normalise(text) for text in (*brief.earlier, brief.question)}:
        raise InvalidAnswerError("the new question was asked before: ask for something else, or leave it empty")
    if len(found.question) > _MOST_CHARS:
        raise InvalidAnswerError(f"the new question has over {_MOST_CHARS} characters: ask in one short sentence")
    to_polar = brief.kind == QaaskerRelation.WH_TO_POLAR
    if brief.language == _ENGLISH and is_polar(found.question) is not to_polar:
        wanted = "a yes/no question" if to_polar else "a question with who, what, when, where or how many"
        raise InvalidAnswerError(f"the new question must be {wanted}; leave it empty if there is none")
    if not to_polar:
        _refuse_answer(found, brief)


def _refuse_answer(found: NewQuestion, brief: QuestionBrief) -> None:
    """Refuse an answer that the new question does not ask the statement for."""
    answer, statement = normalise(found.answer), normalise(found.statement)
    if not answer or answer in _YES_OR_NO:
        raise InvalidAnswerError("the answer must be the words of the statement that the new question asks for")
    if f" {answer} " in f" {normalise(found.question)} ":
        raise InvalidAnswerError("the new question holds its own answer: leave the answer out of it")
    if answer == normalise(brief.answer):
        raise InvalidAnswerError(f"the new question asks for {brief.answer!r} again: ask for another part")
    if brief.language == _ENGLISH and answer not in statement:
        raise InvalidAnswerError(f"{found.answer!r} is not in the statement: take the answer from it, word for word")
