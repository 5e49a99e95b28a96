"""A source conversation of two questions, follow-ups of it, and a store in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hairpin.domain.conversation import Exchange
from hairpin.domain.outcome import Stop, StopReason
from hairpin.domain.plan import PlannedConversation, follow_up_index
from hairpin.domain.records import ConversationRecord, Outcome
from hairpin.domain.relations import ContextCheck, Derivation, Fold
from hairpin.domain.replay import Method, Replay, ReplayedQuestion
from hairpin.domain.scoring import unjudged
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.domain.users import Context
from hairpin.errors import StoreError

STORY = Context(reference_text="Once upon a time.")
SEED = TestSeed(
    id="d1",
    context=STORY,
    questions=(SeedQuestion(text="who?", answers=("Ann",)), SeedQuestion(text="why?", needs_reply=True)),
)


def outcome_of(stop: Stop) -> Outcome:
    return Outcome(stop=stop, judgement=unjudged(stop))


def source_planned() -> PlannedConversation:
    asked = tuple(ReplayedQuestion(text=text, index=index) for index, text in enumerate(SEED.texts))
    return PlannedConversation(
        index=0,
        id="c0001",
        sut="sut",
        seed_phrase=None,
        persona="neutral",
        context=STORY,
        repeat=0,
        max_turns=2,
        rng_seed=7,
        replay=Replay(method=Method.RBT, test_seed=SEED.id, questions=asked),
    )


def source_record() -> ConversationRecord:
    said = tuple(Exchange(t=t, user=text, assistant="Ann") for t, text in enumerate(SEED.texts))
    stop = Stop(reason=StopReason.SCRIPT_EXHAUSTED)
    return ConversationRecord(planned=source_planned(), attempts=1, exchanges=said, outcome=outcome_of(stop))


def follow_up_of(
    source: PlannedConversation, number: int, order: Sequence[int | None], *, metal: bool = False
) -> PlannedConversation:
    """Return the follow-up that asks these questions; ``None`` is a foreign round."""
    questions = tuple(
        ReplayedQuestion(text="something else?", checked=False)
        if index is None
        else ReplayedQuestion(text=SEED.texts[index], index=index)
        for index in order
    )
    method = Method.METAL if metal else Method.MORTAR
    return source.model_copy(
        update={
            "index": follow_up_index(source, number),
            "id": f"{source.id}-x{number}",
            "max_turns": len(questions),
            "rng_seed": 100 + number,
            "replay": Replay(method=method, test_seed=SEED.id, source=source.id, kind="RS", questions=questions),
        }
    )


@dataclass
class FamilyStore:
    """Keeps what a family stores; ``fails``: the call that cannot store."""

    records: dict[str, ConversationRecord] = field(default_factory=lambda: {"c0001": source_record()})
    derived: tuple[Derivation, tuple[PlannedConversation, ...]] | None = None
    checks: list[ContextCheck] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)
    folds: list[Fold] = field(default_factory=list)
    fails: str = ""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"a family does not ask the store for {name}")

    def end(self, conversation: str, stop: Stop) -> None:
        self.records[conversation] = self.records[conversation].model_copy(update={"outcome": outcome_of(stop)})

    def reopen(self, conversation: str) -> None:
        self.records[conversation] = self.records[conversation].model_copy(update={"outcome": None})

    async def record_derivation(self, derivation: Derivation, follow_ups: Sequence[PlannedConversation]) -> None:
        self._may("record_derivation")
        assert self.derived is None
        self.derived = derivation, tuple(follow_ups)
        self.records |= {planned.id: ConversationRecord(planned=planned) for planned in follow_ups}

    def derivation(self, source: str) -> tuple[Derivation, tuple[PlannedConversation, ...]] | None:
        return self.derived

    async def record_context_checks(self, checks: Sequence[ContextCheck]) -> None:
        self._may("record_context_checks")
        self.batches.append(len(checks))
        self.checks.extend(checks)

    def context_checks(self, source: str) -> tuple[ContextCheck, ...]:
        return tuple(self.checks)

    async def record_fold(self, fold: Fold) -> None:
        self._may("record_fold")
        self.folds.append(fold)

    def conversation(self, conversation_id: str) -> ConversationRecord:
        return self.records[conversation_id]

    def family(self, source: str) -> tuple[ConversationRecord, ...]:
        return tuple(self.records.values())

    def _may(self, call: str) -> None:
        if call == self.fails:
            raise StoreError("run.sqlite: the disk is full")
