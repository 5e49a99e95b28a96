"""The reference answerer played by a model: a question that stands alone is answered from a story, in a few words.

Reference answers are only compared with each other: whether an assistant is right is not decided by them.
"""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from hairpin.agents.llm.languages import language_name
from hairpin.agents.llm.story import story_prompt
from hairpin.agents.llm.transcript import one_line
from hairpin.domain.briefs import AnswerBrief
from hairpin.domain.conversation import normalise
from hairpin.domain.llm_calls import Purpose
from hairpin.domain.prompts import PromptSlots, RolePrompt, fill
from hairpin.ports import ChatModel, ChatPrompt, InvalidAnswerError

REFERENCE_ANSWERER_SLOTS: Final = PromptSlots(
    system=frozenset({"language", "unknown"}),
    request=frozenset({"language", "unknown", "question"}),
    required=frozenset({"language", "unknown", "question"}),
)

UNKNOWN: Final = "unknown"
"""The answer that a story does not tell, in every language."""

MOST_CHARS: Final = 200
"""More than a few words."""


class ReferenceAnswer(BaseModel):
    """What the model answers."""

    model_config = ConfigDict(extra="forbid")

    answer: str = Field(description="a few words", json_schema_extra={"maxLength": 240})


class LlmReferenceAnswerer:
    """Answers questions from a story by what a model says."""

    def __init__(self, model: ChatModel, prompt: RolePrompt) -> None:
        self._model = model
        self._prompt = prompt

    async def answer(self, brief: AnswerBrief) -> str:
        """Return the answer, ``UNKNOWN`` when the story does not tell it. Raises RoleError.

        Source: MORTAR, section III-E2: single-turn, from the story alone.
        """
        origin = brief.origin.model_copy(update={"purpose": Purpose.REPLAY})
        found = await self._model.ask(self.prompt(brief), ReferenceAnswer, origin=origin, check=_refuse_unusable)
        return UNKNOWN if normalise(found.answer) == UNKNOWN else " ".join(found.answer.split())

    def prompt(self, brief: AnswerBrief) -> ChatPrompt:
        """Return what the model is asked: instructions, the story, then the question."""
        values = {"language": language_name(brief.language), "unknown": UNKNOWN}
        system = fill(self._prompt.system, values)
        request = fill(self._prompt.request, {**values, "question": one_line(brief.question)})
        return story_prompt(system, brief.reference_text, request)


def _refuse_unusable(found: ReferenceAnswer) -> None:
    if not normalise(found.answer):
        raise InvalidAnswerError(f"the answer is empty: answer in a few words, or {UNKNOWN!r}")
    if len(found.answer) > MOST_CHARS:
        what = f"the answer has {len(found.answer)} characters, {MOST_CHARS} at most"
        raise InvalidAnswerError(f"{what}: answer in a few words")
