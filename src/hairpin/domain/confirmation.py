"""What trials say of failures: how often each came again, and whose doing it is that it does or does not.

It must not plan or run trials; ``domain.confirming`` plans them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.confirming import is_usable, kinds_for
from hairpin.domain.facts import Signature
from hairpin.domain.intervals import wilson
from hairpin.domain.outcome import Verdict
from hairpin.domain.records import ConversationRecord
from hairpin.domain.trials import TrialKind

LEAST_TRIALS: Final = 2
"""So many trials of a kind must agree before anything is concluded from their agreement; one that differs is enough."""


class Label(StrEnum):
    """Whose doing a failure is, by what came of its trials. Asked in this order.

    ``FLAKY_JUDGE``: judging the same words again did not always find it. ``FLAKY_SUT``: it did, but the assistant,
    asked with the same words again, did not always do it again. ``SIMULATOR``: it did, but it never came again with a
    user simulated anew: it takes this user's words. ``STABLE``: neither. ``UNDECIDED``: too few trials to say.
    """

    STABLE = "stable"
    FLAKY_SUT = "flaky_sut"
    FLAKY_JUDGE = "flaky_judge"
    SIMULATOR = "simulator"
    UNDECIDED = "undecided"


class Reproduction(Value):
    """How often trials of a kind made something come again: ``reproduced`` of the ``n`` that came to a verdict.

    ``unusable``: how many more ended without one. ``low``, ``high``: the 95 % Wilson interval of the rate.
    """

    kind: TrialKind
    n: int = Field(ge=0)
    reproduced: int = Field(ge=0)
    unusable: int = Field(default=0, ge=0)
    rate: float | None
    low: float
    high: float


class Finding(Value):
    """What trials say of one thing that was found; ``missing``: where that is nothing yet, what it would take."""

    label: Label
    missing: str = ""
    trials: tuple[Reproduction, ...]

    @property
    def confirmed(self) -> bool:
        """Whether it is the assistant's: the judge finds it whenever asked, and the assistant did it again.

        A flaky assistant that did it again at least once counts; a failure that takes this user's words does not.
        """
        if self.label is Label.FLAKY_SUT:
            return any(each.kind is TrialKind.REPLAY and each.reproduced for each in self.trials)
        return self.label is Label.STABLE


class InstanceFinding(Value):
    """A failure of a mode, at a target of a kind (``""``: at none)."""

    mode: str
    target_kind: str
    finding: Finding


class Confirmation(Value):
    """What the trials of one failed conversation say of its verdict and of each failure found in it."""

    conversation: str
    sut: str
    verdict: Finding
    instances: tuple[InstanceFinding, ...] = ()

    @property
    def why_unconfirmed(self) -> str:
        """Why its failure is not confirmed, in one line; ``""``: it is."""
        if self.verdict.confirmed:
            return ""
        rates = ", ".join(f"{each.reproduced} of {each.n} {each.kind.value} trials" for each in self.verdict.trials)
        missing = f", needs {self.verdict.missing}" if self.verdict.missing else ""
        return f"not confirmed ({self.verdict.label.value}{missing}): it failed again in {rates}"


class TrialCount(Value):
    """Trials of a kind over all conversations; their ``reproduced`` is that of the verdict."""

    trials: int = Field(default=0, ge=0)
    reproduced: int = Field(default=0, ge=0)
    unusable: int = Field(default=0, ge=0)


class ConfirmationSummary(Value):
    """Failed conversations by what trials say of them. tried = confirmed + unconfirmed; failed = tried + untried.

    ``failures``: per mode, distinct failures (mode, kind of target, conversation) that are confirmed or not.
    """

    tried: int = Field(default=0, ge=0)
    confirmed: int = Field(default=0, ge=0)
    unconfirmed: int = Field(default=0, ge=0)
    untried: int = Field(default=0, ge=0)
    by_label: Mapping[str, int] = Field(default_factory=dict)
    failures: Mapping[str, Mapping[str, int]] = Field(default_factory=dict)
    trials: Mapping[str, TrialCount] = Field(default_factory=dict)


def confirm(source: ConversationRecord, trials: Sequence[ConversationRecord], *, recorded: bool) -> Confirmation:
    """Say what the trials of a failed conversation show.

    Args:
        source: the conversation, which failed.
        trials: those of it that were planned; replays that begin later than at turn 0 say nothing here.
        recorded: its assistant only says again what it said elsewhere.
    """
    kinds = kinds_for(source.planned, recorded=recorded)
    by_kind = {kind: tuple(each for each in trials if _counts(each, kind)) for kind in kinds}

    def finding(came_again: Callable[[ConversationRecord], bool]) -> Finding:
        return decided(tuple(_reproduction(kind, its, came_again) for kind, its in by_kind.items()))

    return Confirmation(
        conversation=source.planned.id,
        sut=source.planned.sut,
        verdict=finding(_failed),
        instances=tuple(
            InstanceFinding(mode=mode, target_kind=target_kind, finding=finding(_finding(mode, target_kind)))
            for mode, target_kind in sorted(found_in(source))
        ),
    )


def decided(trials: tuple[Reproduction, ...]) -> Finding:
    """Return what trials say, given how often each kind that applies made the failure come again; see ``Label``."""
    by_kind = {each.kind: each for each in trials}
    for kind, flaky in ((TrialKind.REJUDGE, Label.FLAKY_JUDGE), (TrialKind.REPLAY, Label.FLAKY_SUT)):
        its = by_kind.get(kind)
        if its is None:
            return Finding(label=Label.UNDECIDED, missing="its assistant cannot be asked again", trials=trials)
        if its.reproduced < its.n:
            return Finding(label=flaky, trials=trials)
        if its.n < LEAST_TRIALS:
            return Finding(label=Label.UNDECIDED, missing=_needed(its), trials=trials)
    anew = by_kind.get(TrialKind.RESIMULATE)
    if anew is None or anew.reproduced:
        return Finding(label=Label.STABLE, trials=trials)
    if anew.n < LEAST_TRIALS:
        return Finding(label=Label.UNDECIDED, missing=_needed(anew), trials=trials)
    return Finding(label=Label.SIMULATOR, trials=trials)


def confirmed_signatures(source: ConversationRecord, confirmation: Confirmation) -> frozenset[Signature]:
    """Return the distinct failures of a conversation that its trials confirm, by which learning is rewarded."""
    kept = {(each.mode, each.target_kind) for each in confirmation.instances if each.finding.confirmed}
    kinds = {target.id: target.kind for target in source.targets}
    found = (
        Signature(failure.mode, kinds.get(failure.target_id or "", ""), failure.strategy or "")
        for failure in source.failures
    )
    return frozenset(each for each in found if (each.mode, each.target_kind) in kept)


def summarise_confirmations(confirmations: Iterable[Confirmation], *, n_failed: int) -> ConfirmationSummary:
    """Count what trials say of the failed conversations of a run; ``n_failed``: how many there are, tried or not."""
    labels: Counter[str] = Counter()
    failures: dict[str, Counter[str]] = {}
    trials: dict[str, TrialCount] = {}
    n_confirmed = 0
    for each in confirmations:
        labels[each.verdict.label.value] += 1
        n_confirmed += each.verdict.confirmed
        for instance in each.instances:
            word = "confirmed" if instance.finding.confirmed else "unconfirmed"
            failures.setdefault(instance.mode, Counter(confirmed=0, unconfirmed=0))[word] += 1
        for its in each.verdict.trials:
            trials[its.kind.value] = _added(trials.get(its.kind.value, TrialCount()), its)
    return ConfirmationSummary(
        tried=labels.total(),
        confirmed=n_confirmed,
        unconfirmed=labels.total() - n_confirmed,
        untried=max(0, n_failed - labels.total()),
        by_label={label.value: labels[label.value] for label in Label if labels[label.value]},
        failures={mode: dict(counts) for mode, counts in sorted(failures.items())},
        trials={kind.value: trials[kind.value] for kind in TrialKind if kind.value in trials},
    )


def found_in(record: ConversationRecord) -> frozenset[tuple[str, str]]:
    """Return what was found in a conversation: modes, each with the kind of the target it concerns, ``""`` for none."""
    kinds = {target.id: target.kind for target in record.targets}
    return frozenset((failure.mode, kinds.get(failure.target_id or "", "")) for failure in record.failures)


def reproduction(kind: TrialKind, reproduced: int, n: int, *, unusable: int = 0) -> Reproduction:
    """Return how often something came again, with the interval of its rate."""
    low, high = wilson(reproduced, n)
    rate = reproduced / n if n else None
    return Reproduction(kind=kind, n=n, reproduced=reproduced, unusable=unusable, rate=rate, low=low, high=high)


def _counts(record: ConversationRecord, kind: TrialKind) -> bool:
    trial = record.planned.trial
    return trial is not None and trial.kind is kind and trial.from_turn == 0 and record.outcome is not None


def _reproduction(
    kind: TrialKind, trials: Sequence[ConversationRecord], came_again: Callable[[ConversationRecord], bool]
) -> Reproduction:
    usable = [each for each in trials if is_usable(each)]
    return reproduction(kind, sum(map(came_again, usable)), len(usable), unusable=len(trials) - len(usable))


def _failed(record: ConversationRecord) -> bool:
    return record.outcome is not None and record.outcome.judgement.verdict is Verdict.FAIL


def _finding(mode: str, target_kind: str) -> Callable[[ConversationRecord], bool]:
    return lambda record: (mode, target_kind) in found_in(record)


def _needed(its: Reproduction) -> str:
    more = LEAST_TRIALS - its.n
    return f"{more} more {its.kind.value} trial{'s' * (more != 1)}"


def _added(count: TrialCount, its: Reproduction) -> TrialCount:
    return TrialCount(
        trials=count.trials + its.n + its.unusable,
        reproduced=count.reproduced + its.reproduced,
        unusable=count.unusable + its.unusable,
    )
