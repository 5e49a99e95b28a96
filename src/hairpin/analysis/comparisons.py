"""One arm against another: ratio of types, difference of rates, rank tests and effect sizes (RQ1).

It must not compare runs; that is ``analysis.compare_runs``.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction

from scipy import stats  # type: ignore[import-untyped]

from hairpin.analysis.effectiveness import failure_rate, scores
from hairpin.analysis.model import (
    ArmComparison,
    EffectSize,
    Magnitude,
    Proportion,
    RankComparison,
    RankTest,
    RateDifference,
    UMethod,
)
from hairpin.analysis.scope import Scope, rated
from hairpin.analysis.spreads import spread
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts

ALPHA = 0.05
EXACT_UP_TO = 8
EXACT_PAIRS = 4_000
"""The exact distribution is used, without ties, up to so many values in the smaller group (as scipy's ``method="auto"``
does) and so many pairs of values; finding it for eight against thousands takes seconds."""

_MAGNITUDES = (
    (Fraction(71, 100), Magnitude.LARGE),
    (Fraction(64, 100), Magnitude.MEDIUM),
    (Fraction(56, 100), Magnitude.SMALL),
)
_SCORE_DIGITS = 9
"""Scores are compared to so many digits: what differs in the last bits of a sum is the same score."""


def mann_whitney(first: Sequence[float], second: Sequence[float], alpha: float = ALPHA) -> RankTest:
    """Return the two-sided Mann–Whitney U test of two groups of finite values.

    The exact distribution is used without ties and for small groups (``EXACT_UP_TO``, ``EXACT_PAIRS``); else the normal
    approximation, corrected for ties and continuity.
    """
    n1, n2 = len(first), len(second)
    if n1 == 0 or n2 == 0:
        return _untested(n1, n2, None, alpha, _empty(n1, n2))
    pooled = {*first, *second}
    if len(pooled) == 1:
        return _untested(n1, n2, n1 * n2 / 2, alpha, "all values are equal")
    exact = len(pooled) == n1 + n2 and min(n1, n2) <= EXACT_UP_TO and n1 * n2 <= EXACT_PAIRS
    method = UMethod.EXACT if exact else UMethod.ASYMPTOTIC
    result = stats.mannwhitneyu(first, second, alternative="two-sided", method=method.value)
    p = min(1.0, float(result.pvalue))
    return RankTest(n1=n1, n2=n2, u=float(result.statistic), p=p, method=method, alpha=alpha, significant=p <= alpha)


def vargha_delaney(first: Sequence[float], second: Sequence[float]) -> EffectSize:
    """Return Â12 with the exact number of pairs in which ``first`` has the greater value, and of ties."""
    n1, n2 = len(first), len(second)
    if n1 == 0 or n2 == 0:
        return EffectSize(n1=n1, n2=n2, greater=0, ties=0, a12=None, magnitude=None, reason=_empty(n1, n2))
    ordered = sorted(second)
    below = [bisect_left(ordered, value) for value in first]
    greater, ties = sum(below), sum(bisect_right(ordered, value) for value in first) - sum(below)
    a12 = Fraction(2 * greater + ties, 2 * n1 * n2)
    return EffectSize(n1=n1, n2=n2, greater=greater, ties=ties, a12=float(a12), magnitude=magnitude(a12))


def magnitude(a12: Fraction) -> Magnitude:
    """Return how large an effect is, whichever group is the greater."""
    size = max(a12, 1 - a12)
    return next((word for least, word in _MAGNITUDES if size >= least), Magnitude.NEGLIGIBLE)


def compare_ranks(first: Sequence[float], second: Sequence[float], alpha: float = ALPHA) -> RankComparison:
    """Return both groups with their test and effect size."""
    return RankComparison(
        first=spread(first),
        second=spread(second),
        test=mann_whitney(first, second, alpha),
        effect=vargha_delaney(first, second),
    )


def rate_difference(first: Proportion, second: Proportion) -> RateDifference:
    """Return first − second with Newcombe's hybrid score interval; with an empty group it is all of [−1, 1].

    Source: Newcombe, 1998, method 10.
    """
    if first.rate is None or second.rate is None:
        reason = _empty(first.n, second.n)
        return RateDifference(first=first, second=second, difference=None, low=-1, high=1, reason=reason)
    difference = first.rate - second.rate
    low = difference - math.hypot(first.rate - first.low, second.high - second.rate)
    high = difference + math.hypot(first.high - first.rate, second.rate - second.low)
    return RateDifference(first=first, second=second, difference=difference, low=max(-1.0, low), high=min(1.0, high))


def compare_arms(
    facts: Sequence[ConversationFacts],
    sut: str | None = None,
    alpha: float = ALPHA,
    *,
    arms: tuple[Arm, Arm] = (Arm.GUIDED, Arm.BASELINE),
) -> ArmComparison:
    """Compare the conversations of the first of ``arms`` with those of the second, of ``sut`` or of all assistants."""
    first, second = (rated(Scope(sut=sut, arm=arm).pick(facts)) for arm in arms)
    types = compare_ranks(_n_types(first), _n_types(second), alpha)
    ratio, reason = _types_ratio(types, arms)
    return ArmComparison(
        sut=sut,
        arms=arms,
        types_ratio=ratio,
        types_ratio_reason=reason,
        failure_rate=rate_difference(failure_rate(first), failure_rate(second)),
        success_score=compare_ranks(_rounded_scores(first), _rounded_scores(second), alpha),
        failure_types=types,
    )


def _types_ratio(types: RankComparison, arms: tuple[Arm, Arm]) -> tuple[float | None, str]:
    first, second = types.first.mean, types.second.mean
    if first is None or second is None:
        return None, _empty(types.first.n, types.second.n)
    if second == 0:
        return None, f"the {'baseline' if arms[1] is Arm.BASELINE else f'{arms[1]} arm'} found no failure type"
    return first / second, ""


def _n_types(facts: Sequence[ConversationFacts]) -> list[float]:
    return [len(fact.modes) for fact in facts]


def _rounded_scores(facts: Sequence[ConversationFacts]) -> list[float]:
    return [round(score, _SCORE_DIGITS) for score in scores(facts)]


def _untested(n1: int, n2: int, u: float | None, alpha: float, reason: str) -> RankTest:
    """Return a test that says nothing: without values there is no p, with equal ones it is 1."""
    p, significant = (None, None) if u is None else (1.0, False)
    return RankTest(n1=n1, n2=n2, u=u, p=p, method=UMethod.NONE, alpha=alpha, significant=significant, reason=reason)


def _empty(n1: int, n2: int) -> str:
    """Return which of the two groups has no values."""
    if n1 == n2 == 0:
        return "neither group has values"
    return f"the {'first' if n1 == 0 else 'second'} group has no values"
