"""The strategist played by a model: what it is shown, and which of the available strategies it may name.

Pruning and limits are the domain's; what is chosen here is one of those it left, or none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from hairpin.agents.llm.languages import language_name
from hairpin.agents.llm.transcript import exchange_message, one_line
from hairpin.domain.briefs import StrategyBrief
from hairpin.domain.conversation import dialogue
from hairpin.domain.prompts import PromptSlots, RolePrompt, fill
from hairpin.domain.strategies import Strategy
from hairpin.domain.targets import Target, TargetStatus
from hairpin.ports import ChatMessage, ChatModel, ChatPrompt

STRATEGIST_SLOTS: Final = PromptSlots(
    system=frozenset({"language"}),
    request=frozenset({"targets", "tried", "failures", "strategies", "none"}),
    required=frozenset({"strategies", "none"}),
)

_REMEMBERED: Final = 64
_STATUS_WORDS: Final = {
    TargetStatus.COMPLETED: "done",
    TargetStatus.INCOMPLETE: "open",
    TargetStatus.DROPPED: "given up",
}


class StrategyChoice(BaseModel):
    """What the model answers; ``strategy`` is narrowed to the ids that are available."""

    model_config = ConfigDict(extra="forbid")

    thought: str = Field(description="under twenty words", json_schema_extra={"maxLength": 200})
    strategy: str


class LlmStrategist:
    """Chooses among the available strategies by what a model says."""

    def __init__(self, model: ChatModel, prompt: RolePrompt) -> None:
        self._model = model
        self._prompt = prompt

    async def choose(self, brief: StrategyBrief) -> Strategy | None:
        """Return one of ``brief.available``, or ``None``. Raises RoleError."""
        by_id = {strategy.id: strategy for strategy in brief.available}
        answer = await self._model.ask(self.prompt(brief), choice_answer(tuple(by_id)), origin=brief.origin)
        return by_id.get(answer.strategy)

    def prompt(self, brief: StrategyBrief) -> ChatPrompt:
        """Return what the model is asked: instructions, one message per exchange, then what there is to choose."""
        system = ChatMessage(role="system", text=fill(self._prompt.system, {"language": language_name(brief.language)}))
        values = {
            "targets": _lines(map(_target_line, brief.targets)),
            "tried": _counts(exchange.strategy for exchange in brief.history if exchange.strategy is not None),
            "failures": _counts(failure.mode for failure in brief.failures),
            "strategies": _lines(map(_strategy_line, brief.available)),
            "none": no_strategy(s.id for s in brief.available),
        }
        return ChatPrompt(
            stable=(system, *map(exchange_message, dialogue(brief.history))),
            request=fill(self._prompt.request, values),
        )


@lru_cache(maxsize=_REMEMBERED)
def choice_answer(ids: tuple[str, ...]) -> type[StrategyChoice]:
    """Return the form of an answer that can only name one of ``ids``, or none."""
    options: Any = Literal[(*ids, no_strategy(ids))]
    return create_model("StrategyChoice", __base__=StrategyChoice, strategy=(options, ...))


def no_strategy(ids: Iterable[str]) -> str:
    """Return the word for none of ``ids``, which is not one of them."""
    taken = set(ids)
    word = "none"
    while word in taken:
        word = f"no_{word}"
    return word


def _strategy_line(strategy: Strategy) -> str:
    return one_line(f"{strategy.id} (aims at {strategy.target_mode}): {strategy.guidance or strategy.title}")


def _target_line(target: Target) -> str:
    conditions = f" ({', '.join(target.constraints)})" if target.constraints else ""
    return one_line(f"{target.text}{conditions}: {_STATUS_WORDS[target.status]}")


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines) or "-"


def _counts(names: Iterable[str]) -> str:
    return ", ".join(f"{name} {n} ×" for name, n in Counter(names).items()) or "none"
