"""A small world for runs: smooth roles, an assistant with a hook per call, a store in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any

import anyio
import anyio.lowlevel
import structlog

from hairpin.campaign.job import RunJob
from hairpin.campaign.watchdog import Watchdog
from hairpin.domain.arm import Arm
from hairpin.domain.ballots import Ballot
from hairpin.domain.briefs import DimensionBrief, ExtractionBrief, SpeakBrief, StrategyBrief, TurnBrief
from hairpin.domain.conversation import Exchange, Utterance
from hairpin.domain.failures import Failure, FailureMode, ModeKind
from hairpin.domain.judgement import TurnJudgement
from hairpin.domain.llm_calls import LlmRequest
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.progress import Activity, RunProgress
from hairpin.domain.records import ConversationRecord, Outcome, RunInfo, RunStatus
from hairpin.domain.relations import ContextCheck, Derivation, Fold
from hairpin.domain.reviews import SimulatorReview
from hairpin.domain.rubric import Dimension, Rubric, Weights
from hairpin.domain.scenario import Scenario
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.sut import Capabilities, SessionStart, SutIdentity, SutReply
from hairpin.domain.sut_spec import PythonSut
from hairpin.domain.targets import Target, TargetEvent
from hairpin.domain.users import Persona
from hairpin.errors import StoreError
from hairpin.ports import Clock, Roles

LOGGER = structlog.wrap_logger(structlog.PrintLogger())

RUBRIC = Rubric(
    id="small",
    title="Small",
    modes=(
        FailureMode(
            id="forgot",
            kind=ModeKind.RESPONSE,
            title="Forgot",
            definition="…",
            materiality="…",
            positive_example="…",
            negative_example="…",
        ),
    ),
    dimensions=(Dimension(id="plan", title="Plan", question="?", anchors=("0", "1", "2")),),
    weights=Weights(dimensions={"plan": 1.0}),
)


class SmoothRoles:
    async def extract(self, brief: ExtractionBrief) -> tuple[Target, ...]:
        return ()

    async def speak(self, brief: SpeakBrief) -> Utterance:
        return Utterance(text=f"{brief.seed_phrase} {brief.t}")

    async def choose(self, brief: StrategyBrief) -> None:
        return None

    async def judge(self, brief: TurnBrief) -> TurnJudgement:
        return TurnJudgement()

    async def score(self, brief: DimensionBrief) -> DimensionScore:
        return DimensionScore(dimension=brief.dimension.id, score=2, reasoning="fine")


@dataclass
class MemoryStore:
    """Keeps what the runner stores; can be told to fail, or to lose everything after so many rows, as a kill does."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    exchanges: list[Exchange] = field(default_factory=list)
    open_attempts: dict[str, str] = field(default_factory=dict)
    aborted: list[str] = field(default_factory=list)
    renewed: list[tuple[str, ...]] = field(default_factory=list)
    activity: list[Activity] = field(default_factory=list)
    planned: dict[str, PlannedConversation] = field(default_factory=dict)
    said: dict[str, list[Exchange]] = field(default_factory=dict)
    derivations: dict[str, tuple[Derivation, tuple[PlannedConversation, ...]]] = field(default_factory=dict)
    checks: list[ContextCheck] = field(default_factory=list)
    folds: dict[str, Fold] = field(default_factory=dict)
    fails: bool = False
    n_written: int = 0
    dies_after: int | None = None
    on_death: Callable[[], None] = lambda: None

    def _lives(self) -> bool:
        if self.dies_after is not None and self.n_written >= self.dies_after:
            self.on_death()
            return False
        self.n_written += 1
        return True

    async def create_run(self, run: RunInfo) -> None:
        return

    async def add_plan(self, planned: Sequence[PlannedConversation]) -> None:
        return

    async def record_request(self, request: LlmRequest) -> None:
        return

    def llm_requests(self) -> Iterator[LlmRequest]:
        raise AssertionError("the runner does not read")

    async def lease(self, planned: PlannedConversation, *, attempt_id: str, worker: str, lease_s: float) -> None:
        assert planned.id not in self.outcomes, f"{planned.id} has an accepted outcome"
        assert planned.id not in self.open_attempts.values(), f"{planned.id} runs already"
        if self._lives():
            self.open_attempts[attempt_id] = planned.id
            self.planned[planned.id] = planned
            self.said[attempt_id] = []

    async def renew_leases(self, attempt_ids: Sequence[str], *, lease_s: float) -> None:
        self.renewed.append(tuple(attempt_ids))

    async def record_activity(self, activity: Sequence[Activity]) -> None:
        if self.fails:
            raise StoreError("run.sqlite: the disk is full")
        self.activity.extend(activity)

    def progress(self) -> RunProgress:
        """Return what a run that goes on must know; only what these tests need is filled in."""
        begun = [planned for planned in self.planned.values() if planned.for_itself]
        return RunProgress(
            finished=frozenset(planned.index for planned in begun if planned.id in self.outcomes),
            unfinished=tuple(planned for planned in begun if planned.id not in self.outcomes),
            activity=tuple({(each.run, each.sut, each.arm): each for each in self.activity}.values()),
            durations=self._durations(),
            finished_asides=frozenset(
                planned.index for planned in self.planned.values() if planned.is_aside and planned.id in self.outcomes
            ),
            open_families=tuple(
                planned.id
                for planned in begun
                if planned.id in self.outcomes and not (planned.id in self.folds and self.folds[planned.id].complete)
            ),
        )

    def _durations(self) -> dict[tuple[int, str, Arm], tuple[float, ...]]:
        found: dict[tuple[int, str, Arm], tuple[float, ...]] = {}
        for name, outcome in self.outcomes.items():
            planned = self.planned[name]
            key = (planned.run, planned.sut, planned.arm)
            if planned.for_itself:
                found[key] = (*found.get(key, ()), outcome.elapsed_s)
        return found

    async def abort_open_attempts(self, detail: str) -> int:
        raise AssertionError("the runner knows its own attempts")

    def log(self, attempt_id: str) -> MemoryLog:
        return MemoryLog(self, attempt_id)

    async def record_exchange(self, attempt_id: str, exchange: Exchange) -> None:
        if self.fails:
            raise StoreError("run.sqlite: the disk is full")
        if self._lives():
            self.exchanges.append(exchange)
            self.said[attempt_id].append(exchange)

    async def finish_attempt(self, attempt_id: str, outcome: Outcome) -> bool:
        if self._lives():
            self.outcomes[self.open_attempts[attempt_id]] = outcome
            self.said[self.open_attempts.pop(attempt_id)] = self.said[attempt_id]
        return True

    async def abort_attempt(self, attempt_id: str, detail: str) -> None:
        if self._lives():
            self.aborted.append(self.open_attempts.pop(attempt_id))

    async def finish_run(self, status: RunStatus, *, detail: str, elapsed_s: float) -> None:
        return

    async def record_derivation(self, derivation: Derivation, follow_ups: Sequence[PlannedConversation]) -> None:
        assert derivation.source not in self.derivations, f"{derivation.source} has follow-ups already"
        if self._lives():
            self.derivations[derivation.source] = derivation, tuple(follow_ups)
            self.planned |= {planned.id: planned for planned in follow_ups}

    def derivation(self, source: str) -> tuple[Derivation, tuple[PlannedConversation, ...]] | None:
        return self.derivations.get(source)

    async def record_context_checks(self, checks: Sequence[ContextCheck]) -> None:
        if self._lives():
            self.checks.extend(checks)

    def context_checks(self, source: str) -> tuple[ContextCheck, ...]:
        names = set(self.derivations[source][0].follow_ups) if source in self.derivations else set()
        return tuple(check for check in self.checks if check.conversation in names)

    async def record_fold(self, fold: Fold) -> None:
        if self._lives():
            self.folds[fold.source] = fold

    def conversation(self, conversation_id: str) -> ConversationRecord:
        outcome = self.outcomes.get(conversation_id)
        said = tuple(self.said[conversation_id]) if outcome else ()
        return ConversationRecord(planned=self.planned[conversation_id], exchanges=said, outcome=outcome)

    def family(self, source: str) -> tuple[ConversationRecord, ...]:
        follow_ups = self.derivations[source][1] if source in self.derivations else ()
        return tuple(self.conversation(name) for name in (source, *(planned.id for planned in follow_ups)))

    def run_info(self) -> RunInfo:
        raise AssertionError("the runner does not read")

    def conversations(self) -> Iterator[ConversationRecord]:
        raise AssertionError("the runner does not read")

    def trials(self, source: PlannedConversation) -> tuple[ConversationRecord, ...]:
        """Return the trials of a conversation that were planned so far, by kind and number."""
        its = [each for each in self.planned.values() if each.trial is not None and each.trial.source == source.id]
        return tuple(self.conversation(each.id) for each in sorted(its, key=lambda each: each.index))

    def ended(self) -> Iterator[tuple[PlannedConversation, Outcome]]:
        """Yield how those conversations ended that were planned for themselves, in plan order."""
        ended = (each for each in self.planned.values() if each.for_itself and each.id in self.outcomes)
        for planned in sorted(ended, key=lambda each: each.index):
            yield planned, self.outcomes[planned.id]


