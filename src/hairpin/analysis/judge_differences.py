"""How two judgements of the same conversations differ: verdicts, scores by dimension, labels by mode, targets.

It does not say which of them is right, and judges nothing itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.conversation import Exchange
from hairpin.domain.records import ConversationRecord
from hairpin.domain.tally import Standing, standing
from hairpin.domain.targets import TargetStatus

N_EXAMPLES: Final = 3
"""So many examples of each kind of difference are kept unless more are asked for."""

SCORES: Final = (0, 1, 2, None)
"""The scores of a dimension in the order of a confusion's rows and columns; ``None``: it has none."""


class DifferenceExample(Value):
    """A place where the judgements differ: ``t`` is the exchange, ``None`` for the conversation as a whole.

    ``before`` and ``after``: what was judged, in a word or two; the evidence is what each gave for it, if anything.
    """

    conversation: str
    t: int | None
    before: str
    after: str
    before_evidence: str = ""
    after_evidence: str = ""


class VerdictCount(Value):
    """How many conversations stood ``before`` so and stand ``after`` so."""

    before: Standing
    after: Standing
    number: int = Field(ge=1)


class ModeDifference(Value):
    """At how many exchanges both found a failure mode, or only one of them."""

    mode: str
    both: int = Field(default=0, ge=0)
    only_before: int = Field(default=0, ge=0)
    only_after: int = Field(default=0, ge=0)
    examples: tuple[DifferenceExample, ...] = ()

    @property
    def differing(self) -> int:
        """At how many exchanges they differ."""
        return self.only_before + self.only_after


class DimensionDifference(Value):
    """``confusion[i][j]``: how many conversations had score ``SCORES[i]`` before and have ``SCORES[j]`` after."""

    dimension: str
    confusion: tuple[tuple[int, ...], ...]
    examples: tuple[DifferenceExample, ...] = ()

    @property
    def number(self) -> int:
        """How many conversations there are."""
        return sum(map(sum, self.confusion))

    @property
    def same(self) -> int:
        """How many have the same score, or none, in both."""
        return sum(self.confusion[place][place] for place in range(len(self.confusion)))


class TargetDifference(Value):
    """Of how many conversations the targets, as they stand at the end, are the same."""

    same: int = Field(default=0, ge=0)
    differing: int = Field(default=0, ge=0)
    examples: tuple[DifferenceExample, ...] = ()


class JudgeDifferences(Value):
    """What two judgements of the same conversations have in common and what not.

    Attributes:
        n_conversations, n_turns: in both; conversations of which only one judgement exists are ``unpaired``.
        identical: how many conversations have the same verdict, C, scores, labels and targets.
        verdicts: every pair of standings that occurs; ``verdict_examples``: of those that changed.
        n_score_changes: how many conversations have another C, of those with one in both (``n_scored``).
        mean_score_change: the mean of C after − C before over those; ``None`` without any.
    """

    n_conversations: int = Field(ge=0)
    n_turns: int = Field(ge=0)
    unpaired: int = Field(default=0, ge=0)
    identical: int = Field(ge=0)
    verdicts: tuple[VerdictCount, ...]
    verdict_examples: tuple[DifferenceExample, ...]
    n_scored: int = Field(ge=0)
    n_score_changes: int = Field(ge=0)
    mean_score_change: float | None
    modes: tuple[ModeDifference, ...]
    dimensions: tuple[DimensionDifference, ...]
    targets: TargetDifference

    @property
    def n_verdict_changes(self) -> int:
        """How many conversations stand elsewhere."""
        return sum(count.number for count in self.verdicts if count.before is not count.after)


def judge_differences(
    pairs: Iterable[tuple[ConversationRecord, ConversationRecord]], *, n_examples: int = N_EXAMPLES, unpaired: int = 0
) -> JudgeDifferences:
    """Fold pairs of a conversation's records, judged before and after, in the order of examples.

    Args:
        pairs: of the same conversation, with the same exchanges; may be a stream.
        n_examples: how many examples of each kind of difference are kept.
        unpaired: how many conversations have no partner.

    Raises:
        ValueError: two records of a pair hold different words; their judgements are of different things.
    """
    fold = _Fold(n_examples)
    for before, after in pairs:
        if _words(before.exchanges) != _words(after.exchanges):
            raise ValueError(f"conversation {before.planned.id!r} has other words in the second run; compare the runs")
        fold.add(before, after)
    return fold.result(unpaired)


