"""The decontextualiser played by a model: a question of a dialogue is rewritten so that it stands alone.

It sees the story and the questions before, never an answer. Whether two rewrites ask the same is not decided here.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from hairpin.agents.llm.languages import language_name
from hairpin.agents.llm.story import question_list, story_prompt
from hairpin.agents.llm.transcript import one_line
from hairpin.domain.briefs import RewriteBrief
from hairpin.domain.conversation import normalise
from hairpin.domain.llm_calls import Purpose
from hairpin.domain.prompts import PromptSlots, RolePrompt, fill
from hairpin.ports import ChatModel, ChatPrompt, InvalidAnswerError

DECONTEXTUALISER_SLOTS: Final = PromptSlots(
    system=frozenset({"language"}),
    request=frozenset({"language", "earlier", "question"}),
    required=frozenset({"language", "earlier", "question"}),
)

MOST_TIMES: Final = 3
MOST_MORE: Final = 120
"""A rewrite has at most ``MOST_TIMES`` as many characters as the question and ``MOST_MORE`` besides: "When?" needs room
for what it is about, a whole story is no question.
"""

_WORD: Final = re.compile(r"\w+")
_QUESTION_MARK: Final = re.compile(r"[?？؟՞;]")


class Rewritten(BaseModel):
    """What the model answers."""

    model_config = ConfigDict(extra="forbid")

    topic: str = Field(description="what was being asked about, by name", json_schema_extra={"maxLength": 200})
    question: str = Field(description="the question, not its answer", json_schema_extra={"maxLength": 600})


class LlmDecontextualiser:
    """Makes questions stand alone by what a model says."""

    def __init__(self, model: ChatModel, prompt: RolePrompt) -> None:
        self._model = model
        self._prompt = prompt

    async def rewrite(self, brief: RewriteBrief) -> str:
        """Return the question as it stands alone. Raises RoleError.

        One that the model leaves as it is, but for case, punctuation and space, comes back as it was written. With
        neither a story nor a question before there is nothing to put into it, and no model is asked.

        Source: MORTAR, section III-E1.
        """
        if not brief.earlier and not brief.reference_text:
            return brief.question
        origin = brief.origin.model_copy(update={"purpose": Purpose.REPLAY})
        check = partial(_refuse_unusable, brief=brief)
        answer = await self._model.ask(self.prompt(brief), Rewritten, origin=origin, check=check)
        if normalise(answer.question) == normalise(brief.question):
            return brief.question
        return " ".join(answer.question.split())

    def prompt(self, brief: RewriteBrief) -> ChatPrompt:
        """Return what the model is asked: instructions, the story, then the questions before and the one to rewrite."""
        language = language_name(brief.language)
        values = {
            "language": language,
            "earlier": question_list(brief.earlier),
            "question": one_line(brief.question),
        }
        system = fill(self._prompt.system, {"language": language})
        return story_prompt(system, brief.reference_text, fill(self._prompt.request, values))


def _refuse_unusable(answer: Rewritten, brief: RewriteBrief) -> None:
    rewrite, question = answer.question, brief.question
    if not normalise(rewrite):
        raise InvalidAnswerError(f"the question is empty: write {question!r} so that it stands alone")
    if normalise(rewrite) == normalise(question):
        return
    limit = MOST_TIMES * len(question) + MOST_MORE
    if len(rewrite) > limit:
        what = f"the question has {len(rewrite)} characters, {limit} at most"
        raise InvalidAnswerError(f"{what}: add only the names and words that {question!r} lacks")
    if _answers(rewrite, question):
        raise InvalidAnswerError(f"{rewrite!r} asks nothing: do not answer {question!r}, rewrite it")
    if _is_another(rewrite, brief):
        raise InvalidAnswerError(f"{rewrite!r} is one of the questions before: rewrite {question!r}")


def _answers(rewrite: str, question: str) -> bool:
    """Whether ``rewrite`` is an answer: it has lost the question mark and no longer begins like the question, or,
    where there was no question mark, has lost every word of it.
    """
    if _QUESTION_MARK.search(rewrite):
        return False
    own, written = _WORD.findall(question.casefold()), _WORD.findall(rewrite.casefold())
    if _QUESTION_MARK.search(question):
        return own[:1] != written[:1]
    return not set(own) & set(written)


def _is_another(rewrite: str, brief: RewriteBrief) -> bool:
    """Whether ``rewrite`` is a question before it and keeps less than half of the words of the one to rewrite."""
    own = _words(brief.question)
    copied = normalise(rewrite) in {normalise(text) for text in brief.earlier}
    return copied and 2 * len(own & _words(rewrite)) < len(own)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