@dataclass
class MemoryLog:
    store: MemoryStore
    attempt_id: str

    async def record_exchange(self, exchange: Exchange) -> None:
        await self.store.record_exchange(self.attempt_id, exchange)

    async def record_turn(self, failures: Sequence[Failure], events: Sequence[TargetEvent]) -> None:
        return

    async def record_score(self, score: DimensionScore) -> None:
        return

    async def record_ballot(self, t: int, ballot: Ballot) -> None:
        return

    async def record_review(self, review: SimulatorReview) -> None:
        return


class FrozenClock:
    def monotonic(self) -> float:
        return 0.0

    def now(self) -> datetime:
        return datetime(2026, 11, 29, tzinfo=UTC)


class Assistant:
    """An adapter and its sessions at once, with a hook per call."""

    def __init__(self, *, max_sessions: int | None = None) -> None:
        self.capabilities = Capabilities(max_sessions=max_sessions)
        self.open_now = self.most_open = self.opened = self.closed = 0

    def describe(self) -> SutIdentity:
        return SutIdentity(name="assistant")

    async def open(self, start: SessionStart) -> Session:
        await self.on_open(start)
        self.opened += 1
        self.open_now += 1
        self.most_open = max(self.most_open, self.open_now)
        return Session(self, start)

    async def aclose(self) -> None:
        return

    async def on_open(self, start: SessionStart) -> None:
        return

    async def on_send(self, start: SessionStart, utterance: str) -> Any:
        await anyio.lowlevel.checkpoint()
        return SutReply(text=f"ok {utterance}")

    async def on_close(self) -> None:
        return


