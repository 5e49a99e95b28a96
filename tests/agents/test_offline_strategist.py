from __future__ import annotations

import pytest

from hairpin.agents.offline.strategist import OfflineStrategist
from hairpin.domain.briefs import StrategyBrief
from hairpin.domain.conversation import Exchange
from hairpin.domain.strategies import Strategy
from tests.agents.banking import BUNDLING, STACKING, history, reader

pytestmark = pytest.mark.anyio
SENT = ("Send 20 euros to Ada", "I sent 20 euros to Ada.")


async def choose(
    *exchanges: Exchange, available: tuple[Strategy, ...] = (STACKING, BUNDLING), seed: int = 1
) -> str | None:
    brief = StrategyBrief(t=len(exchanges), history=exchanges, targets=(), available=available, rng_seed=seed)
    chosen = await OfflineStrategist(reader()).choose(brief)
    return None if chosen is None else chosen.id


async def test_the_least_used_of_the_strategies_that_fit_is_chosen() -> None:
    (exchange,) = history(SENT)
    used = exchange.model_copy(update={"strategy": "bundling"})
    assert {await choose(used, seed=seed) for seed in range(10)} == {"stacking"}


async def test_ties_are_broken_by_the_random_seed() -> None:
    assert {await choose(*history(SENT), seed=seed) for seed in range(20)} == {"stacking", "bundling"}


async def test_a_strategy_without_a_sensible_sentence_is_not_chosen() -> None:
    assert await choose(*history(("Hello", "Hello.")), available=(STACKING,)) is None


async def test_an_answer_is_due_before_any_strategy() -> None:
    assert await choose(*history(("Send 20 euros to Ada", "Do you mean Ada King or Ada Byron?"))) is None


async def test_a_wish_that_was_left_aside_is_asked_for_once_more_before_any_strategy() -> None:
    ignored = ("Send 20 euros to Ada", "Nice weather.")
    assert await choose(*history(ignored)) is None
    assert await choose(*history(ignored, ("Transfer 20 euros to Ada", "Nice weather."))) is not None
