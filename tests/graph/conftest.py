"""A small world for the state machine: scripted roles, a scripted assistant, a log in memory."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from hairpin.domain.arm import Arm
from hairpin.domain.ballots import Ballot
from hairpin.domain.briefs import DimensionBrief, ExtractionBrief, ReviewBrief, SpeakBrief, StrategyBrief, TurnBrief
from hairpin.domain.conversation import Exchange, Utterance
from hairpin.domain.failures import Failure, FailureMode, ModeKind
from hairpin.domain.judgement import TurnJudgement
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.preference import Preference
from hairpin.domain.reviews import SimulatorReview
from hairpin.domain.rubric import Dimension, Rubric, Weights
from hairpin.domain.scenario import Oracles, Scenario, ScriptTurn
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.strategies import Strategy
from hairpin.domain.sut import SutReply
from hairpin.domain.sut_spec import PythonSut
from hairpin.domain.targets import Target, TargetEvent
from hairpin.domain.users import Context, Persona
from hairpin.graph.machine import build_machine, run_conversation
from hairpin.graph.speakers import UserTurns
from hairpin.graph.state import ConversationDeps, ConversationState
from hairpin.graph.stopping import StopToken
from hairpin.ports import Check, Roles

DIMENSIONS = ("adherence", "context", "plan", "safety")


def mode(mode_id: str, kind: ModeKind) -> FailureMode:
    return FailureMode(
        id=mode_id,
        kind=kind,
        title=mode_id,
        definition="…",
        materiality="…",
        positive_example="…",
        negative_example="…",
    )


RUBRIC = Rubric(
    id="small",
    title="Small",
    modes=(mode("omitted", ModeKind.COMPLIANCE), mode("forgot", ModeKind.RESPONSE), mode("unsafe", ModeKind.RESPONSE)),
    dimensions=tuple(Dimension(id=d, title=d, question="?", anchors=("0", "1", "2")) for d in DIMENSIONS),
    weights=Weights(dimensions=dict.fromkeys(DIMENSIONS, 1.0)),
)
STRATEGIES = (
    Strategy(id="recall", title="Recall", target_mode="forgot", max_consecutive=2),
    Strategy(id="probe", title="Probe", target_mode="unsafe", max_consecutive=1),
)


@dataclass
class MemoryLog:
    exchanges: list[Exchange] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    events: list[TargetEvent] = field(default_factory=list)
    scores: list[DimensionScore] = field(default_factory=list)
    reviews: list[SimulatorReview] = field(default_factory=list)
    ballots: dict[int, Ballot] = field(default_factory=dict)

    async def record_exchange(self, exchange: Exchange) -> None:
        self.exchanges.append(exchange)

    async def record_turn(self, failures: Sequence[Failure], events: Sequence[TargetEvent]) -> None:
        self.failures.extend(failures)
        self.events.extend(events)

    async def record_score(self, score: DimensionScore) -> None:
        self.scores.append(score)

    async def record_ballot(self, t: int, ballot: Ballot) -> None:
        self.ballots[t] = ballot

    async def record_review(self, review: SimulatorReview) -> None:
        self.reviews.append(review)


class FrozenClock:
    def monotonic(self) -> float:
        return 0.0

    def now(self) -> datetime:
        return datetime(2026, 11, 29, tzinfo=UTC)


Speak = Callable[[SpeakBrief], Awaitable[Utterance]]
Judge = Callable[[TurnBrief], Awaitable[TurnJudgement]]
Score = Callable[[DimensionBrief], Awaitable[DimensionScore]]
Reply = Callable[[str], Awaitable[Any]]


@dataclass
class World:
    """Everything of one conversation that a test can change; the defaults make a smooth one."""

    max_turns: int = 4
    arm: Arm = Arm.GUIDED
    preference: Preference | None = None
    phrase: str | None = "take me home"
    script: tuple[ScriptTurn, ...] = ()
    turns: UserTurns | None = None
    oracles: Oracles = field(default_factory=Oracles)
    strategies: tuple[Strategy, ...] = STRATEGIES
    targets: tuple[Target, ...] = (Target(id="g1", text="home"),)
    checks: tuple[Check, ...] = ()
    turn_checks: tuple[tuple[Check, ...], ...] = ()
    turn_timeout_s: float = 5.0
    stop: StopToken = field(default_factory=StopToken)
    log: MemoryLog = field(default_factory=MemoryLog)
    calls: list[str] = field(default_factory=list)
    speak_briefs: list[SpeakBrief] = field(default_factory=list)
    strategy_briefs: list[StrategyBrief] = field(default_factory=list)
    turn_briefs: list[TurnBrief] = field(default_factory=list)
    dimension_briefs: list[DimensionBrief] = field(default_factory=list)
    on_extract: Callable[[ExtractionBrief], Awaitable[tuple[Target, ...]]] | None = None
    on_speak: Speak | None = None
    on_choose: Callable[[StrategyBrief], Awaitable[Strategy | None]] | None = None
    on_judge: Judge | None = None
    on_score: Score | None = None
    on_send: Reply | None = None
    on_review: Callable[[ReviewBrief], Awaitable[SimulatorReview]] | None = None
    review_briefs: list[ReviewBrief] = field(default_factory=list)

    async def extract(self, brief: ExtractionBrief) -> tuple[Target, ...]:
        self.calls.append("extract")
        return await self.on_extract(brief) if self.on_extract else self.targets

    async def speak(self, brief: SpeakBrief) -> Utterance:
        self.calls.append("speak")
        self.speak_briefs.append(brief)
        if self.on_speak:
            return await self.on_speak(brief)
        strategy = brief.strategy.id if brief.strategy else None
        return Utterance(text=f"utterance {brief.t}", strategy=strategy)

    async def choose(self, brief: StrategyBrief) -> Strategy | None:
        self.calls.append("choose")
        self.strategy_briefs.append(brief)
        return await self.on_choose(brief) if self.on_choose else brief.available[0]

    async def judge(self, brief: TurnBrief) -> TurnJudgement:
        self.calls.append("judge")
        self.turn_briefs.append(brief)
        return await self.on_judge(brief) if self.on_judge else TurnJudgement()

    async def score(self, brief: DimensionBrief) -> DimensionScore:
        self.calls.append(f"score {brief.dimension.id}")
        self.dimension_briefs.append(brief)
        if self.on_score:
            return await self.on_score(brief)
        return DimensionScore(dimension=brief.dimension.id, score=2, reasoning="fine")

    async def review(self, brief: ReviewBrief) -> SimulatorReview:
        self.calls.append("review")
        self.review_briefs.append(brief)
        return await self.on_review(brief) if self.on_review else SimulatorReview()

    async def send(self, utterance: str) -> Any:
        self.calls.append("send")
        return await self.on_send(utterance) if self.on_send else SutReply(text=f"reply to {utterance}")

    async def close(self) -> None:
        self.calls.append("close")

    def deps(self) -> ConversationDeps:
        scenario = Scenario(
            id="small",
            sut=PythonSut(reference="x:y"),
            seed_phrases=() if self.script else ("take me home",),
            script=self.script,
            personas=(Persona(id="neutral", title="Neutral", description="…"),),
            max_turns=self.max_turns,
            strategies=self.strategies,
            rubric=RUBRIC,
            oracles=self.oracles,
            turn_timeout_s=self.turn_timeout_s,
        )
        written = tuple(turn.user for turn in self.script)
        return ConversationDeps(
            planned=PlannedConversation(
                index=0,
                id="c0001",
                sut="sut",
                arm=self.arm,
                seed_phrase=None if self.script else self.phrase,
                persona="neutral",
                context=Context(location="Munich"),
                repeat=0,
                max_turns=self.max_turns,
                rng_seed=7,
                preference=self.preference,
            ),
            scenario=scenario,
            roles=Roles(
                extractor=self,
                simulator=self,
                strategist=self,
                turn_judge=self,
                conversation_judges=dict.fromkeys(DIMENSIONS, self),
                simulator_reviewer=self if self.on_review else None,
            ),
            session=self,
            log=self.log,
            clock=FrozenClock(),
            stop=self.stop,
            turns=self.turns or UserTurns(scripted=written, simulated=not written),
            checks=self.checks,
            turn_checks=self.turn_checks,
        )

    async def run(self) -> ConversationState:
        return await run_conversation(build_machine(), self.deps())


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def make_world() -> type[World]:
    return World
