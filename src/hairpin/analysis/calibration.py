"""Calibrating a threshold on similarities by labels: which ε agrees best with people.

It must not know what is compared, nor compute a similarity.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from hairpin.analysis.binary import NO_ITEMS, ONE_LABEL, Confusion
from hairpin.domain.base import Value

_Sorted: TypeAlias = NDArray[np.float64]

PAPER_GRID: Final = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""MORTAR, Table IV."""

FINE_GRID: Final = tuple(round(step / 100, 2) for step in range(1, 100))
"""0.01 to 0.99; holds ``PAPER_GRID``."""


GUESSING: Final = 0.6
"""Below this balanced accuracy a threshold is taken for a guess: who guesses has 0.5, the best of many more."""


class Goal(StrEnum):
    """What the best threshold has most of: F1 of the class whose label is true, or of the other, or of both alike."""

    F1 = "f1"
    F1_NEGATIVE = "f1_negative"
    BALANCED_ACCURACY = "balanced_accuracy"


class ThresholdScore(Value):
    """What one threshold makes of the items: ``value`` is what is to be largest."""

    threshold: float
    confusion: Confusion
    value: float | None


class Calibration(Value):
    """The thresholds of a grid beside labels.

    Attributes:
        goal: what is to be largest.
        n_positive: labels that are true: those whose similarity should reach the threshold; ``n_negative``: the others.
        scores: one per threshold of the grid, from the smallest.
        default: of the threshold in use before.
        best: the one to use; of several equally good ones the nearest to the default, the smaller of two as near.
        equally_good: all thresholds of the grid that are as good as the best.
        reason: why there is no best one.
    """

    goal: Goal
    n_positive: int = Field(ge=0)
    n_negative: int = Field(ge=0)
    scores: tuple[ThresholdScore, ...]
    default: ThresholdScore
    best: ThresholdScore | None
    equally_good: tuple[float, ...] = ()
    reason: str = ""

    @property
    def unsupported(self) -> str:
        """Why the labels support no threshold, ``""`` if they support the best one.

        There is no best one; its balanced accuracy is below GUESSING; or its F1, if that was the goal, is no more than
        that of calling everything positive.
        """
        if self.best is None:
            return self.reason
        balanced = self.best.confusion.balanced_accuracy
        if balanced is None or balanced < GUESSING:
            found = "undefined" if balanced is None else f"{balanced:.2f}"
            return f"the best balanced accuracy that comes of it is {found}; below {GUESSING:g} it may be guessing"
        always = 2 * self.n_positive / (2 * self.n_positive + self.n_negative)
        if self.goal is Goal.F1 and (self.best.value or 0) <= always:
            return f"the best F1 is {self.best.value or 0:.2f}, and calling everything positive has {always:.2f}"
        return ""


def calibrate_thresholds(
    similarities: Sequence[float],
    labels: Sequence[bool],
    grid: Sequence[float] = FINE_GRID,
    *,
    default: float,
    goal: Goal = Goal.F1,
) -> Calibration:
    """Return how each threshold of ``grid`` agrees with ``labels``, and which does best.

    A threshold decides "true" for a similarity that reaches it (MORTAR, section III-D).

    Args:
        similarities: (n,) cosines.
        labels: (n,) what people say: the answers say the same, the contexts are equivalent. True is the positive class.
        grid: thresholds to try.
        default: the threshold in use, which ties are decided by.
        goal: what is to be largest.

    Raises:
        ValueError: an empty grid, different lengths, or a similarity that is no number.

    Source: MORTAR, section IV-F, Table IV.
    """
    values, truths = np.asarray(similarities, dtype=np.float64), np.asarray(labels, dtype=np.bool_)
    if len(values) != len(truths):
        raise ValueError(f"{len(values)} similarities for {len(truths)} labels; give one each")
    if not len(grid) or not np.isfinite(values).all():
        raise ValueError("give at least one threshold, and similarities that are numbers")
    positive, negative = np.sort(values[truths]), np.sort(values[~truths])
    scores = tuple(_score(threshold, positive, negative, goal) for threshold in sorted(set(map(float, grid))))
    reason = "" if len(positive) and len(negative) else (ONE_LABEL if len(values) else NO_ITEMS)
    tied = () if reason else _largest(scores)
    best = min(tied, key=lambda score: (round(abs(score.threshold - default), 9), score.threshold), default=None)
    return Calibration(
        goal=goal,
        n_positive=len(positive),
        n_negative=len(negative),
        scores=scores,
        default=_score(float(default), positive, negative, goal),
        best=best,
        equally_good=tuple(score.threshold for score in tied),
        reason=reason,
    )


def _score(threshold: float, positive: _Sorted, negative: _Sorted, goal: Goal) -> ThresholdScore:
    missed, rejected = (int(np.searchsorted(each, threshold, side="left")) for each in (positive, negative))
    confusion = Confusion(
        true_positive=len(positive) - missed,
        false_negative=missed,
        false_positive=len(negative) - rejected,
        true_negative=rejected,
    )
    return ThresholdScore(threshold=threshold, confusion=confusion, value=_value(confusion, goal))


def _value(confusion: Confusion, goal: Goal) -> float | None:
    if goal is Goal.BALANCED_ACCURACY:
        return confusion.balanced_accuracy
    return confusion.f1(positive=goal is Goal.F1)


def _largest(scores: Sequence[ThresholdScore]) -> tuple[ThresholdScore, ...]:
    """Return the scores with the largest value."""
    most = max(score.value for score in scores if score.value is not None)
    return tuple(score for score in scores if score.value == most)
