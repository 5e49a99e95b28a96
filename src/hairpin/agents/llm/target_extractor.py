"""The target extractor played by a model: what it is shown of a seed phrase, and the targets 𝒢 made of its answer.

Ids and statuses are given here, never by the model.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from hairpin.agents.llm.languages import language_name
from hairpin.agents.llm.situation import situation_line
from hairpin.agents.llm.transcript import one_line
from hairpin.domain.briefs import ExtractionBrief
from hairpin.domain.conversation import normalise
from hairpin.domain.prompts import PromptSlots, RolePrompt, fill
from hairpin.domain.targets import Target
from hairpin.ports import ChatMessage, ChatModel, ChatPrompt, InvalidAnswerError

EXTRACTOR_SLOTS: Final = PromptSlots(
    system=frozenset({"language"}),
    request=frozenset({"goal", "situation"}),
    required=frozenset({"language", "goal"}),
)

MAX_TARGETS: Final = 12
"""More than a seed phrase holds: a model that lists more has lost its way."""

_OTHER: Final = "other"


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ExtractedTarget(_Form):
    """One task."""

    text: str = Field(description="the task in a few words")
    kind: str = Field(description="its type, one or two words")
    constraints: list[str] = Field(description="conditions on it")


class ExtractedTargets(_Form):
    """What the model answers."""

    thought: str = Field(description="under twenty words", json_schema_extra={"maxLength": 200})
    targets: list[ExtractedTarget]


class LlmTargetExtractor:
    """Finds the targets of a seed phrase by what a model says of it."""

    def __init__(self, model: ChatModel, prompt: RolePrompt) -> None:
        self._model = model
        self._prompt = prompt

    async def extract(self, brief: ExtractionBrief) -> tuple[Target, ...]:
        """Return the targets, ids ``g1``, ``g2``, …, each once, none of them uttered. Raises RoleError."""
        answer = await self._model.ask(
            self.prompt(brief), ExtractedTargets, origin=brief.origin, check=_refuse_unusable
        )
        return targets_of(answer.targets)

    def prompt(self, brief: ExtractionBrief) -> ChatPrompt:
        """Return what the model is asked."""
        system = fill(self._prompt.system, {"language": language_name(brief.language)})
        values = {"goal": one_line(brief.seed_phrase), "situation": situation_line(brief.context)}
        return ChatPrompt(stable=(ChatMessage(role="system", text=system),), request=fill(self._prompt.request, values))


def targets_of(extracted: Iterable[ExtractedTarget]) -> tuple[Target, ...]:
    """Return the targets, each once: the constraints of entries with the same text are joined."""
    found: dict[str, ExtractedTarget] = {}
    for entry in extracted:
        key = normalise(entry.text)
        before = found.get(key)
        constraints = [*(before.constraints if before is not None else ()), *entry.constraints]
        found[key] = (before or entry).model_copy(update={"constraints": constraints})
    return tuple(_target(number, entry) for number, entry in enumerate(found.values(), 1))


def _target(number: int, entry: ExtractedTarget) -> Target:
    kept = {normalise(words): " ".join(words.split()) for words in entry.constraints if normalise(words)}
    return Target(
        id=f"g{number}",
        text=" ".join(entry.text.split()),
        kind=normalise(entry.kind) or _OTHER,
        constraints=tuple(kept.values()),
    )


def _refuse_unusable(answer: ExtractedTargets) -> None:
    if any(not normalise(entry.text) for entry in answer.targets):
        raise InvalidAnswerError("a target has no text: say in a few words what is to be done, or leave it out")
    if len({normalise(entry.text) for entry in answer.targets}) > MAX_TARGETS:
        raise InvalidAnswerError(f"{len(answer.targets)} targets are too many: list only the tasks that are said")
