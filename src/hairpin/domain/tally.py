"""Counters of one group of conversations: a run, one of its assistants, or one of its arms.

Memory stays with the number of failure modes; what a conversation is worth was decided before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.failures import Failure, ModeKind
from hairpin.domain.outcome import StopReason, Verdict
from hairpin.domain.records import ConversationRecord


class Standing(StrEnum):
    """Where a planned conversation stands: its verdict, or missing when it has none; a replay never gets one.

    The verdicts of trials and canaries are about judges and other conversations: they stand apart whatever they are.
    """

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    INVALID = "invalid"
    MISSING = "missing"
    REPLAYED = "replayed"
    TRIAL = "trial"
    CANARY = "canary"

    @property
    def in_rates(self) -> bool:
        """Only pass and fail are in a rate's denominator (design, section 1)."""
        return self in (Standing.PASS, Standing.FAIL)


class ConversationCounts(Value):
    """planned = completed + invalid + missing; completed = passed + failed + inconclusive."""

    planned: int = Field(ge=0)
    completed: int = Field(ge=0)
    passed: int = Field(ge=0)
    failed: int = Field(ge=0)
    inconclusive: int = Field(ge=0)
    invalid: int = Field(ge=0)
    missing: int = Field(ge=0)


class ModeCount(Value):
    """How often a failure mode was found, and in how many conversations."""

    instances: int = Field(ge=0)
    conversations: int = Field(ge=0)


class GroupSummary(Value):
    """The figures of a group. Rates and means are ``None`` where nothing is left to divide by."""

    conversations: ConversationCounts
    turns: int = Field(ge=0)
    failure_rate: float | None
    mean_success_score: float | None
    unique_failure_types_per_conversation: float | None
    failures_by_mode: Mapping[str, ModeCount]


_SEND_FAILED = frozenset({StopReason.SUT_UNREACHABLE, StopReason.SUT_ERROR, StopReason.ADAPTER_FAULT})


def standing(record: ConversationRecord) -> Standing:
    """Return where ``record`` stands; an attempt without a verdict is missing: it has to run again."""
    if record.planned.replay is not None and record.outcome is not None:
        return Standing.REPLAYED
    if record.planned.trial is not None:
        return Standing.TRIAL
    if record.planned.canary is not None:
        return Standing.CANARY
    verdict: Verdict | None = record.outcome.judgement.verdict if record.outcome else None
    return Standing(verdict.value) if verdict else Standing.MISSING


def sends(record: ConversationRecord) -> int:
    """Return how often the assistant was called: once per exchange, and once more for a send that failed."""
    outcome = record.outcome
    failed = outcome and outcome.pending_utterance is not None and outcome.stop.reason in _SEND_FAILED
    return len(record.exchanges) + bool(failed)


@dataclass(slots=True)
class ModeTally:
    """Failure instances and conversations per mode."""

    instances: Counter[str] = field(default_factory=Counter)
    conversations: Counter[str] = field(default_factory=Counter)

    def add(self, failures: tuple[Failure, ...]) -> None:
        """Count the failures of one conversation."""
        self.instances.update(failure.mode for failure in failures)
        self.conversations.update({failure.mode for failure in failures})

    def counts(self) -> dict[str, ModeCount]:
        """Return the counts by mode, sorted."""
        return {
            mode: ModeCount(instances=number, conversations=self.conversations[mode])
            for mode, number in sorted(self.instances.items())
        }


@dataclass(slots=True)
class GroupTally:
    """What has been counted of a group so far."""

    standings: Counter[Standing] = field(default_factory=Counter)
    modes: ModeTally = field(default_factory=ModeTally)
    turns: int = 0
    calls: int = 0
    regenerations: int = 0
    scored: int = 0
    # An exact running sum: it gives the bits of math.fsum over all scores without keeping them.
    score_sum: Fraction = Fraction(0)
    types: int = 0

    def add(self, record: ConversationRecord, where: Standing) -> None:
        """Count one conversation; only passed and failed ones reach modes, types and scores."""
        self.standings[where] += 1
        self.turns += len(record.exchanges)
        self.calls += sends(record)
        self.regenerations += sum(exchange.regenerations for exchange in record.exchanges)
        if not where.in_rates:
            return
        self.modes.add(record.failures)
        self.types += len({failure.mode for failure in record.failures if failure.kind is not ModeKind.CHECK})
        score = record.outcome.judgement.success_score if record.outcome else None
        if score is not None:
            self.scored += 1
            self.score_sum += Fraction(score)

    def summary(self) -> GroupSummary:
        """Return the figures."""
        counts = self.counts()
        rated = counts.passed + counts.failed
        return GroupSummary(
            conversations=counts,
            turns=self.turns,
            failure_rate=ratio(counts.failed, rated),
            mean_success_score=float(self.score_sum) / self.scored if self.scored else None,
            unique_failure_types_per_conversation=ratio(self.types, rated),
            failures_by_mode=self.modes.counts(),
        )

    def counts(self) -> ConversationCounts:
        """Return how many conversations stand where."""
        passed, failed = self.standings[Standing.PASS], self.standings[Standing.FAIL]
        inconclusive = self.standings[Standing.INCONCLUSIVE]
        return ConversationCounts(
            planned=self.standings.total(),
            completed=passed + failed + inconclusive,
            passed=passed,
            failed=failed,
            inconclusive=inconclusive,
            invalid=self.standings[Standing.INVALID],
            missing=self.standings[Standing.MISSING],
        )


def ratio(part: int, whole: int) -> float | None:
    """Return ``part / whole``, ``None`` when there is nothing to divide by."""
    return part / whole if whole else None
