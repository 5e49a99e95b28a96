"""Seed phrases written by a model: what it is shown, and the form of its answer.

Which of them are kept is ``domain.seeds``'; the model plays no role in a conversation.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from hairpin.agents.llm.languages import language_name
from hairpin.agents.llm.transcript import one_line
from hairpin.domain.base import Value
from hairpin.domain.llm_calls import CallOrigin, Purpose
from hairpin.domain.prompts import PromptSlots, RolePrompt, fill
from hairpin.ports import ChatMessage, ChatModel, ChatPrompt

SEED_WRITER_SLOTS: Final = PromptSlots(
    system=frozenset({"language"}),
    request=frozenset({"task", "examples", "known", "number"}),
    required=frozenset({"task", "number"}),
)


class SeedBrief(Value):
    """What is to be written.

    Attributes:
        task: what phrases ask for, in words.
        examples: phrases that ask for it.
        known: phrases that must not come again.
        number: how many.
        draft: the how-manieth request for this task it is, so that a cache does not answer with the same again.
    """

    task: str
    examples: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    number: int = Field(ge=1)
    language: str = "en"
    draft: int = Field(default=0, ge=0)


class WrittenPhrases(BaseModel):
    """What the model answers."""

    model_config = ConfigDict(extra="forbid")

    phrases: list[str] = Field(description="each one thing that a person says first")


class LlmSeedWriter:
    """Asks a model for seed phrases."""

    def __init__(self, model: ChatModel, prompt: RolePrompt) -> None:
        self._model = model
        self._prompt = prompt

    async def write(self, brief: SeedBrief) -> tuple[str, ...]:
        """Return what the model wrote, white space collapsed, unsifted. Raises RoleError."""
        origin = CallOrigin(purpose=Purpose.SEEDS, draft=brief.draft)
        answer = await self._model.ask(self.prompt(brief), WrittenPhrases, origin=origin)
        return tuple(" ".join(phrase.split()) for phrase in answer.phrases)

    def prompt(self, brief: SeedBrief) -> ChatPrompt:
        """Return what the model is asked."""
        system = fill(self._prompt.system, {"language": language_name(brief.language)})
        values = {
            "task": one_line(brief.task),
            "examples": _quoted(brief.examples),
            "known": _quoted(brief.known),
            "number": str(brief.number),
        }
        return ChatPrompt(stable=(ChatMessage(role="system", text=system),), request=fill(self._prompt.request, values))


def _quoted(phrases: Iterable[str]) -> str:
    return "\n".join(f"> {one_line(phrase)}" for phrase in phrases) or "(none)"
