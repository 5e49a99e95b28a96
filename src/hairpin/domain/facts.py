"""What statistics need of one conversation, without its words: small enough to hold a whole campaign's.

It decides nothing; ``analysis`` counts.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from hairpin.domain.arm import Arm
from hairpin.domain.base import Value
from hairpin.domain.failures import ModeKind
from hairpin.domain.outcome import Blame, StopReason
from hairpin.domain.preference import Preference
from hairpin.domain.records import ConversationRecord
from hairpin.domain.tally import Standing, standing


class Signature(NamedTuple):
    """What makes a failure distinct, version 1: its mode, the kind of the target it concerns, the strategy in play.

    Source: design, section 12.
    """

    mode: str
    target_kind: str
    strategy: str


class FailureFact(Value):
    """One failure instance. ``strategy``: the one that wrote u_t, ``None`` for none."""

    t: int
    mode: str
    kind: ModeKind
    target_kind: str
    strategy: str | None

    @property
    def signature(self) -> Signature:
        """What makes it distinct; ``""`` stands for no target and no strategy."""
        return Signature(self.mode, self.target_kind, self.strategy or "")


class ConversationFacts(Value):
    """One planned conversation.

    Attributes:
        context: its context in one line, a level of the plan.
        standing: pass, fail, inconclusive, invalid or missing; only the first two are in rates.
        success_score: C, ``None`` where it is undefined.
        strategies: the strategy that wrote u_t, by t; ``None`` for none.
        utterances: what the user said, by t.
        active_s: when it ended, in its arm's active seconds; ``None`` outside campaigns and where it never ended.
        cost_usd: what Hairpin's own model calls for it cost, all attempts; ``None`` when unknown.
        preference: what was learnt for it; ``None`` but in the learned arm.
    """

    id: str
    index: int
    run: int
    sut: str
    arm: Arm
    task: str
    seed_phrase: str
    persona: str
    context: str
    max_turns: int
    standing: Standing
    stop_reason: StopReason | None
    blame: Blame | None
    success_score: float | None
    failures: tuple[FailureFact, ...]
    strategies: tuple[str | None, ...]
    utterances: tuple[str, ...]
    attempts: int
    elapsed_s: float
    active_s: float | None
    cost_usd: float | None = 0.0
    preference: Preference | None = None

    @property
    def n_turns(self) -> int:
        """How many exchanges it has."""
        return len(self.strategies)

    @property
    def modes(self) -> frozenset[str]:
        """The failure types found in it, failed checks apart."""
        return frozenset(failure.mode for failure in self.failures if failure.kind is not ModeKind.CHECK)

    @property
    def first_failure_t(self) -> int | None:
        """The exchange of its first failure."""
        return min((failure.t for failure in self.failures), default=None)


def facts_of(record: ConversationRecord, *, cost_usd: float | None = 0.0) -> ConversationFacts:
    """Return what statistics need of a stored conversation.

    Raises:
        ValueError: it is a replay, a trial or a canary, which are in no statistics of conversations.
    """
    if record.planned.replay is not None or not record.planned.for_itself:
        raise ValueError(
            f"conversation {record.planned.id} was not held for itself; leave it out of what conversations are folded"
            " to"
        )
    planned, outcome = record.planned, record.outcome
    kinds = {target.id: target.kind for target in record.targets}
    return ConversationFacts(
        id=planned.id,
        index=planned.index,
        run=planned.run,
        sut=planned.sut,
        arm=planned.arm,
        task=planned.task,
        seed_phrase=planned.seed_phrase or "",
        persona=planned.persona,
        context=context_line(record),
        max_turns=planned.max_turns,
        standing=standing(record),
        stop_reason=outcome.stop.reason if outcome else None,
        blame=outcome.judgement.blame if outcome else None,
        success_score=outcome.judgement.success_score if outcome else None,
        failures=tuple(
            FailureFact(
                t=failure.t,
                mode=failure.mode,
                kind=failure.kind,
                target_kind=kinds.get(failure.target_id or "", ""),
                strategy=failure.strategy,
            )
            for failure in record.failures
        ),
        strategies=tuple(exchange.strategy for exchange in record.exchanges),
        utterances=tuple(exchange.user for exchange in record.exchanges),
        attempts=record.attempts,
        elapsed_s=outcome.elapsed_s if outcome else 0.0,
        active_s=outcome.active_s if outcome else None,
        cost_usd=cost_usd,
        preference=planned.preference,
    )


def context_line(record: ConversationRecord) -> str:
    """Return a context in one line: its name and, where there is any, the vehicle's state."""
    context = record.planned.context
    if not context.vehicle:
        return context.label()
    return f"{context.label()} {json.dumps(dict(context.vehicle), sort_keys=True, ensure_ascii=False)}"
