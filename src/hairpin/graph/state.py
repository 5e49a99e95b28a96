"""The channels of the state machine and what nodes are given.

Channels hold frozen domain values; run-scoped dependencies travel in the runtime context.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, TypedDict

from hairpin.domain.checks import CheckResult
from hairpin.domain.conversation import Exchange, Utterance, UtteranceSource
from hairpin.domain.failures import Failure
from hairpin.domain.judgement import TurnJudgement
from hairpin.domain.llm_calls import CallOrigin
from hairpin.domain.outcome import Stop, first_reason
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.rubric import Dimension
from hairpin.domain.scenario import Scenario
from hairpin.domain.scoring import DimensionScore, Judgement
from hairpin.domain.strategies import Strategy, StrategyPool
from hairpin.domain.targets import Target
from hairpin.graph.pulse import Pulse
from hairpin.graph.speakers import UserTurns
from hairpin.graph.stopping import StopToken
from hairpin.ports import Check, Clock, ConversationLog, Roles, SutSession


class ConversationState(TypedDict, total=False):
    """The channels. ``judged``: how many exchanges were judged; ``stops``: every stop reason met, in order."""

    targets: tuple[Target, ...]
    pool: StrategyPool
    strategy: Strategy | None
    utterance: Utterance | None
    exchanges: Annotated[tuple[Exchange, ...], operator.add]
    judged: int
    judgement: TurnJudgement
    check_results: tuple[CheckResult, ...]
    failures: Annotated[tuple[Failure, ...], operator.add]
    scores: Annotated[tuple[DimensionScore, ...], operator.add]
    stops: Annotated[tuple[Stop, ...], operator.add]
    verdict: Judgement


class DimensionInput(TypedDict):
    """What one branch of ``judge_dimension`` is sent."""

    dimension: Dimension
    exchanges: tuple[Exchange, ...]


class ReviewInput(TypedDict):
    """What ``review_simulator`` is sent: the channels that it reads."""

    exchanges: tuple[Exchange, ...]
    targets: tuple[Target, ...]
    failures: tuple[Failure, ...]


class Update(ConversationState, total=False):
    """A partial update that a node returns."""


@dataclass(slots=True)
class SutContact:
    """Whether an assistant has answered in this run: before that, "cannot connect" means it is not there."""

    replied: bool = False


@dataclass(frozen=True, slots=True)
class ConversationDeps:
    """What the nodes of one conversation work with.

    ``turn_checks`` holds the checks of each scripted turn; ``latencies_ms`` how long each recorded reply took when it
    was given, which is not how long it takes to say it again; ``rng_root``: the random seed that roles decide by, where
    it is not the conversation's own; ``ending``: the stop with which what is judged again ends after its last
    exchange, whatever judges say now.
    """

    planned: PlannedConversation
    scenario: Scenario
    roles: Roles
    session: SutSession
    log: ConversationLog
    clock: Clock
    stop: StopToken
    turns: UserTurns
    contact: SutContact = field(default_factory=SutContact)
    checks: tuple[Check, ...] = ()
    turn_checks: tuple[tuple[Check, ...], ...] = ()
    latencies_ms: tuple[float, ...] = ()
    attempt_id: str = ""
    pulse: Pulse = field(default_factory=Pulse)
    rng_root: int | None = None
    ending: Stop | None = None

    @property
    def origin(self) -> CallOrigin:
        """For whom the roles call models; a trial and a canary get answers of their own from a cache."""
        is_aside = self.planned.is_aside
        return CallOrigin(attempt_id=self.attempt_id, repeat=self.planned.index if is_aside else self.planned.repeat)

    @property
    def replays(self) -> bool:
        """Whether it asks the questions of a test seed: no oracle takes part, and there is no verdict."""
        return self.planned.replay is not None

    @property
    def guided(self) -> bool:
        """Whether judges and strategies steer the conversation."""
        return self.planned.arm.steered and not self.replays

    def reviews(self, exchanges: Sequence[Exchange]) -> bool:
        """Whether the user of these exchanges is looked at: one that made up what it said, not one that repeats it."""
        wanted = self.scenario.oracles.simulator_review and self.roles.simulator_reviewer is not None
        return wanted and any(exchange.source is UtteranceSource.SIMULATED for exchange in exchanges)

    def latency_ms(self, t: int, measured_ms: float) -> float:
        """Return how long a_t took: as recorded, else as measured."""
        return self.latencies_ms[t] if t < len(self.latencies_ms) else max(0.0, measured_ms)

    def rng_seed(self, *path: str) -> int:
        """Return the random seed of one decision in this conversation."""
        return derive_rng_seed(self.planned.rng_seed if self.rng_root is None else self.rng_root, *path)


def initial_state(deps: ConversationDeps) -> ConversationState:
    """Return the channels before the first node."""
    return ConversationState(
        targets=(),
        pool=StrategyPool(active=deps.scenario.strategies if deps.guided else ()),
        strategy=None,
        utterance=None,
        exchanges=(),
        judged=0,
        failures=(),
        scores=(),
        stops=(),
    )


def first_stop(state: ConversationState) -> Stop | None:
    """Return the stop that counts: the reason checked first, and of equal ones the earliest."""
    stops = state["stops"]
    reason = first_reason({stop.reason for stop in stops})
    return next((stop for stop in stops if stop.reason is reason), None)