@dataclass
class Session:
    assistant: Assistant
    start: SessionStart

    async def send(self, utterance: str) -> Any:
        return await self.assistant.on_send(self.start, utterance)

    async def close(self) -> None:
        self.assistant.open_now -= 1
        self.assistant.closed += 1
        await self.assistant.on_close()


def scenario_of(*, n_phrases: int = 6, turn_timeout_s: float = 5, max_turns: int = 2) -> Scenario:
    return Scenario(
        id="small",
        sut=PythonSut(reference="x:y"),
        seed_phrases=tuple(f"phrase {number}" for number in range(n_phrases)),
        personas=(Persona(id="neutral", title="Neutral", description="…"),),
        max_turns=max_turns,
        rubric=RUBRIC,
        turn_timeout_s=turn_timeout_s,
    )


def job_for(
    *assistants: Assistant,
    n_phrases: int = 6,
    concurrency: int = 3,
    turn_timeout_s: float = 5,
    scenario: Scenario | None = None,
    clock: Clock | None = None,
    roles: SmoothRoles | None = None,
) -> RunJob:
    ids = count()
    plays = roles or SmoothRoles()
    return RunJob(
        scenario=scenario or scenario_of(n_phrases=n_phrases, turn_timeout_s=turn_timeout_s),
        adapters={f"sut{number}": assistant for number, assistant in enumerate(assistants)},
        roles=Roles(
            extractor=plays, simulator=plays, strategist=plays, turn_judge=plays, conversation_judges={"plan": plays}
        ),
        store=MemoryStore(),
        clock=clock or FrozenClock(),
        new_id=lambda: f"attempt-{next(ids)}",
        logger=LOGGER,
        watchdog=Watchdog(limit_s=60, logger=LOGGER),
        concurrency=concurrency,
        close_timeout_s=0.05,
    )


def store_of(job: RunJob) -> MemoryStore:
    assert isinstance(job.store, MemoryStore)
    return job.store
