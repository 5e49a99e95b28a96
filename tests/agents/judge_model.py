"""A chat model that gives the answers it was handed, and the shipped prompts and rubric it is asked with.

For tests of the judges played by models only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from hairpin.agents.llm.conversation_judge import CONVERSATION_JUDGE_SLOTS
from hairpin.agents.llm.turn_judge import TURN_JUDGE_SLOTS
from hairpin.domain.conversation import DialogueTurn
from hairpin.domain.llm_calls import CallOrigin
from hairpin.domain.outcome import Role, StopReason
from hairpin.domain.prompts import PromptSlots, RolePrompt
from hairpin.domain.rubric import Rubric
from hairpin.packs.finder import PackFinder
from hairpin.packs.prompts import find_prompt
from hairpin.packs.resolver import PackResolver
from hairpin.ports import AnswerT, ChatPrompt, InvalidAnswerError, RoleError

_SLOTS = {"turn_judge": TURN_JUDGE_SLOTS, "conversation_judge": CONVERSATION_JUDGE_SLOTS}


class HandedModel:
    """Gives ``answers`` one after the other; one that is refused is followed by the next, like a repair."""

    name = "handed"

    def __init__(self, *answers: Mapping[str, object], role: Role = Role.TURN_JUDGE) -> None:
        self._answers = list(answers)
        self._role = role
        self.prompts: list[ChatPrompt] = []
        self.origins: list[CallOrigin] = []
        self.complaints: list[str] = []

    async def ask(
        self,
        prompt: ChatPrompt,
        answer: type[AnswerT],
        *,
        origin: CallOrigin,
        check: Callable[[AnswerT], None] | None = None,
    ) -> AnswerT:
        self.prompts.append(prompt)
        self.origins.append(origin)
        while self._answers:
            try:
                given = answer.model_validate(self._answers.pop(0))
                if check is not None:
                    check(given)
            except InvalidAnswerError as error:
                self.complaints.append(str(error))
            else:
                return given
        raise RoleError(StopReason.JUDGE_FAULT, self._role, "no usable answer")


@cache
def shipped_prompt(name: str) -> RolePrompt:
    slots: PromptSlots = _SLOTS[name]
    return find_prompt(name, PackFinder.standard(plugins=[]), slots=slots)[0]


@cache
def in_car_rubric() -> Rubric:
    return PackResolver(PackFinder.standard(plugins=[])).rubric("in_car", where="test")


def spoken(*pairs: tuple[str, str]) -> tuple[DialogueTurn, ...]:
    return tuple(DialogueTurn(t=t, user=user, assistant=assistant) for t, (user, assistant) in enumerate(pairs))


def whole(prompt: ChatPrompt) -> str:
    return "\n".join(message.text for message in prompt.messages)


def shown_lines(prompts: Sequence[str]) -> list[str]:
    return [line for prompt in prompts for line in prompt.splitlines()]
