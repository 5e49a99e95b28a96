"""Which conversations a report shows whole, which it only lists, and which it only counts.

One pass over the records, holding only what is shown: the memory of a report does not grow with its run.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeVar

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.facts import Signature, facts_of
from hairpin.domain.outcome import Blame, Stop, StopReason
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relation_counts import is_broken
from hairpin.domain.tally import Standing, sends, standing

KeptT = TypeVar("KeptT")

MOST_SHOWN = 200
"""So many conversations a report shows with their transcripts; a run of no more is shown whole."""

MOST_LISTED = 1000
"""So many more conversations are listed in a line each; the others are counted."""

MOST_INVALID = 50
"""So many of the invalid conversations that ended alike are named."""


class Interest(IntEnum):
    """How much a reader wants to see a conversation, the most first."""

    FIRST_OF_A_CRITICAL_FAILURE = 0
    FIRST_OF_A_FAILURE = 1
    CRITICAL = 2
    FAILED = 3
    INVALID = 4
    INCONCLUSIVE = 5
    PASSED = 6
    MISSING = 7


_BY_STANDING = {
    Standing.FAIL: Interest.FAILED,
    Standing.INVALID: Interest.INVALID,
    Standing.INCONCLUSIVE: Interest.INCONCLUSIVE,
    Standing.PASS: Interest.PASSED,
    Standing.MISSING: Interest.MISSING,
}
"""Replays are in none: what they are for is told by relations."""


class Limits(Value):
    """How many conversations are shown with their transcripts, and how many more are listed."""

    shown: int = Field(default=MOST_SHOWN, ge=0)
    listed: int = Field(default=MOST_LISTED, ge=0)


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What a line of a list needs of a conversation. ``modes`` are ids, in the order in which they were found."""

    index: int
    id: str
    sut: str
    standing: Standing
    modes: tuple[str, ...]
    success_score: float | None
    n_turns: int


@dataclass(frozen=True, slots=True)
class InvalidGlimpse:
    """An invalid conversation in the list of what went wrong."""

    id: str
    n_turns: int
    stop: Stop


@dataclass(slots=True)
class InvalidPile:
    """The invalid conversations that ended alike: how many, and the first of them."""

    number: int = 0
    first: list[InvalidGlimpse] = field(default_factory=list)


