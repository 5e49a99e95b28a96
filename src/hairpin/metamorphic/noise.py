"""Noise calibration (ours): which violations stand out from what answers do where nothing was perturbed.

Pure. The null similarities are made by ``metamorphic.null_answers``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.families import Family
from hairpin.domain.relations import MetamorphicRelation, MetamorphicSpec, RelationCheck, count_violations
from hairpin.metamorphic.answer_words import AnswerType
from hairpin.metamorphic.mr import TOLERANCE
from hairpin.metamorphic.null_answers import (
    NULL_RELATIONS,
    NullSimilarity,
    QuestionKey,
    answer_types,
    null_similarities,
)
from hairpin.metamorphic.scoring import similarity_of
from hairpin.metamorphic.text_vectors import TextVectors, numpy_pair_cosines
from hairpin.ports import PairCosines

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIN_NULL: Final = 20
"""A null of fewer similarities of one answer type gives way to that of all types."""

CLASSES: Final = (
    (MetamorphicRelation.MR1, MetamorphicRelation.MR3),
    (MetamorphicRelation.MR2, MetamorphicRelation.MR4),
    (MetamorphicRelation.METAL,),
)
"""Relations whose checks are corrected together."""

_GROUPS: Final = (MetamorphicRelation.MR3, MetamorphicRelation.MR4)


class NullUsed(Value):
    """Which null the checks of one relation and answer type (``None``: of an unknown one) were held against.

    ``n_own``: null similarities of that type; ``n_used``: of those used, which are of all types when ``pooled``.
    """

    relation: MetamorphicRelation
    answer_type: AnswerType | None
    n_own: int = Field(ge=0)
    n_used: int = Field(ge=0)
    pooled: bool


class CalibratedRelation(Value):
    """Of one relation: executed checks, violations as the paper counts them, and those of them that stand out."""

    relation: MetamorphicRelation
    n_checks: int = Field(ge=0)
    n_violations: int = Field(ge=0)
    n_calibrated: int = Field(ge=0)
    nulls: tuple[NullUsed, ...] = ()


class CalibratedClass(Value):
    """Relations whose checks were corrected together.

    Attributes:
        relations: each with both counts.
        n_checks: how many checks Benjamini–Hochberg was applied to.
        smallest_p: the smallest p that any of them can have, however it comes out; ``None`` without checks.
        n_needed: how many checks must be at their smallest p for any to be rejected; ``None``: none ever can be.
    """

    relations: tuple[CalibratedRelation, ...]
    n_checks: int = Field(ge=0)
    smallest_p: float | None
    n_needed: int | None

    @property
    def can_reject(self) -> bool:
        """Whether any check could be found to stand out at all."""
        return self.n_needed is not None


class CalibratedCheck(Value):
    """An executed check with its p, and whether Benjamini–Hochberg rejects that it is noise."""

    check: RelationCheck
    p: float = Field(gt=0, le=1)
    rejected: bool

    @property
    def violated(self) -> bool:
        """Whether it crosses ε and stands out from the noise."""
        return self.check.violated is True and self.rejected


class NoiseReport(Value):
    """The paper's count and the calibrated one side by side. ``not_calibrated``: executed checks without a null."""

    alpha: float
    classes: tuple[CalibratedClass, ...]
    checks: tuple[CalibratedCheck, ...]
    not_calibrated: Mapping[MetamorphicRelation, int] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Null:
    """The null similarities of one relation, sorted, by type and of all types."""

    by_type: Mapping[AnswerType, list[float]]
    pooled: list[float]

    def used(self, kind: AnswerType | None) -> list[float]:
        own = [] if kind is None else self.by_type.get(kind, [])
        return own if len(own) >= MIN_NULL else self.pooled


def noise_report(
    families: Sequence[Family],
    checks: Sequence[RelationCheck],
    vectors: TextVectors,
    spec: MetamorphicSpec,
    *,
    pair_cosines: PairCosines = numpy_pair_cosines,
) -> NoiseReport:
    """Calibrate the ``checks`` of ``families``, which ``check_relations`` made with the same vectors and ``spec``.

    Raises:
        ValueError: a text has no vector; ``texts_needed`` names them all.
    """
    similarity = similarity_of(vectors, spec.comparison, pair_cosines)
    null = null_similarities(families, similarity, spec)
    return calibrate(checks, null, answer_types(families), alpha=spec.alpha)


