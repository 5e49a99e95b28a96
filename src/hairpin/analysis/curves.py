"""Cumulative failures over active time, per run and on average (in-car paper, Fig. 1).

It must not draw.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence

from hairpin.analysis.distinct import distinct_failures
from hairpin.analysis.model import CumulativeCurves, Curve, CurvePoint, StepCurve
from hairpin.analysis.scope import Scope, rated
from hairpin.analysis.spreads import mean_sd
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.tally import Standing

Timed = Sequence[tuple[float, ConversationFacts]]
"""Conversations with their active time, in its order."""

Growth = Callable[[Timed], Iterable[tuple[float, int]]]
"""From a run's conversations to (time, how much the count grows)."""


def time_grid(facts: Iterable[ConversationFacts], n_points: int = 61) -> tuple[float, ...]:
    """Return ``n_points`` ≥ 2 evenly spaced times from 0 to the last end of a conversation; none without such."""
    last = max((fact.active_s for fact in facts if fact.active_s is not None), default=None)
    return () if last is None else tuple(last * i / (n_points - 1) for i in range(n_points))


def cumulative_curves(facts: Sequence[ConversationFacts], scope: Scope, *, grid: Sequence[float]) -> CumulativeCurves:
    """Return how failures of ``scope`` add up over active time, with mean ± sd over its runs at the times of ``grid``.

    A run is one in which something ended, failed or not; with several assistants, theirs are added up.
    """
    group = scope.pick(facts)
    runs = {run: _timed(fact for fact in group if fact.run == run) for run in sorted({fact.run for fact in group})}
    started = {run: timed for run, timed in runs.items() if timed}
    reason = _reason(group, bool(started))
    return CumulativeCurves(
        scope=scope,
        failed=_curve(scope, started, _failed, grid, reason),
        distinct=_curve(scope, started, _distinct, grid, reason),
    )


def count_at(curve: StepCurve, time_s: float) -> int:
    """Return how much ``curve`` has counted by ``time_s``, what happens at that time included."""
    position = bisect_right(curve.times_s, time_s)
    return curve.counts[position - 1] if position else 0


def _timed(facts: Iterable[ConversationFacts]) -> Timed:
    timed = [(fact.active_s, fact) for fact in facts if fact.active_s is not None]
    return sorted(timed, key=lambda pair: (pair[0], pair[1].index))


def _failed(timed: Timed) -> Iterable[tuple[float, int]]:
    return ((time_s, 1) for time_s, fact in timed if fact.standing is Standing.FAIL)


def _distinct(timed: Timed) -> Iterable[tuple[float, int]]:
    known: set[object] = set()
    for time_s, fact in timed:
        new = distinct_failures((fact,)) - known
        if new:
            known |= new
            yield time_s, len(new)


def _curve(scope: Scope, runs: dict[int, Timed], growth: Growth, grid: Sequence[float], reason: str) -> Curve:
    steps = tuple(_steps(run, growth(timed)) for run, timed in runs.items())
    points = tuple(_point(steps, time_s) for time_s in grid) if steps else ()
    return Curve(scope=scope, runs=steps, points=points, reason=reason)


def _steps(run: int, growth: Iterable[tuple[float, int]]) -> StepCurve:
    total = 0
    counts: dict[float, int] = {}
    for time_s, more in growth:
        total += more
        counts[time_s] = total
    return StepCurve(run=run, times_s=tuple(counts), counts=tuple(counts.values()))


def _point(runs: Sequence[StepCurve], time_s: float) -> CurvePoint:
    mean, sd = mean_sd([count_at(run, time_s) for run in runs])
    return CurvePoint(time_s=time_s, mean=mean, sd=sd)


def _reason(facts: Sequence[ConversationFacts], any_started: bool) -> str:
    if not any_started:
        return "no conversation has an active time: not a campaign, or none of it ended"
    left_out = sum(fact.active_s is None for fact in rated(facts))
    return f"left out, without an active time: {left_out} rated conversations" if left_out else ""
