"""A confidence sequence for the failure probability: an interval that holds at every look at once.

It counts nothing itself: conversations come as failed or not, in plan order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from scipy.optimize import brentq  # type: ignore[import-untyped]
from scipy.special import betaln, expit  # type: ignore[import-untyped]

from hairpin.domain.base import Value

PRIOR = 0.5
"""a and b of the mixing Beta distribution. Jeffreys' 1/2 puts more weight on rates near 0 and 1 than the uniform 1,
which is where failure rates are; it is valid either way."""

MAX_LOOKS = 200
FAR = 700.0
"""A logit that stands for a rate of 0 or 1: exp(−700) is all but the smallest number above 0 that floats know."""


class Look(Value):
    """The interval after ``n`` graded conversations, ``n_failed`` of them failed."""

    n: int
    n_failed: int
    low: float
    high: float


class ConfidenceSequence(Value):
    """Intervals that all hold at once with probability of at least 1 − ``alpha``.

    Attributes:
        looks: at most 200, ascending in n; the last is after all conversations. Never empty: n = 0 gives (0, 1).
        contradicted_at: only with the running intersection: n of the look at which nothing was left; the path ends
            before it. Either the α-case has happened or the conversations do not share one failure probability.
    """

    alpha: float
    looks: tuple[Look, ...]
    contradicted_at: int | None = None

    @property
    def last(self) -> Look:
        """The interval to quote."""
        return self.looks[-1]


def failure_interval(n: int, n_failed: int, *, alpha: float = 0.05) -> Look:
    """Return the interval of the confidence sequence after ``n`` conversations.

    {p : B(a + s, b + f)/B(a, b) / (p^s (1 − p)^f) < 1/α} with s failed, f = n − s and a = b = 1/2. Under the true p the
    left side is a martingale that starts at 1, so by Ville's inequality it ever reaches 1/α with probability ≤ α.

    Raises:
        ValueError: not 0 ≤ n_failed ≤ n, or alpha outside (0, 1).

    Source: Robbins (1970), "Statistical methods related to the law of the iterated logarithm"; beta-binomial mixture.
    """
    _require_valid(n, n_failed, alpha)
    failed, passed = n_failed, n - n_failed
    level = math.log(1 / alpha) - float(betaln(PRIOR + failed, PRIOR + passed) - betaln(PRIOR, PRIOR))

    def excess(logit: float) -> float:
        """How far log 1/(p^s (1 − p)^f) is above what the interval allows, at p = 1/(1 + exp(−logit))."""
        return float(failed * np.logaddexp(0, -logit) + passed * np.logaddexp(0, logit) - level)

    middle = _middle(failed, passed)
    low = float(expit(_root(excess, -level / failed - 1, middle))) if failed else 0.0
    high = float(expit(_root(excess, middle, level / passed + 1))) if passed else 1.0
    return Look(n=n, n_failed=n_failed, low=low, high=high)


def confidence_sequence(
    failed: Iterable[bool], *, alpha: float = 0.05, max_looks: int = MAX_LOOKS, running_intersection: bool = False
) -> ConfidenceSequence:
    """Return the path of intervals over graded conversations in plan order, at most ``max_looks`` of it, evenly spaced.

    What it is valid for: conversations planned uniformly, that is drawn from the plan's whole space without regard to
    what was found before, so that each fails with the same probability given the earlier ones. Leave out the adaptive
    ones (a search that goes where failures are), repeats that confirm a failure, and metamorphic replays. The guided
    and the baseline arm are two sequences. A balanced plan counts as such a draw: balancing makes counts vary less.
    Keep the order of the plan: in order of ending, the quick conversations would come first. Inconclusive and invalid
    ones are left out: p is the probability to fail of a conversation that can be graded.

    Args:
        running_intersection: show at each look what all looks up to it allow together. Also valid, and never widens;
            off by default because it hides a failure probability that drifts, and can end with nothing.
    """
    outcomes = np.fromiter((bool(one) for one in failed), dtype=np.int64)
    if max_looks < 1:
        raise ValueError(f"max_looks = {max_looks}: wanted at least 1")
    counts = np.cumsum(outcomes)
    looks = tuple(
        failure_interval(n, int(counts[n - 1]) if n else 0, alpha=alpha) for n in _when(len(outcomes), max_looks)
    )
    if running_intersection:
        return _intersected(looks, alpha)
    return ConfidenceSequence(alpha=alpha, looks=looks)


def _when(n: int, max_looks: int) -> Sequence[int]:
    if n == 0:
        return (0,)
    return sorted({math.ceil(n * (look + 1) / min(n, max_looks)) for look in range(min(n, max_looks))})


def _intersected(looks: Sequence[Look], alpha: float) -> ConfidenceSequence:
    low, high = 0.0, 1.0
    narrowed: list[Look] = []
    for look in looks:
        low, high = max(low, look.low), min(high, look.high)
        if low > high:
            return ConfidenceSequence(alpha=alpha, looks=tuple(narrowed), contradicted_at=look.n)
        narrowed.append(look.model_copy(update={"low": low, "high": high}))
    return ConfidenceSequence(alpha=alpha, looks=tuple(narrowed))


def _root(excess: Callable[[float], float], low: float, high: float) -> float:
    return float(brentq(excess, low, high, xtol=1e-12, rtol=1e-14))


def _middle(failed: int, passed: int) -> float:
    """The logit of the observed rate: inside every interval, since the martingale is at most 1 there."""
    if failed and passed:
        return math.log(failed / passed)
    return FAR if failed else -FAR


def _require_valid(n: int, n_failed: int, alpha: float) -> None:
    if not 0 <= n_failed <= n:
        raise ValueError(f"n_failed = {n_failed} of n = {n} conversations: wanted 0 to {n}")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha = {alpha}: wanted a probability between 0 and 1, such as 0.05")
