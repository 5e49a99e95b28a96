from __future__ import annotations

from itertools import pairwise

import pytest
from pydantic import ValidationError

from hairpin.agents.llm.strategist import STRATEGIST_SLOTS, LlmStrategist, choice_answer, no_strategy
from hairpin.domain.briefs import StrategyBrief
from hairpin.domain.conversation import Exchange
from hairpin.domain.failures import Failure, ModeKind
from hairpin.domain.strategies import Strategy
from hairpin.domain.targets import Target
from tests.agents.banking import BUNDLING, STACKING
from tests.agents.scripted_model import ScriptedModel, shipped_prompt

pytestmark = pytest.mark.anyio

PROMPT = shipped_prompt("strategist", STRATEGIST_SLOTS)


def brief(*available: Strategy, n_exchanges: int = 2) -> StrategyBrief:
    chat = [("Send 20 euros to Ada", "Sent.", None), ("And 30 to Grace", "Sent.", "stacking"), ("Why?", "", "stacking")]
    history = tuple(
        Exchange(t=t, user=user, assistant=reply, strategy=strategy)
        for t, (user, reply, strategy) in enumerate(chat[:n_exchanges])
    )
    return StrategyBrief(
        t=n_exchanges,
        history=history,
        targets=(Target(id="g1", text="send money", constraints=("today",)),),
        available=available,
        failures=(Failure(t=0, mode="request_omitted", kind=ModeKind.COMPLIANCE, target_id="g1"),),
    )


async def choose(answer: str, *available: Strategy) -> Strategy | None:
    model = ScriptedModel({"thought": "", "strategy": answer})
    return await LlmStrategist(model, PROMPT).choose(brief(*available))


async def test_the_strategy_that_the_model_names_is_chosen() -> None:
    assert await choose("bundling", STACKING, BUNDLING) is BUNDLING


async def test_the_model_may_choose_none() -> None:
    assert await choose("none", STACKING, BUNDLING) is None


async def test_a_strategy_that_is_not_available_cannot_be_answered() -> None:
    with pytest.raises(ValidationError):
        await choose("bundling", STACKING)


async def test_the_word_for_none_is_never_the_id_of_a_strategy() -> None:
    odd = STACKING.model_copy(update={"id": "none"})
    assert await choose("none", odd) is odd
    assert await choose("no_none", odd) is None
    assert no_strategy(["none", "no_none"]) == "no_no_none"


def test_the_form_of_the_answer_is_made_once_for_the_same_strategies() -> None:
    assert choice_answer(("a", "b")) is choice_answer(("a", "b"))
    assert list(choice_answer(("a",)).model_fields) == ["thought", "strategy"]


def test_the_model_sees_what_there_is_to_choose_what_was_tried_and_what_was_found() -> None:
    request = LlmStrategist(ScriptedModel(), PROMPT).prompt(brief(STACKING, BUNDLING, n_exchanges=3)).request
    for words in (
        "send money (today): open",
        "stacking 2 ×",
        "request_omitted 1 ×",
        "- stacking (aims at",
        "- bundling",
    ):
        assert words in request


def test_the_prompt_of_the_next_turn_begins_with_the_cacheable_part_of_this_one() -> None:
    strategist = LlmStrategist(ScriptedModel(), PROMPT)
    prompts = [strategist.prompt(brief(STACKING, n_exchanges=n)) for n in (1, 2, 3)]
    for now, then in pairwise(prompts):
        assert then.messages[: len(now.stable)] == now.stable
