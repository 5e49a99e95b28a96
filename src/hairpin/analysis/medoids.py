"""k-medoids: BUILD and SWAP of PAM over a matrix of distances.

Which k, and what the clusters mean, is ``clusters``' matter. Sources: for PAM, Kaufman and Rousseeuw (1990), chapter 2;
for the gain of all k swaps of a point at once, for swapping without searching on to the end, and for the sampled BUILD,
Schubert and Rousseeuw (2021), "Fast and eager k-medoids clustering".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Distances: TypeAlias = "NDArray[np.floating[Any]]"
"""(n, n), symmetric, not negative, zeros on the diagonal."""

Indices: TypeAlias = "NDArray[np.intp]"

CANDIDATES_AT_A_TIME = 256
"""The best swap of so many points is made at once; up to so many points in all, that is exactly PAM."""


class Partition(NamedTuple):
    """Points around their medoids.

    Attributes:
        medoids: (k,) indices of points.
        labels: (n,) the position in ``medoids`` of each point's nearest one; the first of equally near ones, but a
            medoid is its own, so that no cluster is empty.
        cost: the sum of the distances of all points to their nearest medoid.
    """

    medoids: Indices
    labels: Indices
    cost: float


class _Neighbours(NamedTuple):
    """For each point the position of its nearest medoid, and its distances to that one and to the second nearest."""

    nearest: Indices
    first: Distances
    second: Distances

    @property
    def cost(self) -> float:
        return float(self.first.sum(dtype=np.float64))


def build(distances: Distances, k: int, *, n_candidates: int, rng: np.random.Generator) -> Indices:
    """Return k medoids, each the one that lowers the cost most beside those before it (BUILD).

    Args:
        n_candidates: how many points are tried for each medoid, drawn by ``rng``; n and more: all of them.

    Raises:
        ValueError: k < 1 or k > n.
    """
    _require_possible(len(distances), k)
    medoids = np.empty(0, dtype=np.intp)
    nearest: Distances = np.full(len(distances), np.inf, dtype=distances.dtype)
    for _ in range(k):
        others = np.setdiff1d(np.arange(len(distances)), medoids)
        tried = np.sort(rng.permutation(others)[:n_candidates])
        costs = np.minimum(distances[tried], nearest).sum(axis=1, dtype=np.float64)
        best = tried[int(costs.argmin())]
        medoids = np.append(medoids, best)
        nearest = np.minimum(nearest, distances[best])
    return medoids


def pam(distances: Distances, medoids: Indices) -> Partition:
    """Swap medoids with other points until no single swap lowers the cost (SWAP).

    The work is one pass over the n × n distances for every few swaps, in memory of n × 256 numbers.

    Args:
        medoids: (k,) distinct indices to start from, as ``build`` returns them.

    Raises:
        ValueError: k < 2; there is nothing to choose between.
    """
    n, k = len(distances), len(medoids)
    if k < 2:
        raise ValueError(f"k = {k}: swapping needs at least 2 medoids")
    neighbours = _neighbours(distances, medoids)
    start = n_tried = 0
    while n_tried < n:
        candidates = slice(start, min(start + CANDIDATES_AT_A_TIME, n))
        swapped = _best_swap(distances, medoids, neighbours, candidates)
        start = candidates.stop % n
        n_tried += candidates.stop - candidates.start
        if swapped is not None:
            medoids, neighbours = swapped
            n_tried = 0
    labels = neighbours.nearest.copy()
    labels[medoids] = np.arange(k)
    return Partition(medoids, labels, neighbours.cost)


def _best_swap(
    distances: Distances, medoids: Indices, neighbours: _Neighbours, candidates: slice
) -> tuple[Indices, _Neighbours] | None:
    """Return the medoids after the best swap with one of the candidates, or ``None`` if none lowers the cost."""
    changes = _cost_changes(distances[candidates], len(medoids), neighbours)
    point, position = np.unravel_index(int(changes.argmin()), changes.shape)
    if changes[point, position] >= 0:
        return None
    swapped = medoids.copy()
    swapped[position] = candidates.start + int(point)
    after = _neighbours(distances, swapped)
    return (swapped, after) if _clearly_less(after.cost, neighbours.cost, distances) else None


def _clearly_less(cost: float, before: float, distances: Distances) -> bool:
    """A cost is lower when it is by more than rounding: thus no swap is ever undone, and the search ends."""
    return cost < before * (1 - 4 * float(np.finfo(distances.dtype).eps))


def _cost_changes(to_candidates: Distances, k: int, neighbours: _Neighbours) -> Distances:
    """Return (candidates, k): what the cost changes by when the candidate takes the place of the medoid.

    A point whose medoid stays moves only to a nearer candidate; one whose medoid goes moves to the candidate or to its
    second nearest, whichever is nearer. The first part is the same for all k.
    """
    nearest, first, second = neighbours
    members = np.zeros((len(nearest), k), dtype=to_candidates.dtype)
    members[np.arange(len(nearest)), nearest] = 1
    for_all = np.minimum(to_candidates, first).sum(axis=1) - first.sum()
    for_members = np.clip(to_candidates, first, second) - first
    changes: Distances = for_all[:, None] + for_members @ members
    return changes


def _neighbours(distances: Distances, medoids: Indices) -> _Neighbours:
    to_medoids = distances[medoids]
    nearest = to_medoids.argmin(axis=0)
    columns = np.arange(to_medoids.shape[1])
    first = to_medoids[nearest, columns]
    to_medoids[nearest, columns] = np.inf
    return _Neighbours(nearest, first, to_medoids.min(axis=0))


def _require_possible(n: int, k: int) -> None:
    if not 1 <= k <= n:
        raise ValueError(f"k = {k}: of {n} points, 1 to {n} can be medoids")
