"""A model that says what a test wrote down, checked by the form it was asked for, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pydantic import JsonValue

from hairpin.domain.llm_calls import CallOrigin
from hairpin.domain.prompts import PromptSlots, RolePrompt
from hairpin.packs.finder import PackFinder
from hairpin.packs.prompts import find_prompt
from hairpin.ports import AnswerT, ChatPrompt


class ScriptedModel:
    """Gives the answers in order, the last one for ever. An answer that ``check`` refuses raises, unrepaired."""

    def __init__(self, *answers: Mapping[str, JsonValue]) -> None:
        self.answers = answers
        self.asked: list[ChatPrompt] = []
        self.forms: list[type] = []
        self.origins: list[CallOrigin] = []

    @property
    def name(self) -> str:
        """How reports call it."""
        return "scripted"

    async def ask(
        self,
        prompt: ChatPrompt,
        answer: type[AnswerT],
        *,
        origin: CallOrigin,
        check: Callable[[AnswerT], None] | None = None,
    ) -> AnswerT:
        """Return the next answer."""
        said = self.answers[min(len(self.asked), len(self.answers) - 1)]
        self.asked.append(prompt)
        self.forms.append(answer)
        self.origins.append(origin)
        parsed = answer.model_validate(said)
        if check is not None:
            check(parsed)
        return parsed


def shipped_prompt(name: str, slots: PromptSlots) -> RolePrompt:
    """Return a prompt that ships with Hairpin."""
    prompt, _ = find_prompt(name, PackFinder.standard(plugins=[]), slots=slots)
    return prompt


def line(utterance: str) -> dict[str, JsonValue]:
    """Return a simulator's answer."""
    return {"thought": "what I want", "utterance": utterance}
