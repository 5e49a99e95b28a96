"""Pass and fail: what a rater's scores come to, what most raters say, and how well one is found by another.

A verdict is C ≥ θ for people and judges alike, by the same named weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from pydantic import Field

from hairpin.analysis.agreement.scale import MISSING, Codes, Floats
from hairpin.domain.base import Value
from hairpin.domain.outcome import Verdict
from hairpin.domain.rubric import Weights
from hairpin.domain.scoring import passes, success_with

PASSED, FAILED = 0, 1
_MOST_TARGETS = 1000
_CODES = {Verdict.PASS: PASSED, Verdict.FAIL: FAILED}


class RaterSheet(Value):
    """What one rater says, by conversation.

    Attributes:
        name: who.
        scores: d_j by dimension, of each conversation.
        completed: T; a conversation is missing where the rater did not say, or a judge had no target.
        stated: pass or fail in so many words, beside the scores.
        is_judge: a judge whose T is missing had no target, and T is left out of C; a person without one said nothing.
    """

    name: str
    scores: Mapping[str, Mapping[str, int]]
    completed: Mapping[str, float] = Field(default_factory=dict)
    stated: Mapping[str, Verdict] = Field(default_factory=dict)
    is_judge: bool = False


class VerdictRule(Value):
    """How scores become a verdict: the weights, named by where they are from, and θ."""

    weights: Weights
    threshold: float = Field(ge=0, le=1)
    source: str


class SheetVerdicts(NamedTuple):
    """Verdicts of raters.

    Attributes:
        codes: (n_raters, n_items) ``PASSED``, ``FAILED`` or ``MISSING``.
        n_stated: verdicts taken as stated, where scores or completion lack for C.
        n_missing: conversations that a rater rated without C or a stated verdict.
        n_overruled: verdicts stated otherwise than C ≥ θ says of the same rater's scores, which counts.
    """

    codes: Codes
    n_stated: int
    n_missing: int
    n_overruled: int


class Majority(NamedTuple):
    """What most raters say of each item: (n_items,) codes, ``MISSING`` at a tie and where nobody says anything."""

    codes: Codes
    n_ties: int
    n_silent: int


def sheet_verdicts(
    sheets: Sequence[RaterSheet], conversations: Sequence[str], rule: VerdictRule, *, with_targets: frozenset[str]
) -> SheetVerdicts:
    """Return the verdicts of ``sheets``: C ≥ θ, else what was stated where C lacks something.

    ``with_targets``: the conversations whose completion a person rated. T counts in these, and a person who did not
    rate it has no C; in the others T is left out of everybody's C.
    """
    codes = np.full((len(sheets), len(conversations)), MISSING)
    n_stated = n_missing = n_overruled = 0
    for row, sheet in enumerate(sheets):
        for column, conversation in enumerate(conversations):
            found = _by_scores(sheet, conversation, rule, counts=conversation in with_targets)
            stated = _CODES.get(sheet.stated[conversation]) if conversation in sheet.stated else None
            if found is None and stated is not None:
                found, n_stated = stated, n_stated + 1
            n_overruled += stated is not None and stated != found
            if found is None:
                n_missing += bool(sheet.scores.get(conversation))
            else:
                codes[row, column] = found
    return SheetVerdicts(codes, n_stated, n_missing, n_overruled)


def majority(codes: Codes) -> Majority:
    """Return the majority of ``codes`` (n_raters, n_items). A tie is none (design, section 12)."""
    failed, passed = (codes == FAILED).sum(axis=0), (codes == PASSED).sum(axis=0)
    said = np.where(failed > passed, FAILED, np.where(passed > failed, PASSED, MISSING))
    silent = (failed + passed) == 0
    return Majority(said, n_ties=int(((failed == passed) & ~silent).sum()), n_silent=int(silent.sum()))


def f1s(labels: Codes, decisions: Codes, weights: Floats, *, positive: int) -> Floats:
    """Return (W,) F1 of the class ``positive``; NaN where no item has that label or decision.

    Args:
        labels: (n_items,) verdicts to be found.
        decisions: (n_items,) verdicts of who finds them; items without either count for nothing.
        weights: (W, n_items) how often each item is counted.
    """
    both = (labels != MISSING) & (decisions != MISSING)
    hits = both & (labels == positive) & (decisions == positive)
    wrong = both & (labels != decisions)
    doubled, missed = 2 * (weights @ hits.astype(np.float64)), weights @ wrong.astype(np.float64)
    found = np.full(len(weights), np.nan)
    np.divide(doubled, doubled + missed, out=found, where=doubled + missed > 0)
    return found


def _by_scores(sheet: RaterSheet, conversation: str, rule: VerdictRule, *, counts: bool) -> int | None:
    scores, completed = sheet.scores.get(conversation), sheet.completed.get(conversation)
    if not scores:
        return None
    if counts and completed is None and rule.weights.targets > 0 and not sheet.is_judge:
        return None
    exact = success_with(scores, _share(completed) if counts else None, rule.weights)
    if exact is None:
        return None
    return PASSED if passes(exact, rule.threshold) else FAILED


def _share(completed: float | None) -> Fraction | None:
    """Return T as the share of a few targets that it is, so that a third is one whatever its last digits are."""
    return None if completed is None else Fraction(completed).limit_denominator(_MOST_TARGETS)
