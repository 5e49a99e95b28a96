"""Follow-ups for runs: each source gets so many, made without any model, with a hook per step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio.lowlevel
import numpy as np

from hairpin.campaign.events import ConversationEnd, SilentListener
from hairpin.campaign.replaying import Replaying
from hairpin.domain.briefs import ContextBrief
from hairpin.domain.families import Family
from hairpin.domain.plan import PlannedConversation, follow_up_index
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import (
    ContextFinding,
    ContextReason,
    Derivation,
    MetamorphicRelation,
    MetamorphicSpec,
    RelationCheck,
)
from hairpin.domain.replay import Method, Replay, ReplayedQuestion
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.graph.family_state import Derived, FamilyEnd
from hairpin.ports import EncoderIdentity, FloatMatrix


def seeds(number: int, *, n_questions: int = 2) -> tuple[TestSeed, ...]:
    return tuple(
        TestSeed(
            id=f"d{n}",
            questions=tuple(SeedQuestion(text=f"question {n}.{q}", answers=("yes",)) for q in range(n_questions)),
        )
        for n in range(number)
    )


class SmoothChecker:
    """Finds every context equivalent."""

    def __init__(self) -> None:
        self.briefs: list[ContextBrief] = []

    async def check(self, brief: ContextBrief) -> ContextFinding:
        self.briefs.append(brief)
        await anyio.lowlevel.checkpoint()
        return ContextFinding(equivalent=True, reason=ContextReason.SAME_PREFIX)


class LetterEncoder:
    """Texts are alike as their letters are."""

    identity = EncoderIdentity(model="letters", revision="1", dtype="float32")

    async def encode(self, texts: Sequence[str]) -> FloatMatrix:
        await anyio.lowlevel.checkpoint()
        counts = np.array([[text.count(chr(code)) for code in range(32, 127)] for text in texts], np.float32)
        unit: FloatMatrix = counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), np.float32(1e-9))
        return unit


@dataclass(frozen=True)
class Replays(Replaying):
    """Each source is asked backwards, ``number`` times over."""

    spec: MetamorphicSpec = field(default_factory=MetamorphicSpec)
    checker: Any = field(default_factory=SmoothChecker)
    encoder: Any = field(default_factory=LetterEncoder)
    number: int = 3

    async def derive(self, source: ConversationRecord, *, accepts_history: bool) -> Derived:
        planned = source.planned
        questions = tuple(SeedQuestion(text=exchange.user) for exchange in source.exchanges)
        seed = self.test_seeds.get(planned.replay.test_seed) if planned.replay else None
        seed = seed or TestSeed(id=planned.id, questions=questions)
        made = tuple(follow_up_of(planned, number, seed) for number in range(self.number))
        names = tuple(follow_up.id for follow_up in made)
        return Derivation(source=planned.id, test_seed=seed, follow_ups=names), made

    async def relate(self, family: Family) -> tuple[RelationCheck, ...]:
        return (RelationCheck(relation=MetamorphicRelation.MR3, source=family.source.planned.id, index=0),)


def follow_up_of(source: PlannedConversation, number: int, seed: TestSeed) -> PlannedConversation:
    order = reversed(range(len(seed.questions)))
    questions = tuple(ReplayedQuestion(text=seed.texts[index], index=index) for index in order)
    return source.model_copy(
        update={
            "index": follow_up_index(source, number),
            "id": f"{source.id}-x{number}",
            "seed_phrase": None,
            "max_turns": len(questions),
            "replay": Replay(method=Method.MORTAR, test_seed=seed.id, source=source.id, kind="RS", questions=questions),
        }
    )


@dataclass
class Watcher(SilentListener):
    """Notes in order what it is told."""

    begun: list[str] = field(default_factory=list)
    conversations: list[str] = field(default_factory=list)
    follow_ups: list[str] = field(default_factory=list)
    families: list[FamilyEnd] = field(default_factory=list)
    known: int = 0
    open_now: int = 0
    most_open: int = 0

    def conversation_started(self, planned: PlannedConversation) -> None:
        self.begun.append(planned.id)

    def conversation_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        self.conversations.append(planned.id)

    def family_started(self, source: str, *, n_follow_ups: int, n_left: int) -> None:
        self.known += n_follow_ups
        self.open_now += 1
        self.most_open = max(self.most_open, self.open_now)

    def follow_up_started(self, planned: PlannedConversation) -> None:
        self.begun.append(planned.id)

    def follow_up_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        self.follow_ups.append(planned.id)

    def family_ended(self, end: FamilyEnd) -> None:
        self.families.append(end)
        self.open_now -= 1
