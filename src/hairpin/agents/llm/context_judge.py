"""The context judge: a model asked outright whether a question asks for the same in two contexts.

The alternative to EC(·), which is made of a decontextualiser, a reference answerer and similarities.
"""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from hairpin.agents.llm.languages import language_name
from hairpin.agents.llm.story import question_list, story_prompt
from hairpin.agents.llm.transcript import one_line
from hairpin.domain.briefs import ContextBrief
from hairpin.domain.llm_calls import Purpose
from hairpin.domain.prompts import PromptSlots, RolePrompt, fill
from hairpin.domain.relations import ContextFinding, ContextReason
from hairpin.ports import ChatModel, ChatPrompt, RoleError

CONTEXT_JUDGE_SLOTS: Final = PromptSlots(
    system=frozenset({"language"}),
    request=frozenset({"language", "source", "follow_up", "question"}),
    required=frozenset({"language", "source", "follow_up", "question"}),
)


class ContextVerdict(BaseModel):
    """What the model answers: step by step, then the verdict."""

    model_config = ConfigDict(extra="forbid")

    # A bound for servers that write by the schema, not a condition: without it a small model may never stop.
    thought: str = Field(description="step by step", json_schema_extra={"maxLength": 600})
    equivalent: bool = Field(description="whether both contexts lead to the same answer")


class LlmContextJudge:
    """Says by one verdict of a model whether contexts are equivalent; implements ``ports.ContextChecker``."""

    def __init__(self, model: ChatModel, prompt: RolePrompt) -> None:
        self._model = model
        self._prompt = prompt

    async def check(self, brief: ContextBrief) -> ContextFinding:
        """Return the verdict with the thoughts behind it; a judge that breaks makes it not applicable.

        Raises:
            EndsRunError: the model takes no call any more.

        Source: MORTAR, section V-C3, "LLM-as-a-Judge", Table XII.
        """
        if brief.needs_reply:
            return ContextFinding(equivalent=None, reason=ContextReason.NEEDS_REPLY)
        origin = brief.origin.model_copy(
            update={"purpose": Purpose.REPLAY, "repeat": brief.repeat or brief.origin.repeat}
        )
        try:
            found = await self._model.ask(self.prompt(brief), ContextVerdict, origin=origin)
        except RoleError as error:
            return ContextFinding(equivalent=None, reason=ContextReason.ROLE_FAILED, n_calls=1, detail=str(error))
        return ContextFinding(
            equivalent=found.equivalent, reason=ContextReason.VERDICT, n_calls=1, detail=found.thought
        )

    def prompt(self, brief: ContextBrief) -> ChatPrompt:
        """Return what the model is asked: instructions, the story, then both contexts and the question."""
        language = language_name(brief.language)
        values = {
            "language": language,
            "source": question_list(brief.source),
            "follow_up": question_list(brief.follow_up),
            "question": one_line(brief.question),
        }
        system = fill(self._prompt.system, {"language": language})
        return story_prompt(system, brief.reference_text, fill(self._prompt.request, values))
