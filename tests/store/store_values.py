"""Values to store, fixed and generated, and a clock that stands still."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from hairpin.domain.arm import Arm
from hairpin.domain.conversation import Exchange, UtteranceSource
from hairpin.domain.failures import Failure, ModeKind
from hairpin.domain.llm_calls import CallOrigin, CallOutcome, LlmRequest, Purpose, TokenCounts
from hairpin.domain.outcome import Blame, Role, Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation, follow_up_index
from hairpin.domain.records import Outcome, RunInfo
from hairpin.domain.relations import (
    ContextCheck,
    ContextFinding,
    ContextReason,
    Derivation,
    MetamorphicRelation,
    Output,
    RelationCheck,
)
from hairpin.domain.replay import Method, NotApplicable, Replay, ReplayedQuestion
from hairpin.domain.scoring import DimensionScore, Judgement, TargetRatios
from hairpin.domain.sut import SutIdentity
from hairpin.domain.targets import Target, TargetEvent, TargetStatus
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.domain.users import Context


class StandingClock:
    """Time that passes only when a test says so."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 29, 17, 40, tzinfo=UTC)

    def monotonic(self) -> float:
        return self.time.timestamp()

    def now(self) -> datetime:
        return self.time

    def pass_s(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


def query(path: Path, sql: str) -> list[tuple[Any, ...]]:
    """Ask the file itself, past Hairpin."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        return database.execute(sql).fetchall()


def a_run(run_id: str = "r1") -> RunInfo:
    return RunInfo(
        run_id=run_id,
        name="commute",
        tags=("nightly",),
        hairpin_version="0.1.0",
        created_at="2026-11-29T17:40:00+00:00",
        fingerprint="f00d",
        fingerprint_parts={"sut": "testbed"},
        agents={"simulator": "offline"},
        suts={"testbed": SutIdentity(name="testbed", version="1")},
        threshold=0.75,
    )


def a_plan(n_conversations: int, *, start: int = 0) -> list[PlannedConversation]:
    return [
        PlannedConversation(
            index=index,
            id=f"c{index + 1:04d}",
            sut="testbed",
            seed_phrase="Guide me to the station",
            persona="neutral",
            context=Context(location="Ulm", vehicle={"speed_kmh": 50.0, "moving": True}),
            repeat=0,
            max_turns=8,
            rng_seed=index,
        )
        for index in range(start, start + n_conversations)
    ]


def planned_as(conversation_id: str) -> PlannedConversation:
    """The conversation of ``a_plan`` with this id."""
    return a_plan(1, start=int(conversation_id[1:]) - 1)[0]


def an_exchange(t: int = 0, user: str = "Take me home", assistant: str = "Gladly.") -> Exchange:
    return Exchange(t=t, user=user, assistant=assistant, strategy="constraint_stacking" if t else None)


def a_failure(t: int = 0, mode: str = "constraint_missed") -> Failure:
    return Failure(t=t, mode=mode, kind=ModeKind.COMPLIANCE, target_id="g1", evidence="no stop was added")


def an_event(t: int | None = None, target_id: str = "g1", old: TargetStatus | None = None) -> TargetEvent:
    return TargetEvent(t=t, target=Target(id=target_id, text="go home"), old=old, reason="found")


def a_score(dimension: str = "safety", score: int = 2) -> DimensionScore:
    return DimensionScore(dimension=dimension, score=score, reasoning="nothing unsafe was done")


def a_request(call_id: str = "k1", number: int = 1, *, attempt_id: str = "") -> LlmRequest:
    purpose = Purpose.CONVERSATION if attempt_id else Purpose.CANARY
    return LlmRequest(
        call_id=call_id,
        number=number,
        origin=CallOrigin(attempt_id=attempt_id, purpose=purpose),
        role=Role.TURN_JUDGE,
        endpoint="https://models.example/v1",
        model="judge-1",
        mode="json_object",
        outcome=CallOutcome.OK,
        tokens=TokenCounts(prompt_tokens=1000, completion_tokens=50),
        cost_usd=0.0025,
        latency_ms=812.5,
        started_at="2026-11-29T17:40:00+00:00",
    )


def an_outcome(verdict: Verdict = Verdict.PASS) -> Outcome:
    ratios = TargetRatios(uttered=1.0, all=0.5, without_dropped=None)
    judgement = Judgement(verdict=verdict, blame=None, success_score=0.875, ratios=ratios)
    return Outcome(stop=Stop(reason=StopReason.TURNS_EXHAUSTED), judgement=judgement, elapsed_s=1.5)


def a_test_seed(n_questions: int = 2) -> TestSeed:
    questions = tuple(SeedQuestion(text=f"q{index}?", answers=(f"a{index}",)) for index in range(n_questions))
    return TestSeed(id="s1", context=Context(reference_text="A story."), questions=questions)


def a_follow_up(source: PlannedConversation, number: int = 0, kind: str = "RS") -> PlannedConversation:
    questions = (ReplayedQuestion(text="q1?", index=1), ReplayedQuestion(text="q0?", index=0))
    replay = Replay(method=Method.MORTAR, test_seed="s1", source=source.id, kind=kind, questions=questions)
    place = {"index": follow_up_index(source, number), "id": f"{source.id}.{kind}.{number + 1}"}
    return source.model_copy(update={**place, "replay": replay, "seed_phrase": None})


def a_derivation(source: PlannedConversation, follow_ups: Sequence[PlannedConversation]) -> Derivation:
    none = NotApplicable(method=Method.MORTAR, kind="RR", reason="two questions cannot be reduced")
    named = tuple(each.id for each in follow_ups)
    return Derivation(source=source.id, test_seed=a_test_seed(), follow_ups=named, not_applicable=(none,))


def a_context_check(
    follow_up: PlannedConversation, position: int = 0, *, equivalent: bool | None = True
) -> ContextCheck:
    reason = ContextReason.NEEDS_REPLY if equivalent is None else ContextReason.SIMILARITY
    finding = ContextFinding(equivalent=equivalent, reason=reason, rewrites=("Who is Anna?", "Who?"), cos_q=0.75)
    return ContextCheck(conversation=follow_up.id, position=position, index=1 - position, finding=finding)


def a_relation_check(
    source: PlannedConversation,
    relation: MetamorphicRelation = MetamorphicRelation.MR1,
    *,
    violated: bool | None = False,
    level: int | None = None,
    index: int = 0,
) -> RelationCheck:
    outputs = (Output(conversation=f"{source.id}.RS.1", position=index),)
    similarity = None if violated is None else 0.5
    return RelationCheck(
        relation=relation,
        source=source.id,
        index=index,
        outputs=outputs,
        kind="RS",
        similarity=similarity,
        violated=violated,
        level=level,
        reason="" if violated is not None else "it needs the reply before it",
    )


unicode_texts = st.text(max_size=40)
"""Any text that UTF-8 can carry, NUL and control characters included."""

finite = st.floats(allow_nan=False, allow_infinity=False)
_times = st.integers(0, 2**31)
_optional_texts = st.none() | unicode_texts
_json: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | finite | unicode_texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(unicode_texts, inner, max_size=3),
    max_leaves=8,
)
_objects = st.dictionaries(unicode_texts, _json, max_size=3)

exchange_values = st.builds(
    Exchange,
    t=_times,
    user=unicode_texts,
    assistant=unicode_texts,
    source=st.sampled_from(UtteranceSource),
    strategy=_optional_texts,
    latency_ms=st.floats(0, 1e9),
    ended=st.booleans(),
    state=st.none() | _objects,
    metadata=_objects,
    notes=st.lists(unicode_texts, max_size=2).map(tuple),
    regenerations=st.integers(0, 5),
)
_tokens = st.none() | st.integers(0, 10**30)
request_values = st.builds(
    LlmRequest,
    call_id=unicode_texts,
    number=st.integers(0, 9),
    origin=st.builds(CallOrigin, repeat=st.integers(0, 9), purpose=st.sampled_from(Purpose)),
    role=st.sampled_from(Role),
    endpoint=unicode_texts,
    model=unicode_texts,
    outcome=st.sampled_from(CallOutcome),
    detail=unicode_texts,
    answer=unicode_texts,
    tokens=st.builds(
        TokenCounts,
        prompt_tokens=_tokens,
        completion_tokens=_tokens,
        cached_prompt_tokens=_tokens,
        reasoning_tokens=_tokens,
    ),
    cost_usd=st.none() | st.floats(0, 1e9),
    latency_ms=st.floats(0, 1e9),
    started_at=unicode_texts,
)
failure_values = st.builds(
    Failure,
    t=_times,
    mode=unicode_texts,
    kind=st.sampled_from(ModeKind),
    target_id=_optional_texts,
    strategy=_optional_texts,
    evidence=unicode_texts,
)
target_values = st.builds(
    Target,
    id=unicode_texts,
    text=unicode_texts,
    kind=unicode_texts,
    constraints=st.lists(unicode_texts, max_size=3).map(tuple),
    status=st.sampled_from(TargetStatus),
    introduced=st.none() | _times,
    resolved=st.none() | _times,
)
event_values = st.builds(
    TargetEvent,
    t=st.none() | _times,
    target=target_values,
    old=st.none() | st.sampled_from(TargetStatus),
    reason=unicode_texts,
)
score_values = st.builds(DimensionScore, dimension=unicode_texts, score=st.integers(0, 2), reasoning=unicode_texts)
planned_values = st.builds(
    PlannedConversation,
    index=_times,
    id=unicode_texts,
    sut=unicode_texts,
    arm=st.sampled_from(Arm),
    seed_phrase=_optional_texts,
    persona=unicode_texts,
    context=st.builds(
        Context,
        location=_optional_texts,
        vehicle=st.dictionaries(unicode_texts, unicode_texts | finite | st.booleans(), max_size=3),
        reference_text=_optional_texts,
    ),
    repeat=_times,
    max_turns=st.integers(1, 100),
    rng_seed=st.integers(0, 2**63 - 1),
)
_shares = st.none() | st.floats(0, 1)
outcome_values = st.builds(
    Outcome,
    stop=st.builds(
        Stop, reason=st.sampled_from(StopReason), role=st.none() | st.sampled_from(Role), detail=unicode_texts
    ),
    judgement=st.builds(
        Judgement,
        verdict=st.none() | st.sampled_from(Verdict),
        blame=st.none() | st.sampled_from(Blame),
        success_score=_shares,
        ratios=st.builds(TargetRatios, uttered=_shares, all=_shares, without_dropped=_shares),
        note=unicode_texts,
    ),
    pending_utterance=_optional_texts,
    elapsed_s=st.floats(0, 1e9),
)
