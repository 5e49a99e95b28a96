"""Replays of a conversation by hand: which are planned, whether its outcome came again, and how each turn differs.

It must not run them; what trials together say of a failure is ``domain.confirmation``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.intervals import wilson
from hairpin.domain.outcome import StopReason, Verdict
from hairpin.domain.plan import PlannedConversation, plan_trial
from hairpin.domain.records import ConversationRecord
from hairpin.domain.tally import Standing, standing
from hairpin.domain.trials import MAX_TRIALS, TrialKind


class ReplayResult(StrEnum):
    """Whether a replay ended as its source did.

    ``REPRODUCED``: with the same verdict and, where the source has failures in the turns that were answered anew, at
    least one of the same mode and kind of target there; of one that the assistant broke off: it did so again.
    ``DIFFERENTLY``: it failed too, or has failures too, but others. ``NOT_REPRODUCED``: what was found is not there.
    ``UNUSABLE``: it came to no verdict, which says nothing.
    """

    REPRODUCED = "reproduced"
    DIFFERENTLY = "differently"
    NOT_REPRODUCED = "not_reproduced"
    UNUSABLE = "unusable"


class FoundLabel(Value):
    """A failure at a turn; ``target_kind`` is ``""`` where it concerns no target."""

    mode: str
    target_kind: str
    evidence: str = ""


class TurnComparison(Value):
    """A turn in both conversations; a reply is ``None`` where there is none. ``standing``: it was not answered anew."""

    t: int
    user: str
    standing: bool
    before: str | None
    after: str | None
    labels_before: tuple[FoundLabel, ...] = ()
    labels_after: tuple[FoundLabel, ...] = ()

    @property
    def same(self) -> bool:
        """Whether the replies are equal to the letter and were labelled alike."""
        return self.before == self.after and _keys(self.labels_before) == _keys(self.labels_after)


class ReplayComparison(Value):
    """One replay beside its source. ``detail``: why it came to no verdict, if so."""

    id: str
    result: ReplayResult
    standing: Standing
    success_score: float | None
    detail: str = ""
    turns: tuple[TurnComparison, ...]


class ResultRate(Value):
    """How many of the ``n`` replays with a verdict ended so, with the 95 % Wilson interval of the share."""

    result: ReplayResult
    number: int = Field(ge=0)
    n: int = Field(ge=0)
    low: float
    high: float


class ReproductionReport(Value):
    """What replays of one conversation show. ``failures``: those of the source that could come again.

    ``n_missing``: replays that were asked for but not run to their end.
    """

    run: str
    conversation: str
    sut: str
    from_turn: int
    standing: Standing
    success_score: float | None
    failures: tuple[FoundLabel, ...]
    replays: tuple[ReplayComparison, ...]
    n_missing: int = Field(default=0, ge=0)

    @property
    def n_unusable(self) -> int:
        """How many came to no verdict."""
        return sum(each.result is ReplayResult.UNUSABLE for each in self.replays)

    @property
    def rates(self) -> tuple[ResultRate, ...]:
        """How often each result was met, of the replays that came to a verdict."""
        counts = Counter(each.result for each in self.replays)
        n = len(self.replays) - counts[ReplayResult.UNUSABLE]
        said = (result for result in ReplayResult if result is not ReplayResult.UNUSABLE)
        return tuple(
            ResultRate(result=result, number=counts[result], n=n, low=low, high=high)
            for result, (low, high) in ((result, wilson(counts[result], n)) for result in said)
        )


def fresh_replays(
    source: PlannedConversation, times: int, made: Iterable[ConversationRecord], *, from_turn: int = 0
) -> tuple[PlannedConversation, ...]:
    """Return ``times`` new replays of ``source``, with the first numbers that none of those ``made`` has.

    Raises:
        ValueError: so many numbers are not left.
    """
    trials = (record.planned.trial for record in made)
    taken = {trial.number for trial in trials if trial is not None and trial.kind is TrialKind.REPLAY}
    free = [number for number in range(MAX_TRIALS) if number not in taken]
    if len(free) < times:
        raise ValueError(f"{source.id} has had {len(taken)} replays, and there can be {MAX_TRIALS} in all")
    return tuple(plan_trial(source, TrialKind.REPLAY, number, from_turn=from_turn) for number in free[:times])


def compare_replay(source: ConversationRecord, replay: ConversationRecord, *, from_turn: int = 0) -> ReplayComparison:
    """Say whether ``replay`` ended as ``source`` did, and how each turn differs."""
    outcome = replay.outcome
    return ReplayComparison(
        id=replay.planned.id,
        result=_result(source, replay, from_turn),
        standing=_standing(replay),
        success_score=outcome.judgement.success_score if outcome else None,
        detail=_why_unusable(replay),
        turns=tuple(_turns(source, replay, from_turn)),
    )


def failures_from(record: ConversationRecord, from_turn: int) -> tuple[FoundLabel, ...]:
    """Return the failures of a conversation at ``from_turn`` or later, the first of each mode and kind of target."""
    found: dict[tuple[str, str], FoundLabel] = {}
    for t in range(from_turn, len(record.exchanges)):
        for label in _labels(record, t):
            found.setdefault((label.mode, label.target_kind), label)
    return tuple(found.values())


def _result(source: ConversationRecord, replay: ConversationRecord, from_turn: int) -> ReplayResult:
    before, after = _verdict(source), _verdict(replay)
    if _broke_off(source):
        if _broke_off(replay):
            return ReplayResult.REPRODUCED
        return ReplayResult.UNUSABLE if after is None else ReplayResult.NOT_REPRODUCED
    if after is None:
        return ReplayResult.UNUSABLE
    wanted, found = _keys(failures_from(source, from_turn)), _keys(failures_from(replay, from_turn))
    if before in (None, after):
        if wanted & found or (not wanted and before is after):
            return ReplayResult.REPRODUCED
        failed_too = bool(found) or after is Verdict.FAIL
        return ReplayResult.DIFFERENTLY if failed_too else ReplayResult.NOT_REPRODUCED
    return ReplayResult.NOT_REPRODUCED if after is Verdict.PASS else ReplayResult.DIFFERENTLY


def _verdict(record: ConversationRecord) -> Verdict | None:
    """Return pass or fail; others say nothing of the assistant."""
    verdict = record.outcome.judgement.verdict if record.outcome else None
    return verdict if verdict in (Verdict.PASS, Verdict.FAIL) else None


def _broke_off(record: ConversationRecord) -> bool:
    return record.outcome is not None and record.outcome.stop.reason is StopReason.SUT_ERROR


def _standing(record: ConversationRecord) -> Standing:
    """Return where a replay would stand if it were counted."""
    return standing(record.model_copy(update={"planned": record.planned.model_copy(update={"trial": None})}))


def _why_unusable(record: ConversationRecord) -> str:
    if record.outcome is None:
        return "it was not run to its end"
    stop = record.outcome.stop
    return "" if _verdict(record) is not None else f"{stop.reason}: {stop.detail}".rstrip(": ")


def _turns(source: ConversationRecord, replay: ConversationRecord, from_turn: int) -> Iterator[TurnComparison]:
    for t in range(max(len(source.exchanges), len(replay.exchanges))):
        before = source.exchanges[t] if t < len(source.exchanges) else None
        after = replay.exchanges[t] if t < len(replay.exchanges) else None
        said = before or after
        assert said is not None
        yield TurnComparison(
            t=t,
            user=said.user,
            standing=t < from_turn,
            before=before and before.assistant,
            after=after and after.assistant,
            labels_before=_labels(source, t),
            labels_after=_labels(replay, t),
        )


def _labels(record: ConversationRecord, t: int) -> tuple[FoundLabel, ...]:
    kinds = {target.id: target.kind for target in record.targets}
    return tuple(
        FoundLabel(mode=failure.mode, target_kind=kinds.get(failure.target_id or "", ""), evidence=failure.evidence)
        for failure in record.failures
        if failure.t == t
    )


def _keys(labels: Sequence[FoundLabel]) -> frozenset[tuple[str, str]]:
    return frozenset((label.mode, label.target_kind) for label in labels)
