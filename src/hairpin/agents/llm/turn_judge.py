"""The turn judge played by a model: what it is shown of an exchange.

It must not see strategies, the persona or what the simulator was told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hairpin.agents.llm.transcript import context_messages, exchange_message, fenced, one_line
from hairpin.agents.llm.turn_answers import turn_answer
from hairpin.agents.llm.turn_reading import judgement_of, refuse_impossible
from hairpin.domain.briefs import TurnBrief
from hairpin.domain.failures import FailureMode, ModeKind
from hairpin.domain.judgement import TurnJudgement
from hairpin.domain.prompts import PromptSlots, RolePrompt, fill
from hairpin.domain.targets import Target, TargetStatus
from hairpin.ports import ChatMessage, ChatModel, ChatPrompt

TURN_JUDGE_SLOTS: Final = PromptSlots(
    system=frozenset({"language", "compliance_modes", "response_modes"}),
    request=frozenset({"t", "targets"}),
    required=frozenset({"language", "compliance_modes", "response_modes", "targets"}),
)

_NONE: Final = "(none)"
_STATUS_WORDS: Final = {
    TargetStatus.COMPLETED: "completed",
    TargetStatus.INCOMPLETE: "open",
    TargetStatus.DROPPED: "withdrawn",
}


class LlmTurnJudge:
    """Labels one exchange by what a model says of it."""

    def __init__(self, model: ChatModel, prompt: RolePrompt) -> None:
        self._model = model
        self._prompt = prompt
        self._systems: dict[tuple[tuple[FailureMode, ...], str], ChatMessage] = {}

    async def judge(self, brief: TurnBrief) -> TurnJudgement:
        """Return statuses, labels and new targets of the exchange. Raises RoleError."""
        answer = await self._model.ask(
            self.prompt(brief),
            turn_answer(brief.modes, brief.targets),
            origin=brief.origin,
            check=lambda said: refuse_impossible(said, brief.targets),
        )
        return judgement_of(answer, brief)

    def prompt(self, brief: TurnBrief) -> ChatPrompt:
        """Return what the model is asked: instructions, situation, one message per exchange, then the request."""
        exchanges = tuple(exchange_message(turn) for turn in (*brief.history, brief.turn))
        stable = (self._system(brief), *context_messages(brief.context), *exchanges)
        values = {"t": str(brief.turn.t), "targets": _targets_text(brief.targets)}
        return ChatPrompt(stable=stable, request=fill(self._prompt.request, values))

    def _system(self, brief: TurnBrief) -> ChatMessage:
        key = brief.modes, brief.language
        if key not in self._systems:
            values = {
                "language": brief.language,
                "compliance_modes": _modes_text(brief.modes, ModeKind.COMPLIANCE),
                "response_modes": _modes_text(brief.modes, ModeKind.RESPONSE),
            }
            self._systems[key] = ChatMessage(role="system", text=fill(self._prompt.system, values))
        return self._systems[key]


def _modes_text(modes: Sequence[FailureMode], kind: ModeKind) -> str:
    return "\n\n".join(_mode_text(mode) for mode in modes if mode.kind is kind) or _NONE


def _mode_text(mode: FailureMode) -> str:
    return "\n".join(
        (
            f"### {mode.id}",
            f"{one_line(mode.title)}. {one_line(mode.definition)}",
            f"What counts: {one_line(mode.materiality)}",
            "Is one:",
            fenced(mode.positive_example),
            "Is none:",
            fenced(mode.negative_example),
        )
    )


def _targets_text(targets: Sequence[Target]) -> str:
    return "\n".join(_target_text(target) for target in targets) or _NONE


def _target_text(target: Target) -> str:
    status = _STATUS_WORDS[target.status] if target.uttered else "open, not asked for so far"
    constraints = "; ".join(one_line(constraint) for constraint in target.constraints)
    return f"- {target.id} ({status}): {one_line(target.text)}" + (
        f" [conditions: {constraints}]" if constraints else ""
    )
