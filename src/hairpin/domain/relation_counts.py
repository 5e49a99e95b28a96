"""How often relations were checked and violated, and what became of the conversations replayed for them.

It must not check relations; ``metamorphic`` does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.outcome import Stop, StopReason
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import MORTAR_RELATIONS, MetamorphicRelation
from hairpin.domain.tally import ratio, sends


class RelationCount(Value):
    """Of one relation: ``checks`` that were executed, ``violations`` among them, and those that were not applicable."""

    checks: int = Field(default=0, ge=0)
    violations: int = Field(default=0, ge=0)
    not_applicable: int = Field(default=0, ge=0)


class RelationTotals(Value):
    """What the last folds of all families found.

    ``levels``: violations of MR1 to MR4 by their level, 1 to 3; violations without gold answers have none.
    """

    by_relation: Mapping[MetamorphicRelation, RelationCount] = Field(default_factory=dict)
    levels: Mapping[int, int] = Field(default_factory=dict)


class MetamorphicSummary(Value):
    """Conversations replayed for relations: they have no verdict and are in no count of conversations.

    Attributes:
        sources: conversations that ask a test seed as it is, or that have follow-ups.
        replays: those that ask a test seed as it is, and follow-ups, that have an outcome.
        follow_ups: of ``replays``, the follow-ups.
        missing: those that are planned and have none.
        broken_by_reason: of ``replays``, those that ended in an error or were cut short, by stop reason.
        sut_calls: how often ``send`` was called in them.
        violation_rate: Rate⁺, violations of MR1 to MR4 over their executed checks; ``None`` when there was no check.
        L1: violations of MR1 to MR4 whose question got a wrong answer in the source conversation already; L2: whose
            question got a right one, but another question a wrong one or none; L3: where all answers were right.

    Source: MORTAR, section IV (Rate⁺ and bug levels).
    """

    sources: int = Field(default=0, ge=0)
    replays: int = Field(default=0, ge=0)
    follow_ups: int = Field(default=0, ge=0)
    missing: int = Field(default=0, ge=0)
    broken_by_reason: Mapping[str, int] = Field(default_factory=dict)
    sut_calls: int = Field(default=0, ge=0)
    violation_rate: float | None = None
    RBT: RelationCount = RelationCount()
    MR1: RelationCount = RelationCount()
    MR2: RelationCount = RelationCount()
    MR3: RelationCount = RelationCount()
    MR4: RelationCount = RelationCount()
    METAL: RelationCount = RelationCount()
    QAASKER: RelationCount = RelationCount()
    L1: int = Field(default=0, ge=0)
    L2: int = Field(default=0, ge=0)
    L3: int = Field(default=0, ge=0)

    @property
    def planned(self) -> int:
        """How many replays there should be, as far as is known."""
        return self.replays + self.missing

    @property
    def broken(self) -> int:
        """How many replays ended in an error or were cut short."""
        return sum(self.broken_by_reason.values())

    @property
    def total(self) -> RelationCount:
        """The counts of all relations together."""
        counts = [self.of(relation) for relation in MetamorphicRelation]
        return RelationCount(
            checks=sum(count.checks for count in counts),
            violations=sum(count.violations for count in counts),
            not_applicable=sum(count.not_applicable for count in counts),
        )

    def of(self, relation: MetamorphicRelation) -> RelationCount:
        """Return the counts of one relation."""
        count = getattr(self, relation.value)
        assert isinstance(count, RelationCount)
        return count


@dataclass(slots=True)
class ReplayTally:
    """What has been counted of replays so far; memory stays with the number of sources."""

    sources: set[str] = field(default_factory=set)
    n_test_seeds: int = 0
    replays: int = 0
    follow_ups: int = 0
    missing: int = 0
    broken: Counter[str] = field(default_factory=Counter)
    sut_calls: int = 0

    def add(self, record: ConversationRecord) -> None:
        """Count one replay.

        Raises:
            ValueError: the conversation is none.
        """
        replay, outcome = record.planned.replay, record.outcome
        if replay is None:
            raise ValueError(f"conversation {record.planned.id} is no replay; count it with the conversations")
        self.sources.add(replay.source or record.planned.id)
        self.n_test_seeds += replay.source is None
        self.sut_calls += sends(record)
        if outcome is None:
            self.missing += 1
            return
        self.replays += 1
        self.follow_ups += replay.source is not None
        if is_broken(outcome.stop):
            self.broken[outcome.stop.reason.value] += 1

    def summary(self, totals: RelationTotals) -> MetamorphicSummary:
        """Return the figures, with what the relations found."""
        counts = {relation: totals.by_relation.get(relation, RelationCount()) for relation in MetamorphicRelation}
        mortar = [counts[relation] for relation in MORTAR_RELATIONS]
        return MetamorphicSummary(
            sources=len(self.sources),
            replays=self.replays,
            follow_ups=self.follow_ups,
            missing=self.missing,
            broken_by_reason=dict(sorted(self.broken.items())),
            sut_calls=self.sut_calls,
            violation_rate=ratio(sum(each.violations for each in mortar), sum(each.checks for each in mortar)),
            **{relation.value: count for relation, count in counts.items()},
            **{f"L{level}": totals.levels.get(level, 0) for level in (1, 2, 3)},
        )


def is_broken(stop: Stop) -> bool:
    """Whether a replay with this stop ended in an error or was cut short, so that questions were left unasked."""
    return stop.rule.verdict is not None or stop.reason is StopReason.INTERRUPTED
