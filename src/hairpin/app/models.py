"""The models of a run: connected, paid for from one budget, recorded in its store, tried by canaries.

Imported only when models play a role: LangChain takes a second to load.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from structlog.typing import FilteringBoundLogger

from hairpin.agents.canary import run_canaries
from hairpin.agents.panel import ConversationJudgePanel, TurnJudgePanel
from hairpin.app.cast import JUDGES, Cast
from hairpin.app.system import new_id
from hairpin.domain.canary import Canaries, CanaryResult
from hairpin.domain.panels import PlayerKey
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.rubric import Rubric
from hairpin.llm.budget import Budget
from hairpin.llm.gateway import Gateway, GatewayTools, RoleModel
from hairpin.llm.prices import PriceTable
from hairpin.llm.providers import Providers
from hairpin.llm.response_cache import ResponseCache
from hairpin.llm.traffic.policy import TrafficPolicy
from hairpin.llm.traffic.waiting import Deadline
from hairpin.ports import Clock, LlmRequestLog, Roles
from hairpin.settings import Settings

_POLICY = TrafficPolicy()


@dataclass(frozen=True, slots=True)
class ModelTools:
    """What connecting to models takes. ``cache``: the file of the response cache, ``None``: off."""

    settings: Settings
    logger: FilteringBoundLogger
    clock: Clock
    log: LlmRequestLog
    budget: Budget
    rng_seed: int
    cache: Path | None = None
    policy: TrafficPolicy = _POLICY
    deadline: Deadline = field(default_factory=Deadline)


@dataclass(frozen=True, slots=True)
class OpenModels:
    """Models that are connected, by role, of a panel by seat; ``health``: how their endpoints fare, in words."""

    by_role: Mapping[PlayerKey, RoleModel]
    health: Callable[[], tuple[str, ...]]


@asynccontextmanager
async def open_models(cast: Cast, prices: PriceTable, tools: ModelTools) -> AsyncIterator[OpenModels]:
    """Connect to the models of ``cast``; nothing is sent yet. Connections and model servers are closed in the end.

    Raises:
        UserError: a key is missing, a model file cannot be used, the cache cannot be opened.
    """
    cache = ResponseCache.open(tools.cache, log=tools.logger) if tools.cache is not None else None
    providers = Providers(
        environ=tools.settings.environ,
        default_gguf=tools.settings.gguf,
        clock=tools.clock,
        logger=tools.logger,
        traced=tools.settings.langsmith,
    )
    try:
        gateway = Gateway[PlayerKey](
            cast.models,
            prices={role: prices.price_of(spec) for role, spec in cast.models.items()},
            providers=providers,
            tools=GatewayTools(
                log=tools.log,
                logger=tools.logger,
                clock=tools.clock,
                new_id=new_id,
                budget=tools.budget,
                deadline=tools.deadline,
                cache=cache,
                policy=tools.policy,
            ),
            rng=Random(derive_rng_seed(tools.rng_seed, "retries")),
        )
        yield OpenModels(gateway.models, lambda: gateway.health)
    finally:
        await providers.aclose()
        if cache is not None:
            cache.close()


async def try_judges(cast: Cast, roles: Roles) -> tuple[CanaryResult, ...]:
    """Ask every judge that a model plays about its canaries, and return what it said.

    Raises:
        EndsRunError: a judge's endpoint takes no calls at all.
    """
    if cast.canaries is None:
        return ()
    turn, conversation = (judge in cast.models for judge in JUDGES)
    results = await run_canaries(
        cast.canaries,
        cast.rubric,
        turn_judge=roles.turn_judge if turn else None,
        conversation_judges=roles.conversation_judges if conversation else None,
    )
    return (*results, *await _tried_members(cast.canaries, cast.rubric, roles))


async def _tried_members(canaries: Canaries, rubric: Rubric, roles: Roles) -> tuple[CanaryResult, ...]:
    """Ask every member of a panel that a model plays, once and by itself: a majority could hide one that is wrong."""
    results: list[CanaryResult] = []
    if isinstance(panel := roles.turn_judge, TurnJudgePanel):
        for member in panel.members:
            if member.modelled:
                told = await run_canaries(canaries, rubric, turn_judge=member.judge)
                results += _named(told, member.name)
    panels = {
        dimension: {member.name: member.judge for member in judge.members if member.modelled}
        for dimension, judge in roles.conversation_judges.items()
        if isinstance(judge, ConversationJudgePanel)
    }
    for name in dict.fromkeys(name for members in panels.values() for name in members):
        judges = {dimension: members[name] for dimension, members in panels.items()}
        results += _named(await run_canaries(canaries, rubric, conversation_judges=judges), name)
    return tuple(results)


def _named(results: Iterable[CanaryResult], member: str) -> list[CanaryResult]:
    return [result.model_copy(update={"judge": f"{result.judge}, {member}"}) for result in results]
