"""The simulator reviewer played by a model: what it is shown of a conversation and of its user's brief.

It must not judge the assistant.
"""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from hairpin.agents.llm.languages import language_name
from hairpin.agents.llm.situation import situation_line
from hairpin.agents.llm.transcript import comparable, exchange_message, is_quote, one_line
from hairpin.domain.briefs import ReviewBrief
from hairpin.domain.conversation import UtteranceSource, dialogue
from hairpin.domain.prompts import PromptSlots, RolePrompt, fill
from hairpin.domain.reviews import SimulatorFault, SimulatorFaultKind, SimulatorReview
from hairpin.domain.targets import TargetStatus
from hairpin.ports import ChatMessage, ChatModel, ChatPrompt, InvalidAnswerError

REVIEWER_SLOTS: Final = PromptSlots(
    system=frozenset({"language"}),
    request=frozenset({"goal", "persona", "situation", "plans", "open_targets"}),
    required=frozenset({"language", "goal", "persona", "plans", "open_targets"}),
)

_NONE: Final = "-"
_MAX_FAULTS: Final = 8


class FoundFault(BaseModel):
    """One thing that no user would have said. ``evidence`` comes before the label that it is for."""

    model_config = ConfigDict(extra="forbid")

    exchange: Annotated[int, Field(strict=True, ge=0)]
    evidence: str = Field(description="exact words of the user", json_schema_extra={"maxLength": 200})
    kind: SimulatorFaultKind


class ReviewAnswer(BaseModel):
    """What the reviewer says of the user of a conversation."""

    model_config = ConfigDict(extra="forbid")

    reasoning: str = Field(json_schema_extra={"maxLength": 600})
    faults: list[FoundFault] = Field(json_schema_extra={"maxItems": _MAX_FAULTS})


class LlmSimulatorReviewer:
    """Looks at a simulated user by what a model says of it."""

    def __init__(self, model: ChatModel, prompt: RolePrompt) -> None:
        self._model = model
        self._prompt = prompt

    async def review(self, brief: ReviewBrief) -> SimulatorReview:
        """Return the faults that the user's own words show. Raises RoleError."""
        answer = await self._model.ask(
            self.prompt(brief), ReviewAnswer, origin=brief.origin, check=lambda said: _refuse_made_up(said, brief)
        )
        faults = (
            SimulatorFault(kind=found.kind, t=found.exchange, evidence=f"“{one_line(found.evidence)}”")
            for found in sorted(answer.faults, key=lambda found: found.exchange)
        )
        # A model that loops says the same fault again until its output is cut off or its list is full.
        return SimulatorReview(reasoning=answer.reasoning, faults=tuple(dict.fromkeys(faults)))

    def prompt(self, brief: ReviewBrief) -> ChatPrompt:
        """Return what the model is asked: instructions, one message per exchange, then the user's brief and request."""
        system = ChatMessage(role="system", text=fill(self._prompt.system, {"language": language_name(brief.language)}))
        plans = [one_line(f"{strategy.title}: {strategy.guidance}") for strategy in brief.strategies]
        still_open = [one_line(target.text) for target in brief.targets if target.status is not TargetStatus.COMPLETED]
        values = {
            "goal": one_line(brief.seed_phrase),
            "persona": one_line(brief.persona.description),
            "situation": situation_line(brief.context),
            "plans": "\n".join(f"- {plan}" for plan in plans) or _NONE,
            "open_targets": "; ".join(still_open) or _NONE,
        }
        exchanges = (exchange_message(turn) for turn in dialogue(brief.exchanges))
        return ChatPrompt(stable=(system, *exchanges), request=fill(self._prompt.request, values))


def _refuse_made_up(answer: ReviewAnswer, brief: ReviewBrief) -> None:
    """Raise InvalidAnswerError when a fault is not in the user's own words of the exchange that it names."""
    said = {each.t: each.user for each in brief.exchanges if each.source is UtteranceSource.SIMULATED}
    for found in answer.faults:
        if found.exchange not in said:
            known = ", ".join(map(str, said))
            raise InvalidAnswerError(
                f"faults: the user made up what it said in exchanges {known}, not {found.exchange}"
            )
        bare = found.evidence.strip(" \"'“”„")
        if not is_quote(bare, (comparable(said[found.exchange]),)):
            raise InvalidAnswerError(
                f"faults: {found.evidence!r} is not what the user said in exchange {found.exchange}; quote the user's"
                " own words, or leave the fault out"
            )
