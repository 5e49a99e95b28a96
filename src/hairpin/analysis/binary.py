"""Decisions between two classes beside labels: how often they agree, and what each class gets right.

Where a figure is undefined it is ``None`` with its reason, never NaN. It must not know what is decided.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from pydantic import Field

from hairpin.analysis.model import Proportion
from hairpin.analysis.proportions import proportion
from hairpin.domain.base import Value

NO_ITEMS = "nothing is labelled and decided"
ONE_LABEL = "every label is the same"
ONE_DECISION = "every decision is the same"


class Confusion(Value):
    """How many items have which label and got which decision. The positive class is ``True``.

    A share below is ``None`` where nothing is there to be counted.
    """

    true_positive: int = Field(default=0, ge=0)
    false_positive: int = Field(default=0, ge=0)
    false_negative: int = Field(default=0, ge=0)
    true_negative: int = Field(default=0, ge=0)

    @property
    def n(self) -> int:
        """All items."""
        return self.true_positive + self.false_positive + self.false_negative + self.true_negative

    @property
    def n_right(self) -> int:
        """Items whose decision is their label."""
        return self.true_positive + self.true_negative

    @property
    def labels(self) -> tuple[int, int]:
        """How many labels are true, and how many are false."""
        return self.true_positive + self.false_negative, self.false_positive + self.true_negative

    @property
    def decisions(self) -> tuple[int, int]:
        """How many decisions are true, and how many are false."""
        return self.true_positive + self.false_positive, self.false_negative + self.true_negative

    @property
    def accuracy(self) -> float | None:
        """The share of right decisions: what is called micro-F1 where every item has one label and one decision."""
        return self.n_right / self.n if self.n else None

    @property
    def balanced_accuracy(self) -> float | None:
        """The mean of both classes' recalls: 0.5 for whoever always says the same."""
        positive, negative = self.labels
        if not positive or not negative:
            return None
        return (self.true_positive / positive + self.true_negative / negative) / 2

    @property
    def mcc(self) -> float | None:
        """Matthews' correlation coefficient, in [-1, 1]; ``None`` where labels or decisions are all the same."""
        spread = math.prod((*self.labels, *self.decisions))
        if not spread:
            return None
        across = self.true_positive * self.true_negative - self.false_positive * self.false_negative
        return max(-1.0, min(1.0, across / math.sqrt(spread)))

    def f1(self, *, positive: bool = True) -> float | None:
        """Return F1 for the class ``positive``; ``None`` where no item has that label or that decision."""
        hits = self.true_positive if positive else self.true_negative
        wrong = self.false_positive + self.false_negative
        return 2 * hits / (2 * hits + wrong) if hits + wrong else None


class ClassScores(Value):
    """Of one class: precision and recall with their Wilson intervals, and F1; ``None``: no such label or decision."""

    precision: Proportion
    recall: Proportion
    f1: float | None


class BinaryScores(Value):
    """Decisions beside labels.

    Attributes:
        positive: the class whose label is true; ``negative``: the other.
        accuracy: the share of right decisions; the paper's "F1 score" is this, as micro-F1.
        majority: the accuracy of always saying the more frequent label.
        balanced_accuracy: the mean of both recalls; ``balanced_reason``: why there is none.
        mcc: Matthews' correlation coefficient; ``mcc_reason``: why there is none.
    """

    confusion: Confusion
    positive: ClassScores
    negative: ClassScores
    accuracy: Proportion
    majority: float | None
    balanced_accuracy: float | None
    balanced_reason: str = ""
    mcc: float | None
    mcc_reason: str = ""


def confusion_of(pairs: Iterable[tuple[bool, bool]]) -> Confusion:
    """Return the counts of (label, decision) pairs."""
    counts = {(label, decision): 0 for label in (True, False) for decision in (True, False)}
    for label, decision in pairs:
        counts[bool(label), bool(decision)] += 1
    return Confusion(
        true_positive=counts[True, True],
        false_positive=counts[False, True],
        false_negative=counts[True, False],
        true_negative=counts[False, False],
    )


def binary_scores(confusion: Confusion) -> BinaryScores:
    """Return every figure of ``confusion``.

    Source: MORTAR, section V-C3, Table XII; balanced accuracy and MCC are ours: most contexts are equivalent, so that
    accuracy praises whoever always says so.
    """
    positive, negative = confusion.labels
    said, denied = confusion.decisions
    return BinaryScores(
        confusion=confusion,
        positive=_class_scores(confusion.true_positive, positive, said, confusion.f1()),
        negative=_class_scores(confusion.true_negative, negative, denied, confusion.f1(positive=False)),
        accuracy=proportion(confusion.n_right, confusion.n, reason=NO_ITEMS),
        majority=max(positive, negative) / confusion.n if confusion.n else None,
        balanced_accuracy=confusion.balanced_accuracy,
        balanced_reason=_label_reason(confusion),
        mcc=confusion.mcc,
        mcc_reason=_label_reason(confusion) or ("" if said and denied else ONE_DECISION),
    )


def _class_scores(hits: int, labelled: int, decided: int, f1: float | None) -> ClassScores:
    return ClassScores(
        precision=proportion(hits, decided, reason="no decision for this class"),
        recall=proportion(hits, labelled, reason="no label of this class"),
        f1=f1,
    )


def _label_reason(confusion: Confusion) -> str:
    if not confusion.n:
        return NO_ITEMS
    return "" if all(confusion.labels) else ONE_LABEL