@dataclass(slots=True)
class ReplayCount:
    """What was asked of one assistant in replays.

    ``test_seeds``: asked as they are; ``follow_ups``: of them or of conversations held freely; both with an outcome.
    ``missing``: without one. ``calls``: how often ``send`` was called.
    """

    test_seeds: int = 0
    follow_ups: int = 0
    broken: int = 0
    missing: int = 0
    calls: int = 0

    def add(self, record: ConversationRecord) -> None:
        """Count one replay."""
        replay, outcome = record.planned.replay, record.outcome
        self.calls += sends(record)
        if outcome is None:
            self.missing += 1
            return
        self.broken += is_broken(outcome.stop)
        if replay is not None and replay.source is not None:
            self.follow_ups += 1
        else:
            self.test_seeds += 1


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of a run.

    Attributes:
        records: those shown whole, in plan order.
        glimpses: those listed, in plan order.
        standings: how many there are in all, by standing.
        seconds: how long they took in all, by assistant.
        invalid: the invalid ones, by whom they are blamed on and how they ended.
        replays: what was replayed, by assistant; in nothing of the above.
    """

    records: tuple[ConversationRecord, ...]
    glimpses: tuple[Glimpse, ...]
    standings: Counter[Standing]
    seconds: dict[str, float]
    invalid: dict[tuple[Blame | None, StopReason], InvalidPile]
    replays: dict[str, ReplayCount]

    @property
    def n_counted_only(self) -> int:
        """How many are neither shown nor listed."""
        return self.standings.total() - len(self.records) - len(self.glimpses)


def choose_shown(
    records: Iterable[ConversationRecord], *, critical_modes: Collection[str], limits: Limits | None = None
) -> Shown:
    """Return what is shown of ``records``, which come in plan order and may be a stream; replays are only counted.

    Those of most interest are shown: the first conversation of each distinct failure (signature v1, in conversations
    that passed or failed), where it is critical before others; then those with a critical failure, those that failed,
    invalid, inconclusive, passed and missing ones; of equal interest the earlier planned.
    """
    choice = _Choice(critical=frozenset(critical_modes), limits=limits or Limits())
    for record in records:
        if record.planned.replay is None:
            choice.add(record)
        else:
            choice.replays.setdefault(record.planned.sut, ReplayCount()).add(record)
    return choice.shown()


@dataclass(slots=True)
class _Choice:
    critical: frozenset[str]
    limits: Limits
    seen: set[Signature] = field(default_factory=set)
    # Heaps of what is kept so far, the least interesting first. No two conversations have one index.
    whole: list[tuple[int, int, ConversationRecord]] = field(default_factory=list)
    lines: list[tuple[int, int, Glimpse]] = field(default_factory=list)
    standings: Counter[Standing] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)
    invalid: dict[tuple[Blame | None, StopReason], InvalidPile] = field(default_factory=dict)
    replays: dict[str, ReplayCount] = field(default_factory=dict)

    def add(self, record: ConversationRecord) -> None:
        where, sut = standing(record), record.planned.sut
        interest, index = self.interest(record, where), record.planned.index
        self.standings[where] += 1
        self.seconds[sut] = self.seconds.get(sut, 0.0) + (record.outcome.elapsed_s if record.outcome else 0.0)
        _keep(self.whole, (-interest, -index, record), self.limits.shown)
        _keep(self.lines, (-interest, -index, glimpse_of(record)), self.limits.shown + self.limits.listed)
        if where is Standing.INVALID and record.outcome:
            self.note_invalid(record, record.outcome.stop, record.outcome.judgement.blame)

    def interest(self, record: ConversationRecord, where: Standing) -> Interest:
        critical = any(failure.mode in self.critical for failure in record.failures)
        new = _signatures(record) - self.seen if where.in_rates else frozenset()
        self.seen |= new
        if any(signature.mode in self.critical for signature in new):
            return Interest.FIRST_OF_A_CRITICAL_FAILURE
        if new:
            return Interest.FIRST_OF_A_FAILURE
        return Interest.CRITICAL if critical else _BY_STANDING[where]

    def note_invalid(self, record: ConversationRecord, stop: Stop, blame: Blame | None) -> None:
        pile = self.invalid.setdefault((blame, stop.reason), InvalidPile())
        pile.number += 1
        if len(pile.first) < MOST_INVALID:
            pile.first.append(InvalidGlimpse(id=record.planned.id, n_turns=len(record.exchanges), stop=stop))

    def shown(self) -> Shown:
        records = [record for _, _, record in sorted(self.whole, key=_by_index)]
        inside = {record.planned.index for record in records}
        lines = [line for _, _, line in sorted(self.lines, key=_by_index) if line.index not in inside]
        return Shown(tuple(records), tuple(lines), self.standings, self.seconds, self.invalid, self.replays)


def glimpse_of(record: ConversationRecord) -> Glimpse:
    """Return what a line of a list needs of ``record``."""
    outcome = record.outcome
    return Glimpse(
        index=record.planned.index,
        id=record.planned.id,
        sut=record.planned.sut,
        standing=standing(record),
        modes=tuple(dict.fromkeys(failure.mode for failure in record.failures)),
        success_score=outcome.judgement.success_score if outcome else None,
        n_turns=len(record.exchanges),
    )


def _signatures(record: ConversationRecord) -> frozenset[Signature]:
    return frozenset(failure.signature for failure in facts_of(record).failures) if record.failures else frozenset()


def _keep(heap: list[tuple[int, int, KeptT]], item: tuple[int, int, KeptT], limit: int) -> None:
    """Add ``item`` to a heap of at most ``limit``, which drops its smallest."""
    if len(heap) < limit:
        heapq.heappush(heap, item)
    elif heap:
        heapq.heappushpop(heap, item)


def _by_index(item: tuple[int, int, object]) -> int:
    return -item[1]
