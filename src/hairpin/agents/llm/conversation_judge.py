"""The conversation judge played by a model: one dimension of a whole conversation.

It must not see anything but the words of the conversation and the dimension's rubric.
"""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from hairpin.agents.llm.transcript import exchange_message, one_line
from hairpin.domain.briefs import DimensionBrief
from hairpin.domain.prompts import PromptSlots, RolePrompt, fill
from hairpin.domain.scoring import DimensionScore
from hairpin.ports import ChatMessage, ChatModel, ChatPrompt

_SLOTS: Final = frozenset({"language", "dimension", "question", "score_zero", "score_one", "score_two"})

CONVERSATION_JUDGE_SLOTS: Final = PromptSlots(system=_SLOTS, request=_SLOTS, required=_SLOTS - {"dimension"})
"""The dimension may stand before or after the conversation. After it, the judges of all dimensions begin alike, and a
prefix cache serves the conversation to all but the first.
"""


class ScoreAnswer(BaseModel):
    """What a judge says of a dimension: why, then how much. A score is a whole number, never true or false."""

    model_config = ConfigDict(extra="forbid")

    # A bound for servers that write by the schema, not a condition: without it a small model may never stop.
    reasoning: str = Field(json_schema_extra={"maxLength": 800})
    score: Annotated[int, Field(strict=True, ge=0, le=2)]


class LlmConversationJudge:
    """Scores one dimension by what a model says of it."""

    def __init__(self, model: ChatModel, prompt: RolePrompt) -> None:
        self._model = model
        self._prompt = prompt

    async def score(self, brief: DimensionBrief) -> DimensionScore:
        """Return d_j with its reasoning. Raises RoleError."""
        answer = await self._model.ask(self.prompt(brief), ScoreAnswer, origin=brief.origin)
        return DimensionScore(dimension=brief.dimension.id, score=answer.score, reasoning=answer.reasoning)

    def prompt(self, brief: DimensionBrief) -> ChatPrompt:
        """Return what the model is asked: instructions, one message per exchange, then the request."""
        zero, one, two = brief.dimension.anchors
        texts = {
            "language": brief.language,
            "dimension": brief.dimension.title,
            "question": brief.dimension.question,
            "score_zero": zero,
            "score_one": one,
            "score_two": two,
        }
        values = {name: one_line(text) for name, text in texts.items()}
        system = ChatMessage(role="system", text=fill(self._prompt.system, values))
        stable = (system, *(exchange_message(turn) for turn in brief.turns))
        return ChatPrompt(stable=stable, request=fill(self._prompt.request, values))
