"""What MORTAR finds at other thresholds: ε of answers, ε_EC of contexts.

Everything is decided anew from stored rows; nobody is asked again.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.analysis.metamorphic.model import METHOD_OF, ThresholdPoint
from hairpin.analysis.metamorphic.scored import Rescore
from hairpin.domain.families import Family
from hairpin.domain.relations import ContextCheck, MetamorphicSpec, RelationCheck
from hairpin.domain.replay import Method
from hairpin.metamorphic.equivalent_context import redecide

EPSILONS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""The thresholds of MORTAR's Table IV."""

EPSILONS_EC = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


def by_epsilon(
    families: Sequence[Family], spec: MetamorphicSpec, rescore: Rescore, *, thresholds: Sequence[float] = EPSILONS
) -> tuple[ThresholdPoint, ...]:
    """Return what MORTAR finds per assistant at each ε."""
    points = [
        _point(families, rescore(families, spec.model_copy(update={"epsilon": threshold})), threshold)
        for threshold in thresholds
    ]
    return tuple(point for found in points for point in found)


def by_epsilon_ec(
    families: Sequence[Family], spec: MetamorphicSpec, rescore: Rescore, *, thresholds: Sequence[float] = EPSILONS_EC
) -> tuple[ThresholdPoint, ...]:
    """Return what MORTAR finds per assistant at each ε_EC.

    A check that a short cut decided is decided by it at any threshold where it is exact; where its rows cannot tell
    (no answers were asked for), it drops out of the count there.
    """
    points = [
        _point(families, rescore([_decided(family, threshold) for family in families], spec), threshold)
        for threshold in thresholds
    ]
    return tuple(point for found in points for point in found)


def _decided(family: Family, threshold: float) -> Family:
    checks = tuple(_redecided(check, threshold) for check in family.context_checks)
    return family.model_copy(update={"context_checks": checks})


def _redecided(check: ContextCheck, threshold: float) -> ContextCheck:
    if check.finding.equivalent is None:
        return check
    finding = check.finding.model_copy(update={"equivalent": redecide(check.finding, threshold)})
    return check.model_copy(update={"finding": finding})


def _point(
    families: Sequence[Family], scored: Sequence[Sequence[RelationCheck]], threshold: float
) -> tuple[ThresholdPoint, ...]:
    counts: dict[str, tuple[int, int]] = {}
    for family, checks in zip(families, scored, strict=True):
        own = [c for c in checks if METHOD_OF[c.relation] is Method.MORTAR and c.violated is not None]
        n, bugs = counts.get(family.source.planned.sut, (0, 0))
        counts[family.source.planned.sut] = (n + len(own), bugs + sum(c.violated is True for c in own))
    return tuple(ThresholdPoint(sut=sut, threshold=threshold, checks=n, bugs=bugs) for sut, (n, bugs) in counts.items())
