"""How often judges were wrong on canaries: counts with their intervals, folded from the conversations of a run.

It must not say what follows from them; ``domain.canary_words`` does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.failures import Failure, ModeKind
from hairpin.domain.intervals import wilson
from hairpin.domain.known_transcripts import CanaryTruth
from hairpin.domain.outcome import Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import Outcome

MISSING: Final = "missing"
"""The key under which canaries are counted that have no outcome."""


class ErrorRate(Value):
    """How many of ``n`` transcripts were judged wrongly, with the 95 % Wilson interval; no rate where ``n`` is 0.

    A transcript that was asked about several times counts once, by the share of wrong answers: to ask the same thing
    again says little of other conversations.
    """

    wrong: float = Field(ge=0)
    n: int = Field(ge=0)
    rate: float | None
    low: float = Field(ge=0, le=1)
    high: float = Field(ge=0, le=1)


class ModeErrors(Value):
    """Of one failure mode: ``missed`` of the known-bad transcripts of that mode, ``made_up`` in all known-good ones."""

    missed: ErrorRate
    made_up: ErrorRate


class CorrectedRate(Value):
    """A failure rate corrected for the errors of judges; bounds are those of its 95 % interval.

    ``rate``: ``None`` where it cannot be corrected; ``reason`` says why, and the interval is then all of [0, 1].
    ``clipped``: the estimate was outside [0, 1] and is its nearest end.
    """

    raw: float
    n: int = Field(ge=1)
    sensitivity: float | None
    specificity: float | None
    rate: float | None
    low: float = Field(default=0.0, ge=0, le=1)
    high: float = Field(default=1.0, ge=0, le=1)
    clipped: bool = False
    reason: str = ""


class CanarySummary(Value):
    """What canaries say of the judges of a run.

    Attributes:
        planned: how many were mixed in.
        undecided: those without pass or fail, by how they ended; they are in no rate.
        good, bad: the others, by what they are known to be.
        transcripts: how many different ones those are.
        failed_good, passed_bad: errors of verdicts; ``None``: no judge decides on a verdict in this run.
        made_up, missed: errors of the turn judge: any label in a known-good transcript, and not the right label at the
            right exchange of a known-bad one. ``None``: there is no turn judge.
        by_mode: errors of the turn judge for each mode.
        failure_rate: the run's, corrected; ``None``: nothing passed or failed, or no judge decides on a verdict.
        failure_rates: those of each assistant, by label, where there are several.
        trusted: whether the failure rate may be believed; ``None``: too few canaries to say.
        findings: what is to be said, in sentences.
    """

    planned: int = Field(ge=0)
    undecided: Mapping[str, int]
    good: int = Field(ge=0)
    bad: int = Field(ge=0)
    transcripts: int = Field(ge=0)
    failed_good: ErrorRate | None
    passed_bad: ErrorRate | None
    made_up: ErrorRate | None
    missed: ErrorRate | None
    by_mode: Mapping[str, ModeErrors]
    failure_rate: CorrectedRate | None = None
    failure_rates: Mapping[str, CorrectedRate] = Field(default_factory=dict)
    trusted: bool | None = None
    findings: tuple[str, ...] = ()


def error_rate(shares: Iterable[Fraction]) -> ErrorRate:
    """Return the rate of errors of transcripts, of which each was judged wrongly with the given share."""
    each = list(shares)
    wrong = float(sum(each, Fraction(0)))
    low, high = wilson(wrong, len(each))
    return ErrorRate(wrong=wrong, n=len(each), rate=wrong / len(each) if each else None, low=low, high=high)


@dataclass(slots=True)
class _Asked:
    """What was said of one transcript, ``times`` times."""

    truth: CanaryTruth
    times: int = 0
    wrong_verdicts: int = 0
    wrong_labels: int = 0
    modes: Counter[str] = field(default_factory=Counter)

    def share(self, wrong: int) -> Fraction:
        return Fraction(wrong, self.times)


@dataclass(slots=True)
class CanaryTally:
    """What has been counted of canaries so far.

    ``scored``: dimension judges decide on verdicts; ``labelled``: there is a turn judge.
    """

    scored: bool = True
    labelled: bool = True
    planned: int = 0
    undecided: Counter[str] = field(default_factory=Counter)
    _asked: dict[str, _Asked] = field(default_factory=dict)

    def add(self, planned: PlannedConversation, failures: Collection[Failure], outcome: Outcome | None) -> None:
        """Count one canary.

        Raises:
            ValueError: it is none.
        """
        if planned.canary is None or planned.truth is None:
            raise ValueError(f"conversation {planned.id} is no canary")
        self.planned += 1
        verdict = outcome.judgement.verdict if outcome else None
        if outcome is None or verdict not in (Verdict.PASS, Verdict.FAIL):
            self.undecided[outcome.stop.reason.value if outcome else MISSING] += 1
            return
        truth = planned.truth
        asked = self._asked.setdefault(planned.canary, _Asked(truth))
        labels = {(failure.t, failure.mode) for failure in failures if failure.kind is not ModeKind.CHECK}
        asked.times += 1
        asked.wrong_verdicts += truth.verdict is not None and verdict is not truth.verdict
        asked.wrong_labels += bool(labels) if truth.good else (truth.labelled, truth.mode) not in labels
        asked.modes.update({mode for _, mode in labels})

    def summary(self) -> CanarySummary:
        """Return the counts and rates."""
        good = [asked for asked in self._asked.values() if asked.truth.good]
        bad = [asked for asked in self._asked.values() if not asked.truth.good]
        return CanarySummary(
            planned=self.planned,
            undecided=dict(sorted(self.undecided.items())),
            good=sum(asked.times for asked in good),
            bad=sum(asked.times for asked in bad),
            transcripts=len(self._asked),
            failed_good=_verdict_errors(good) if self.scored else None,
            passed_bad=_verdict_errors(bad) if self.scored else None,
            made_up=_label_errors(good) if self.labelled else None,
            missed=_label_errors(bad) if self.labelled else None,
            by_mode=_by_mode(good, bad) if self.labelled else {},
        )


def _verdict_errors(asked: Iterable[_Asked]) -> ErrorRate:
    return error_rate(each.share(each.wrong_verdicts) for each in asked if each.truth.verdict is not None)


def _label_errors(asked: Iterable[_Asked]) -> ErrorRate:
    return error_rate(each.share(each.wrong_labels) for each in asked)


def _by_mode(good: Collection[_Asked], bad: Collection[_Asked]) -> dict[str, ModeErrors]:
    modes = {each.truth.mode for each in (*good, *bad)} | {mode for each in good for mode in each.modes}
    return {
        mode: ModeErrors(
            missed=_label_errors(each for each in bad if each.truth.mode == mode),
            made_up=error_rate(each.share(each.modes[mode]) for each in good),
        )
        for mode in sorted(modes)
    }
