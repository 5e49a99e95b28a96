"""The summary of a run: the fold of its conversations into ``summary.json``.

It must not decide anything: verdicts were given before, whether the run passes is ``domain.gate``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pydantic import Field

from hairpin.domain.annotations import Annotation
from hairpin.domain.base import Value
from hairpin.domain.canary_rates import CanarySummary
from hairpin.domain.confirmation import Confirmation, ConfirmationSummary, summarise_confirmations
from hairpin.domain.ledger import NOBODY, LedgerCounts, LedgerTally, ledger_row, words_by_conversation
from hairpin.domain.llm_usage import LlmUsage
from hairpin.domain.outcome import StopReason
from hairpin.domain.records import ConversationRecord, RunInfo, RunStatus
from hairpin.domain.relation_counts import MetamorphicSummary, RelationTotals, ReplayTally
from hairpin.domain.review_counts import ReviewTally, SimulatorSummary
from hairpin.domain.sut import SutIdentity
from hairpin.domain.tally import (
    ConversationCounts,
    GroupSummary,
    GroupTally,
    ModeCount,
    ModeTally,
    Standing,
    ratio,
    standing,
)

SCHEMA_VERSION = 1
SUT_ERROR_REASONS = frozenset({StopReason.SUT_ERROR, StopReason.SUT_UNREACHABLE})
RETRIED = "retried"
"""What the detail of an attempt begins with that was given up to be tried again at once."""


class SutSummary(GroupSummary):
    """The figures of one assistant.

    ``calls``: how often ``send`` was called in the conversations shown. ``regenerations``: how often an utterance of
    the simulated user was thrown away and made anew in them.
    """

    name: str
    version: str
    transport: str
    calls: int = Field(ge=0)
    regenerations: int = Field(default=0, ge=0)


class CriticalFailure(Value):
    """A failure of a critical mode, listed whatever C or the verdict says."""

    conversation: str
    sut: str
    t: int = Field(ge=0)
    mode: str
    standing: Standing


class SutErrors(Value):
    """Conversations that the assistant broke off; ``rate`` is over those that have an outcome."""

    conversations: int = Field(default=0, ge=0)
    rate: float | None = None


class Summary(Value):
    """``summary.json``; docs/summary.md says what each field means."""

    schema_version: int = SCHEMA_VERSION
    run_id: str
    fingerprint: str
    status: RunStatus
    status_detail: str
    elapsed_s: float = Field(ge=0)
    agents: Mapping[str, str]
    sut: SutSummary | None
    suts: Mapping[str, SutSummary]
    conversations: ConversationCounts
    turns: int = Field(ge=0)
    regenerations: int = Field(default=0, ge=0)
    failure_rate: float | None
    mean_success_score: float | None
    unique_failure_types_per_conversation: float | None
    failures_by_mode: Mapping[str, ModeCount]
    failures_outside_rates: Mapping[str, Mapping[str, ModeCount]]
    critical: tuple[CriticalFailure, ...]
    stop_reasons: Mapping[str, int]
    invalid_by_blame: Mapping[str, int]
    invalid_by_reason: Mapping[str, Mapping[str, int]] = Field(default_factory=dict)
    attempts_given_up: Mapping[str, int] = Field(default_factory=dict)
    ledger: LedgerCounts = LedgerCounts()
    sut_errors: SutErrors
    simulator: SimulatorSummary = SimulatorSummary()
    confirmation: ConfirmationSummary = ConfirmationSummary()
    canaries: CanarySummary | None = None
    llm: LlmUsage
    metamorphic: MetamorphicSummary
    arms: Mapping[str, GroupSummary]


def summarise(
    run: RunInfo,
    records: Iterable[ConversationRecord],
    *,
    llm: LlmUsage | None = None,
    relations: RelationTotals | None = None,
    given_up: Mapping[str, int] | None = None,
    annotations: Iterable[Annotation] = (),
    unconfirmed: Mapping[str, str] | None = None,
    confirmations: Iterable[Confirmation] = (),
) -> Summary:
    """Fold every planned conversation of ``run`` into its summary, in one pass and in plan order.

    Conversations that are replayed have no verdict: they are in ``metamorphic`` and in no other figure.

    Args:
        run: what is true of the whole run.
        records: one per planned conversation; may be a stream, none is kept.
        llm: Hairpin's own model calls, none by default.
        relations: what the checks of relations found, nothing by default.
        given_up: attempts that were given up, by their detail.
        annotations: what people say of them; it changes the ledger alone.
        unconfirmed: why failures are not confirmed, by conversation; it changes the ledger alone.
        confirmations: what trials say of failed conversations; it changes ``confirmation`` alone.

    Raises:
        ValueError: a record is of an assistant that ``run`` does not list.

    Source: design, section 9.
    """
    fold = _Fold(run, words_by_conversation(annotations), unconfirmed or {})
    for record in records:
        fold.add(record)
    summary = fold.summary(llm or LlmUsage(), fold.replays.summary(relations or RelationTotals()))
    confirmation = summarise_confirmations(confirmations, n_failed=summary.conversations.failed)
    return summary.model_copy(update={"attempts_given_up": _by_cause(given_up or {}), "confirmation": confirmation})


def to_json(summary: Summary) -> str:
    """Return ``summary.json``: two-space indent, ASCII with escapes (any console can carry it), ends with a newline."""
    return json.dumps(summary.model_dump(mode="json"), indent=2, allow_nan=False) + "\n"


@dataclass
class _Fold:
    run: RunInfo
    said: Mapping[str, tuple[Annotation, ...]] = field(default_factory=dict)
    unconfirmed: Mapping[str, str] = field(default_factory=dict)
    ledger: LedgerTally = field(default_factory=LedgerTally)
    total: GroupTally = field(default_factory=GroupTally)
    suts: dict[str, GroupTally] = field(default_factory=dict)
    arms: dict[str, GroupTally] = field(default_factory=dict)
    outside: dict[Standing, ModeTally] = field(default_factory=dict)
    stop_reasons: Counter[str] = field(default_factory=Counter)
    blames: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, Counter[str]] = field(default_factory=dict)
    critical: list[CriticalFailure] = field(default_factory=list)
    replays: ReplayTally = field(default_factory=ReplayTally)
    reviews: ReviewTally = field(default_factory=ReviewTally)

    def __post_init__(self) -> None:
        self.suts = {label: GroupTally() for label in sorted(self.run.suts)}

    def add(self, record: ConversationRecord) -> None:
        planned, where = record.planned, standing(record)
        if planned.sut not in self.suts:
            known = ", ".join(self.suts) or "none"
            raise ValueError(f"conversation {planned.id} is of assistant {planned.sut!r}; the run lists {known}")
        if planned.replay is not None:
            self.replays.add(record)
            return
        if not planned.for_itself:
            return
        for tally in (self.total, self.suts[planned.sut], self.arms.setdefault(planned.arm.value, GroupTally())):
            tally.add(record, where)
        self.reviews.add(record.review)
        if not where.in_rates and record.failures:
            self.outside.setdefault(where, ModeTally()).add(record.failures)
        if record.outcome:
            self.stop_reasons[record.outcome.stop.reason.value] += 1
        if where is Standing.INVALID and record.outcome:
            blame = record.outcome.judgement.blame
            blamed = blame.value if blame else NOBODY
            self.blames[blamed] += 1
            self.reasons.setdefault(record.outcome.stop.reason.value, Counter())[blamed] += 1
        self._note_critical(record, where)
        said, unconfirmed = self.said.get(planned.id, ()), self.unconfirmed.get(planned.id, "")
        self.ledger.add(ledger_row(record, said, unconfirmed=unconfirmed))

    def _note_critical(self, record: ConversationRecord, where: Standing) -> None:
        self.critical.extend(
            CriticalFailure(
                conversation=record.planned.id, sut=record.planned.sut, t=failure.t, mode=failure.mode, standing=where
            )
            for failure in record.failures
            if failure.mode in self.run.critical_modes
        )

    def summary(self, llm: LlmUsage, metamorphic: MetamorphicSummary) -> Summary:
        run, total = self.run, self.total.summary()
        suts = {label: _sut_summary(run.suts[label], tally) for label, tally in self.suts.items()}
        counts = _all_planned(total.conversations, run.n_planned, begun=self.replays.n_test_seeds)
        return Summary(
            run_id=run.run_id,
            fingerprint=run.fingerprint,
            status=run.status,
            status_detail=run.status_detail,
            elapsed_s=round(run.elapsed_s, 3),
            agents=dict(sorted(run.agents.items())),
            sut=next(iter(suts.values())) if len(suts) == 1 else None,
            suts=suts,
            conversations=counts,
            turns=total.turns,
            regenerations=self.total.regenerations,
            failure_rate=total.failure_rate,
            mean_success_score=total.mean_success_score,
            unique_failure_types_per_conversation=total.unique_failure_types_per_conversation,
            failures_by_mode=total.failures_by_mode,
            failures_outside_rates={where.value: tally.counts() for where, tally in sorted(self.outside.items())},
            critical=tuple(self.critical),
            stop_reasons=dict(sorted(self.stop_reasons.items())),
            invalid_by_blame=dict(sorted(self.blames.items())),
            invalid_by_reason={reason: dict(sorted(blames.items())) for reason, blames in sorted(self.reasons.items())},
            ledger=self.ledger.counts(never_begun=counts.planned - total.conversations.planned),
            sut_errors=self._sut_errors(total.conversations),
            simulator=self.reviews.summary(),
            llm=llm,
            metamorphic=metamorphic,
            arms={arm: tally.summary() for arm, tally in sorted(self.arms.items())},
        )

    def _sut_errors(self, counts: ConversationCounts) -> SutErrors:
        broken = sum(self.stop_reasons[reason.value] for reason in SUT_ERROR_REASONS)
        return SutErrors(conversations=broken, rate=ratio(broken, counts.completed + counts.invalid))


def _all_planned(counts: ConversationCounts, n_planned: int | None, *, begun: int) -> ConversationCounts:
    """Return the counts with conversations that were asked for and never begun: they are missing.

    ``begun``: how many of those asked for are in no count, because they ask a test seed.
    """
    never_begun = max(0, (n_planned or 0) - counts.planned - begun)
    more = {"planned": counts.planned + never_begun, "missing": counts.missing + never_begun}
    return counts.model_copy(update=more)


def _by_cause(given_up: Mapping[str, int]) -> dict[str, int]:
    """Fold attempts that were given up by what their details begin with: who was retried also says after what."""
    causes: Counter[str] = Counter()
    for detail, number in given_up.items():
        cause, _, rest = detail.partition(": ")
        causes[f"{cause} after {rest.partition(':')[0]}" if cause == RETRIED else cause] += number
    return dict(sorted(causes.items()))


def _sut_summary(identity: SutIdentity, tally: GroupTally) -> SutSummary:
    group = tally.summary()
    return SutSummary(
        name=identity.name,
        version=identity.version,
        transport=identity.transport,
        calls=tally.calls,
        regenerations=tally.regenerations,
        conversations=group.conversations,
        turns=group.turns,
        failure_rate=group.failure_rate,
        mean_success_score=group.mean_success_score,
        unique_failure_types_per_conversation=group.unique_failure_types_per_conversation,
        failures_by_mode=group.failures_by_mode,
    )
