"""The user simulator played by a model: what it is shown, and asking again when it stops being a user.

What gives a draft away is ``agents.llm.guards``' to say; written-down turns never come here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from hairpin.agents.llm.example_lines import example_lines
from hairpin.agents.llm.guards import Flag, Guard, clean, first_flag, own_labels
from hairpin.agents.llm.languages import language_name
from hairpin.agents.llm.request_parts import request_parts
from hairpin.agents.llm.situation import situation_line
from hairpin.agents.llm.speaker_labels import unnamed
from hairpin.agents.llm.transcript import NO_ANSWER, one_line
from hairpin.domain.briefs import SpeakBrief
from hairpin.domain.conversation import Exchange, Utterance
from hairpin.domain.outcome import Role, StopReason
from hairpin.domain.prompts import PromptSlots, RolePrompt, fill
from hairpin.domain.targets import Target
from hairpin.ports import ChatMessage, ChatModel, ChatPrompt, RoleError

SIMULATOR_SLOTS: Final = PromptSlots(
    system=frozenset({"persona", "goal", "situation", "language"}),
    request=frozenset({"goal", "open_targets", "plan", "guidance", "lines", "reason"}),
    required=frozenset({"persona", "goal", "situation", "language", "open_targets", "plan", "guidance", "reason"}),
)

MAX_REGENERATIONS: Final = 2
"""How often a draft is thrown away before the simulator counts as broken."""

_FIRST, _NEXT = "First line", "Next line"
_FREE, _GUIDED, _SHOWN = "Without a plan", "With a plan", "With examples"
_AGAIN = "Rejected draft"
_REASONS: Final = {
    Guard.EMPTY: "Empty draft",
    Guard.BOTH_SIDES: "Draft with words of both speakers",
    Guard.SPEAKER_LABEL: "Draft with a speaker's name",
    Guard.END_TOKEN: "Draft with an end mark",
    Guard.ROLE_SLIP: "Draft in the assistant's voice",
    Guard.LEAKED_BRIEF: "Draft about the instructions",
    Guard.FAREWELL: "Draft that takes leave",
    Guard.REPETITION: "Draft that repeats",
    Guard.UNFAITHFUL: "Draft that leaves something out",
    Guard.TOO_LONG: "Draft that is too long",
}
"""The part of the request that says what was wrong."""


class SpokenLine(BaseModel):
    """What the model answers. Where answers are written by the schema it keeps the thought short; it is not checked."""

    model_config = ConfigDict(extra="forbid")

    thought: str = Field(description="in at most ten words", json_schema_extra={"maxLength": 120})
    utterance: str = Field(description="only the words the person says")


class LlmUserSimulator:
    """Speaks as the user by what a model says, kept to its role by the guards.

    Args:
        model: who speaks.
        prompt: ``user_simulator``; its request has the parts this module names.
        max_regenerations: how often a draft that a guard objects to is asked for anew.

    Raises:
        InvalidInputError: the prompt lacks a part.
    """

    def __init__(self, model: ChatModel, prompt: RolePrompt, *, max_regenerations: int = MAX_REGENERATIONS) -> None:
        self._model = model
        self._prompt = prompt
        self._parts = simulator_parts(prompt)
        self._max_regenerations = max_regenerations

    async def speak(self, brief: SpeakBrief) -> Utterance:
        """Return u_t; what was thrown away before it is in its notes. Raises RoleError."""
        stable, request = self._stable(brief), self._request(brief)
        notes: list[str] = []
        flags: list[Flag] = []
        while len(flags) <= self._max_regenerations:
            prompt = ChatPrompt(stable=stable, request=request + self._objection(flags))
            origin = brief.origin.model_copy(update={"draft": len(flags)})
            answer = await self._model.ask(prompt, SpokenLine, origin=origin)
            draft = clean(answer.utterance, own_labels(brief))
            flag = first_flag(draft.text, brief)
            if flag is None:
                return Utterance(
                    text=draft.text,
                    strategy=_strategy_id(brief),
                    notes=(*notes, *draft.notes),
                    regenerations=len(flags),
                )
            flags.append(flag)
            notes.append(_note(flag, answer.utterance))
        raise RoleError(StopReason.SIMULATOR_FAULT, Role.SIMULATOR, f"turn {brief.t}: {'; '.join(notes)}")

    def prompt(self, brief: SpeakBrief) -> ChatPrompt:
        """Return what the model is asked first: who it is, one message per exchange, then the request."""
        return ChatPrompt(stable=self._stable(brief), request=self._request(brief))

    def _stable(self, brief: SpeakBrief) -> tuple[ChatMessage, ...]:
        values = {
            "persona": one_line(brief.persona.description),
            "goal": one_line(brief.seed_phrase),
            "situation": situation_line(brief.context),
            "language": language_name(brief.language),
        }
        system = ChatMessage(role="system", text=fill(self._prompt.system, values))
        return (system, *map(_exchange_message, brief.history))

    def _request(self, brief: SpeakBrief) -> str:
        if brief.t == 0:
            return fill(self._parts[_FIRST], {"goal": one_line(brief.seed_phrase)})
        values = {
            "goal": one_line(brief.seed_phrase),
            "open_targets": "; ".join(map(_wish, (target for target in brief.targets if target.open))) or "-",
            "plan": self._plan(brief),
        }
        return fill(self._parts[_NEXT], values)

    def _plan(self, brief: SpeakBrief) -> str:
        strategy = brief.strategy
        if strategy is None:
            return self._parts[_FREE]
        lines = example_lines(strategy, rng_seed=brief.rng_seed)
        values = {"guidance": one_line(strategy.guidance or strategy.title), "lines": '" / "'.join(lines)}
        return fill(self._parts[_SHOWN if lines else _GUIDED], values)

    def _objection(self, flags: list[Flag]) -> str:
        if not flags:
            return ""
        flag = flags[-1]
        reason = fill(self._parts[_REASONS[flag.guard]], {"reason": flag.evidence})
        return "\n\n" + fill(self._parts[_AGAIN], {"reason": reason})


def simulator_parts(prompt: RolePrompt) -> Mapping[str, str]:
    """Return the parts of the prompt's request by their titles. Raises InvalidInputError when one is missing."""
    return request_parts(prompt, (_FIRST, _NEXT, _FREE, _GUIDED, _SHOWN, _AGAIN, *_REASONS.values()))


def _exchange_message(exchange: Exchange) -> ChatMessage:
    """Show an exchange, each speaker on one line, so that nothing said in it can pass for another speaker."""
    said, reply = unnamed(one_line(exchange.user)), unnamed(one_line(exchange.assistant)) or NO_ANSWER
    return ChatMessage(role="user", text=f"Person: {said}\nAssistant: {reply}")


def _wish(target: Target) -> str:
    return one_line(f"{target.text} ({', '.join(target.constraints)})" if target.constraints else target.text)


def _strategy_id(brief: SpeakBrief) -> str | None:
    return brief.strategy.id if brief.strategy is not None and brief.t > 0 else None


def _note(flag: Flag, text: str) -> str:
    evidence = f" ({flag.evidence})" if flag.evidence else ""
    return f"thrown away, {flag.guard.replace('_', ' ')}{evidence}: “{text}”"
