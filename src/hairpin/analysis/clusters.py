"""Clusters of failing conversations, and how many of them each arm reaches.

It takes vectors as they are: which conversations fail, and what stands for them, is decided before.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from pydantic import Field
from sklearn.metrics import silhouette_score  # type: ignore[import-untyped]

from hairpin.analysis.medoids import Distances, Indices, build, pam
from hairpin.analysis.model import Spread
from hairpin.analysis.spreads import spread
from hairpin.analysis.vectors import stellar_distances
from hairpin.domain.arm import Arm
from hairpin.domain.base import Value
from hairpin.domain.rng import derive_rng_seed
from hairpin.ports import FloatMatrix

K_RANGE = range(2, 11)
N_RUNS = 10
MAX_PER_ARM = 2000
MIN_FAILURES = 3
"""Two points make two clusters of one each, which has no silhouette."""


class ClusterRun(Value):
    """One clustering: its k, its mean silhouette, and the share of clusters with each arm, in the order of ``arms``."""

    k: int = Field(ge=2)
    silhouette: float
    coverage: tuple[float, ...]


class ArmCoverage(Value):
    """How an arm's failing conversations took part.

    Attributes:
        n_clustered: how many were clustered.
        n_left_out: how many the sample of at most 2,000 left out.
        coverage: the share of clusters with at least one of them, over the runs; 0 for an arm without failures.
    """

    arm: Arm
    n_clustered: int = Field(ge=0)
    n_left_out: int = Field(ge=0)
    coverage: Spread


class Clustering(Value):
    """Failure clusters and their coverage. Spreads describe runs over the same data, which are no independent samples.

    Attributes:
        n_distinct: how many of the clustered vectors differ (d > 0); k never exceeds it.
        runs: empty where nothing was clustered.
        reason: why nothing was clustered, or what the figures cannot tell; empty when all is well.
    """

    n_distinct: int = Field(ge=0)
    arms: tuple[ArmCoverage, ...]
    runs: tuple[ClusterRun, ...]
    k: Spread
    silhouette: Spread
    reason: str = ""


def cluster_failures(
    unit_vectors: FloatMatrix,
    arm_of_row: Sequence[Arm],
    *,
    arms: Sequence[Arm],
    rng_seed: int,
    n_runs: int = N_RUNS,
    max_per_arm: int = MAX_PER_ARM,
) -> Clustering:
    """Cluster both arms' failing conversations together, ``n_runs`` times, and count the clusters each arm reaches.

    k-medoids (PAM) on d = (1 − cos)/2; k of 2 to 10 with the greatest mean silhouette, the smallest of equals; each run
    starts from a BUILD with another sample of candidates.

    Args:
        unit_vectors: (n, d) float32, one for each failing conversation, duplicates included.
        arm_of_row: (n,) the arm of each.
        arms: those that were run, also when they found nothing.
        rng_seed: decides the samples; the same seed gives the same result.

    Raises:
        ValueError: a row without an arm, or of an arm that was not run.

    Source: paper, section IV-B; design, section 12.
    """
    _require_matching(unit_vectors, arm_of_row, arms)
    rows_by_arm = [np.array([row for row, of in enumerate(arm_of_row) if of is arm], dtype=np.intp) for arm in arms]
    sampled = [_sample(rows, max_per_arm, rng_seed, arm) for arm, rows in zip(arms, rows_by_arm, strict=True)]
    members = np.repeat(np.arange(len(arms)), [len(rows) for rows in sampled])
    distances = stellar_distances(unit_vectors[np.concatenate(sampled)] if sampled else unit_vectors)
    n_distinct = _count_distinct(distances)
    objection = _objection(len(distances), n_distinct)
    runs = () if objection else _cluster(distances, members, len(arms), n_distinct, rng_seed, n_runs)
    return Clustering(
        n_distinct=n_distinct,
        arms=tuple(
            ArmCoverage(
                arm=arm,
                n_clustered=len(sampled[i]),
                n_left_out=len(rows_by_arm[i]) - len(sampled[i]),
                coverage=spread([run.coverage[i] for run in runs], reason=objection),
            )
            for i, arm in enumerate(arms)
        ),
        runs=runs,
        k=spread([run.k for run in runs], reason=objection),
        silhouette=spread([run.silhouette for run in runs], reason=objection),
        reason=objection or _caveat(arms, sampled),
    )


def _cluster(
    distances: Distances, members: Indices, n_arms: int, n_distinct: int, rng_seed: int, n_runs: int
) -> tuple[ClusterRun, ...]:
    greatest = min(K_RANGE[-1], n_distinct, len(distances) - 1)
    silhouettes: dict[frozenset[int], float] = {}
    return tuple(
        _run(distances, members, n_arms, greatest, derive_rng_seed(rng_seed, "clusters", str(run)), silhouettes)
        for run in range(n_runs)
    )


def _run(
    distances: Distances,
    members: Indices,
    n_arms: int,
    greatest: int,
    rng_seed: int,
    silhouettes: dict[frozenset[int], float],
) -> ClusterRun:
    """Cluster for every k, keep the best. ``silhouettes`` remembers those of medoids that several runs end with."""
    rng = np.random.default_rng(rng_seed)
    best_labels, best = np.zeros(len(distances), dtype=np.intp), -math.inf
    for k in range(K_RANGE[0], greatest + 1):
        n_candidates = 10 + math.ceil(math.sqrt(len(distances)))
        partition = pam(distances, build(distances, k, n_candidates=n_candidates, rng=rng))
        key = frozenset(partition.medoids.tolist())
        if key not in silhouettes:
            silhouettes[key] = float(silhouette_score(distances, partition.labels, metric="precomputed"))
        if silhouettes[key] > best:
            best_labels, best = partition.labels, silhouettes[key]
    clusters = np.unique(best_labels)
    return ClusterRun(
        k=len(clusters),
        silhouette=best,
        coverage=tuple(len(np.unique(best_labels[members == arm])) / len(clusters) for arm in range(n_arms)),
    )


def _sample(rows: Indices, at_most: int, rng_seed: int, arm: Arm) -> Indices:
    if len(rows) <= at_most:
        return rows
    rng = np.random.default_rng(derive_rng_seed(rng_seed, "sample", arm))
    return np.sort(rng.choice(rows, at_most, replace=False))


def _count_distinct(distances: Distances) -> int:
    """Count points that have no earlier one at distance 0."""
    return int((np.argmax(distances == 0, axis=1) == np.arange(len(distances))).sum()) if len(distances) else 0


def _objection(n: int, n_distinct: int) -> str:
    if n == 0:
        return "no failing conversation"
    if n < MIN_FAILURES:
        return f"{n} failing conversation{'s' * (n > 1)}: clustering needs at least {MIN_FAILURES}"
    if n_distinct == 1:
        return f"all {n} failing conversations have the same vector: there is nothing to tell apart"
    return ""


def _caveat(arms: Sequence[Arm], sampled: Sequence[Indices]) -> str:
    with_failures = [arm for arm, rows in zip(arms, sampled, strict=True) if len(rows)]
    if len(with_failures) == 1:
        return f"only the {with_failures[0]} arm has failing conversations: it covers all clusters by construction"
    return ""


def _require_matching(unit_vectors: FloatMatrix, arm_of_row: Sequence[Arm], arms: Sequence[Arm]) -> None:
    if unit_vectors.ndim != 2 or len(unit_vectors) != len(arm_of_row):
        raise ValueError(
            f"vectors of shape {unit_vectors.shape} for {len(arm_of_row)} conversations: wanted one row each"
        )
    unknown = sorted(set(arm_of_row) - set(arms))
    if unknown:
        raise ValueError(
            f"failing conversations of the {unknown[0]} arm, which is not among those run: {', '.join(arms)}"
        )
