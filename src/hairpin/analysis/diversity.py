"""How diverse the failures are that each arm found (RQ2): unique failing conversations, and coverage of their clusters.

It embeds nothing and judges nothing: failing conversations come with their vectors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from pydantic import Field

from hairpin.analysis.clusters import Clustering, cluster_failures
from hairpin.analysis.model import Spread
from hairpin.analysis.spreads import spread
from hairpin.analysis.vectors import FloatVector, unique_rows
from hairpin.domain.arm import Arm
from hairpin.domain.base import Value
from hairpin.domain.rng import derive_rng_seed
from hairpin.ports import FloatMatrix


class FailingConversation(NamedTuple):
    """A failed conversation and its ``mean_unit_vector``; ``None``: its user said nothing but blanks."""

    sut: str
    arm: Arm
    vector: FloatVector | None


class UniqueFailures(Value):
    """An arm's failing conversations, duplicates taken out within each arm × SUT.

    Attributes:
        n_failing: all failing conversations of the arm.
        n_without_vector: those left out of everything below, because nothing was said in them.
        n_unique: those with cos ≤ 0.8 to every kept one before them.
        redundancy: the share of duplicates among those with a vector; ``None`` when there are none, see ``reason``.
    """

    arm: Arm
    n_failing: int = Field(ge=0)
    n_without_vector: int = Field(ge=0)
    n_unique: int = Field(ge=0)
    redundancy: float | None
    reason: str = ""


class DiversityRow(Value):
    """One row of Table IV.

    Attributes:
        sut: ``None``: all of them; the unique failures are then the sums over SUTs.
        arms: in the order given.
        ratio: unique failures, guided / baseline, whatever each arm's number of conversations; ``None``: ``reason``.
        clustering: of this SUT's failures; in the last row of all SUTs' failures together.
    """

    sut: str | None
    arms: tuple[UniqueFailures, ...]
    ratio: float | None
    reason: str = ""
    clustering: Clustering


class MeanCoverage(Value):
    """The cluster coverage of an arm, mean over the SUTs whose failures could be clustered.

    This is what the paper's "Overall" row shows (96.9 and 99.0 are the means of the six rows above it).
    """

    arm: Arm
    coverage: Spread


class DiversityAnalysis(Value):
    """RQ2: a row for each SUT, the row of all, and coverage averaged over SUTs."""

    suts: tuple[DiversityRow, ...]
    overall: DiversityRow
    mean_coverage: tuple[MeanCoverage, ...]


def analyse_diversity(
    conversations: Sequence[FailingConversation], *, suts: Sequence[str], arms: Sequence[Arm], rng_seed: int
) -> DiversityAnalysis:
    """Compare the diversity of what the arms found.

    Args:
        conversations: the failing ones in plan order; their vectors all of one length.
        suts: all that were tested, in the order of the rows, also those without failures.
        arms: all that were run.
        rng_seed: of samples and of the starts of the clustering.

    Raises:
        ValueError: a conversation of an unknown SUT or arm, or vectors of different lengths.

    Source: paper, sections IV-B and V-C, Table IV; design, section 12.
    """
    _require_known(conversations, suts, arms)
    spoken = [one for one in conversations if one.vector is not None]
    vectors = _stack([one.vector for one in spoken if one.vector is not None])
    cells = {(sut, arm): _unique_failures(conversations, vectors, sut, arm) for sut in suts for arm in arms}
    rows = tuple(
        _row(sut, [cells[sut, arm] for arm in arms], _clustering(spoken, vectors, sut, arms, rng_seed)) for sut in suts
    )
    together = rows[0].clustering if len(rows) == 1 else _clustering(spoken, vectors, None, arms, rng_seed)
    sums = [_sum(arm, [cells[sut, arm] for sut in suts]) for arm in arms]
    return DiversityAnalysis(suts=rows, overall=_row(None, sums, together), mean_coverage=_mean_coverage(rows, arms))


def _unique_failures(
    conversations: Sequence[FailingConversation], vectors: FloatMatrix, sut: str, arm: Arm
) -> UniqueFailures:
    """Count in one cell; row i of ``vectors`` is the i-th vector there is."""
    n_failing, rows, row = 0, [], 0
    for one in conversations:
        in_cell = one.sut == sut and one.arm is arm
        n_failing += in_cell
        if one.vector is not None:
            if in_cell:
                rows.append(row)
            row += 1
    return _counted(arm, n_failing, len(rows), int(unique_rows(vectors[rows]).sum()))


def _sum(arm: Arm, cells: Sequence[UniqueFailures]) -> UniqueFailures:
    n_failing = sum(cell.n_failing for cell in cells)
    n_spoken = n_failing - sum(cell.n_without_vector for cell in cells)
    return _counted(arm, n_failing, n_spoken, sum(cell.n_unique for cell in cells))


def _counted(arm: Arm, n_failing: int, n_spoken: int, n_unique: int) -> UniqueFailures:
    reason = ""
    if n_spoken == 0:
        reason = "nothing was said in any failing conversation" if n_failing else "no failing conversation"
    return UniqueFailures(
        arm=arm,
        n_failing=n_failing,
        n_without_vector=n_failing - n_spoken,
        n_unique=n_unique,
        redundancy=1 - n_unique / n_spoken if n_spoken else None,
        reason=reason,
    )


def _row(sut: str | None, arms: Sequence[UniqueFailures], clustering: Clustering) -> DiversityRow:
    ratio, reason = _ratio({cell.arm: cell.n_unique for cell in arms})
    return DiversityRow(sut=sut, arms=tuple(arms), ratio=ratio, reason=reason, clustering=clustering)


def _ratio(unique: Mapping[Arm, int]) -> tuple[float | None, str]:
    missing = [arm for arm in (Arm.GUIDED, Arm.BASELINE) if arm not in unique]
    if missing:
        return None, f"the {missing[0]} arm was not run"
    if unique[Arm.BASELINE] == 0:
        return None, "the baseline arm has no unique failing conversation to divide by"
    return unique[Arm.GUIDED] / unique[Arm.BASELINE], ""


def _clustering(
    spoken: Sequence[FailingConversation], vectors: FloatMatrix, sut: str | None, arms: Sequence[Arm], rng_seed: int
) -> Clustering:
    rows = [row for row, one in enumerate(spoken) if sut in (None, one.sut)]
    return cluster_failures(
        vectors[rows],
        [spoken[row].arm for row in rows],
        arms=arms,
        rng_seed=derive_rng_seed(rng_seed, "diversity", sut or ""),
    )


def _mean_coverage(rows: Sequence[DiversityRow], arms: Sequence[Arm]) -> tuple[MeanCoverage, ...]:
    clustered = [row.clustering for row in rows if row.clustering.runs]
    return tuple(
        MeanCoverage(arm=arm, coverage=spread(_coverages(clustered, position), reason="no failures could be clustered"))
        for position, arm in enumerate(arms)
    )


def _coverages(clusterings: Sequence[Clustering], position: int) -> list[float]:
    means = (clustering.arms[position].coverage.mean for clustering in clusterings)
    return [mean for mean in means if mean is not None]


def _stack(vectors: Sequence[FloatVector]) -> FloatMatrix:
    lengths = sorted({len(vector) for vector in vectors})
    if len(lengths) > 1:
        raise ValueError(f"vectors of {lengths[0]} and of {lengths[-1]} numbers: they come from different encoders")
    return np.array(vectors, dtype=np.float32).reshape(len(vectors), lengths[0] if lengths else 0)


def _require_known(conversations: Sequence[FailingConversation], suts: Sequence[str], arms: Sequence[Arm]) -> None:
    for one in conversations:
        if one.sut not in suts:
            raise ValueError(f"a failing conversation of {one.sut!r}, which is not among the SUTs: {', '.join(suts)}")
        if one.arm not in arms:
            raise ValueError(
                f"a failing conversation of the {one.arm} arm, which is not among those run: {', '.join(arms)}"
            )