def calibrate(
    checks: Sequence[RelationCheck],
    null: Sequence[NullSimilarity],
    types: Mapping[QuestionKey, AnswerType],
    *,
    alpha: float,
) -> NoiseReport:
    """Say which violations stand out from the noise.

    p = (1 + null similarities at least as extreme) / (1 + null similarities), of the same relation and answer type, or
    of all types where there are fewer than MIN_NULL; extreme is low where answers must be alike, and high where they
    must differ. The one pair that decides MR3 or MR4 is the most extreme of ``n_pairs``, so its p is multiplied by
    them. A violation counts if Benjamini–Hochberg at level ``alpha`` over the checks of its class rejects it too.

    Args:
        checks: of one or many families; those that are not applicable are left out.
        null: from ``null_similarities`` of the same families.
        types: from ``answer_types`` of the same families.
        alpha: α.
    """
    nulls = _sorted(null)
    executed = [check for check in checks if check.violated is not None]
    classes: list[CalibratedClass] = []
    calibrated: list[CalibratedCheck] = []
    for relations in CLASSES:
        own = [check for check in executed if check.relation in relations]
        found, needed, smallest = _class(own, nulls, types, alpha)
        calibrated += found
        parts = tuple(_relation(relation, found, nulls[relation], types) for relation in relations)
        classes.append(CalibratedClass(relations=parts, n_checks=len(own), smallest_p=smallest, n_needed=needed))
    without = [check.relation for check in executed if check.relation not in NULL_RELATIONS]
    return NoiseReport(
        alpha=alpha,
        classes=tuple(classes),
        checks=tuple(calibrated),
        not_calibrated={relation: without.count(relation) for relation in MetamorphicRelation if relation in without},
    )


def benjamini_hochberg(p_values: NDArray[np.float64], alpha: float) -> NDArray[np.bool_]:
    """Say which of the (m,) p-values are rejected at false discovery rate ``alpha``: up to the last p_(k) ≤ kα/m."""
    k = _last_rank(p_values, alpha)
    return p_values <= np.sort(p_values)[k - 1] if k else np.zeros(len(p_values), np.bool_)


def _class(
    checks: Sequence[RelationCheck],
    nulls: Mapping[MetamorphicRelation, _Null],
    types: Mapping[QuestionKey, AnswerType],
    alpha: float,
) -> tuple[list[CalibratedCheck], int | None, float | None]:
    """Return the checks with their p, how many it takes for a rejection, and the smallest p that there can be."""
    used = [nulls[check.relation].used(types.get((check.source, check.index))) for check in checks]
    p_values = np.array([_p(check, null) for check, null in zip(checks, used, strict=True)], np.float64)
    reachable = np.sort([_smallest_p(check, null) for check, null in zip(checks, used, strict=True)])
    rejected = benjamini_hochberg(p_values, alpha)
    ranks = np.flatnonzero(_within(reachable, alpha))
    found = [
        CalibratedCheck(check=check, p=float(p), rejected=bool(out))
        for check, p, out in zip(checks, p_values, rejected, strict=True)
    ]
    needed = int(ranks[0]) + 1 if ranks.size else None
    return found, needed, float(reachable[0]) if len(reachable) else None


def _within(sorted_p: NDArray[np.float64], alpha: float) -> NDArray[np.bool_]:
    m = len(sorted_p)
    within: NDArray[np.bool_] = sorted_p <= np.arange(1, m + 1) * alpha / max(m, 1) * (1 + 1e-12)
    return within


def _last_rank(p_values: NDArray[np.float64], alpha: float) -> int:
    ranks = np.flatnonzero(_within(np.sort(p_values), alpha))
    return int(ranks[-1]) + 1 if ranks.size else 0


def _p(check: RelationCheck, null: Sequence[float]) -> float:
    assert check.similarity is not None, check
    if check.relation.alike:
        n_extreme = bisect_right(null, check.similarity + TOLERANCE)
    else:
        n_extreme = len(null) - bisect_left(null, check.similarity - TOLERANCE)
    return min(1.0, _n_chances(check) * (1 + n_extreme) / (1 + len(null)))


def _smallest_p(check: RelationCheck, null: Sequence[float]) -> float:
    return min(1.0, _n_chances(check) / (1 + len(null)))


def _n_chances(check: RelationCheck) -> int:
    return check.n_pairs if check.relation in _GROUPS else 1


def _sorted(null: Sequence[NullSimilarity]) -> dict[MetamorphicRelation, _Null]:
    found: dict[MetamorphicRelation, dict[AnswerType, list[float]]] = {
        relation: defaultdict(list) for relation in NULL_RELATIONS
    }
    for each in null:
        found[each.relation][each.answer_type].append(each.similarity)
    return {
        relation: _Null(
            {kind: sorted(values) for kind, values in by_type.items()},
            sorted(value for values in by_type.values() for value in values),
        )
        for relation, by_type in found.items()
    }


def _relation(
    relation: MetamorphicRelation,
    found: Sequence[CalibratedCheck],
    null: _Null,
    types: Mapping[QuestionKey, AnswerType],
) -> CalibratedRelation:
    own = [each for each in found if each.check.relation is relation]
    kinds = {types.get((each.check.source, each.check.index)) for each in own}
    return CalibratedRelation(
        relation=relation,
        n_checks=len(own),
        n_violations=count_violations([each.check for each in own]),
        n_calibrated=sum(each.violated for each in own),
        nulls=tuple(_used(relation, kind, null) for kind in (*AnswerType, None) if kind in kinds),
    )


def _used(relation: MetamorphicRelation, kind: AnswerType | None, null: _Null) -> NullUsed:
    used = null.used(kind)
    return NullUsed(
        relation=relation,
        answer_type=kind,
        n_own=0 if kind is None else len(null.by_type.get(kind, [])),
        n_used=len(used),
        pooled=used is null.pooled,
    )