@dataclass(slots=True)
class _Fold:
    n_examples: int
    n_conversations: int = 0
    n_turns: int = 0
    identical: int = 0
    n_scored: int = 0
    n_score_changes: int = 0
    change_sum: Fraction = Fraction(0)
    verdicts: Counter[tuple[Standing, Standing]] = field(default_factory=Counter)
    labels: Counter[tuple[str, bool, bool]] = field(default_factory=Counter)
    scores: defaultdict[str, Counter[tuple[int | None, int | None]]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    targets: Counter[bool] = field(default_factory=Counter)
    examples: defaultdict[tuple[str, str], list[DifferenceExample]] = field(default_factory=lambda: defaultdict(list))

    def add(self, before: ConversationRecord, after: ConversationRecord) -> None:
        self.n_conversations += 1
        self.n_turns += len(after.exchanges)
        found = (*self._verdict(before, after), *self._labels(before, after), *self._dimensions(before, after))
        differing = [*found, *self._targets(before, after)]
        rescored = self._score(before, after)
        self.identical += not differing and not rescored
        for kind, example in differing:
            if len(kept := self.examples[kind]) < self.n_examples:
                kept.append(example)

    def _verdict(self, before: ConversationRecord, after: ConversationRecord) -> Iterator[_Found]:
        pair = standing(before), standing(after)
        self.verdicts[pair] += 1
        if pair[0] is not pair[1]:
            yield ("verdict", ""), _example(before, None, _scored(before), _scored(after), _why(before), _why(after))

    def _score(self, before: ConversationRecord, after: ConversationRecord) -> bool:
        """Return whether C is another, and count it."""
        one, two = _score(before), _score(after)
        if one is None or two is None:
            return one is not two
        self.n_scored += 1
        self.n_score_changes += one != two
        self.change_sum += Fraction(two) - Fraction(one)
        return one != two

    def _labels(self, before: ConversationRecord, after: ConversationRecord) -> Iterator[_Found]:
        one, two = _labels(before), _labels(after)
        for t, mode in sorted({*one, *two}):
            was, now = (t, mode) in one, (t, mode) in two
            self.labels[mode, was, now] += 1
            if was != now:
                told = (mode if was else "not found", mode if now else "not found")
                evidence = (one.get((t, mode), ""), two.get((t, mode), ""))
                yield ("mode", mode), _example(before, t, *told, *evidence)

    def _dimensions(self, before: ConversationRecord, after: ConversationRecord) -> Iterator[_Found]:
        one = {score.dimension: score for score in before.scores}
        two = {score.dimension: score for score in after.scores}
        for name in dict.fromkeys((*one, *two)):
            was, now = one.get(name), two.get(name)
            pair = (was.score if was else None, now.score if now else None)
            self.scores[name][pair] += 1
            if pair[0] != pair[1]:
                first, second = ("none" if score is None else str(score) for score in pair)
                evidence = (was.reasoning if was else "", now.reasoning if now else "")
                yield ("dimension", name), _example(before, None, first, second, *evidence)

    def _targets(self, before: ConversationRecord, after: ConversationRecord) -> Iterator[_Found]:
        one, two = _targets(before), _targets(after)
        self.targets[one == two] += 1
        if one != two:
            yield ("targets", ""), _example(before, None, _told(one - two), _told(two - one))

    def result(self, unpaired: int) -> JudgeDifferences:
        """Return what was counted."""
        return JudgeDifferences(
            n_conversations=self.n_conversations,
            n_turns=self.n_turns,
            unpaired=unpaired,
            identical=self.identical,
            verdicts=tuple(
                VerdictCount(before=before, after=after, number=number)
                for (before, after), number in sorted(self.verdicts.items(), key=lambda item: _place(item[0]))
            ),
            verdict_examples=tuple(self.examples["verdict", ""]),
            n_scored=self.n_scored,
            n_score_changes=self.n_score_changes,
            mean_score_change=float(self.change_sum / self.n_scored) if self.n_scored else None,
            modes=tuple(self._mode(mode) for mode in sorted({mode for mode, _, _ in self.labels})),
            dimensions=tuple(self._dimension(name, pairs) for name, pairs in self.scores.items()),
            targets=TargetDifference(
                same=self.targets[True], differing=self.targets[False], examples=tuple(self.examples["targets", ""])
            ),
        )

    def _mode(self, mode: str) -> ModeDifference:
        return ModeDifference(
            mode=mode,
            both=self.labels[mode, True, True],
            only_before=self.labels[mode, True, False],
            only_after=self.labels[mode, False, True],
            examples=tuple(self.examples["mode", mode]),
        )

    def _dimension(self, name: str, pairs: Counter[tuple[int | None, int | None]]) -> DimensionDifference:
        confusion = tuple(tuple(pairs[before, after] for after in SCORES) for before in SCORES)
        return DimensionDifference(
            dimension=name, confusion=confusion, examples=tuple(self.examples["dimension", name])
        )


_Found = tuple[tuple[str, str], DifferenceExample]


def _example(
    record: ConversationRecord, t: int | None, before: str, after: str, first: str = "", second: str = ""
) -> DifferenceExample:
    return DifferenceExample(
        conversation=record.planned.id, t=t, before=before, after=after, before_evidence=first, after_evidence=second
    )


def _words(exchanges: Sequence[Exchange]) -> list[tuple[str, str]]:
    return [(exchange.user, exchange.assistant) for exchange in exchanges]


def _labels(record: ConversationRecord) -> dict[tuple[int, str], str]:
    """Return the evidence of each label by exchange and mode; of several targets the first."""
    found: dict[tuple[int, str], str] = {}
    for failure in record.failures:
        found.setdefault((failure.t, failure.mode), failure.evidence)
    return found


def _targets(record: ConversationRecord) -> set[tuple[str, TargetStatus]]:
    return {(target.text, target.status) for target in record.targets}


def _told(targets: Iterable[tuple[str, TargetStatus]]) -> str:
    return "; ".join(f"{text}: {status.name.lower()}" for text, status in sorted(targets)) or "nothing else"


def _score(record: ConversationRecord) -> float | None:
    return record.outcome.judgement.success_score if record.outcome else None


def _scored(record: ConversationRecord) -> str:
    score = _score(record)
    return standing(record).value if score is None else f"{standing(record).value} (C {score:.2f})"


def _why(record: ConversationRecord) -> str:
    """Return what there is to say for a verdict: the scores, or what broke."""
    if record.outcome is not None and record.outcome.judgement.blame is not None:
        return f"{record.outcome.stop.reason}: {record.outcome.stop.detail}".rstrip(": ")
    return ", ".join(f"{score.dimension} {score.score}" for score in record.scores)


def _place(pair: tuple[Standing, Standing]) -> tuple[int, int]:
    order = list(Standing)
    return order.index(pair[0]), order.index(pair[1])
