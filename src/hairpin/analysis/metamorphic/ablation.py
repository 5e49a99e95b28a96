"""What each relation and each perturbation contributes: what is found without it.

Source: MORTAR, Tables X and XI.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hairpin.analysis.metamorphic.model import METHOD_OF, Ablation, share
from hairpin.analysis.metamorphic.scored import Rescore, ScoredFamily, of_sut, suts_of
from hairpin.domain.families import Family
from hairpin.domain.relations import MetamorphicSpec, RelationCheck, count_violations
from hairpin.domain.replay import Method, Perturbation


def without_relations(scored: Sequence[ScoredFamily], spec: MetamorphicSpec) -> tuple[Ablation, ...]:
    """Return per assistant what MORTAR finds without each of its relations."""
    return tuple(
        _ablation(sut, relation.value, all_bugs, all_bugs - sum(_bugs(each, {relation.value}) for each in own))
        for sut in suts_of(scored)
        for own in (of_sut(scored, sut),)
        for all_bugs in (sum(_bugs(each) for each in own),)
        for relation in spec.relations
    )


def without_perturbations(
    scored: Sequence[ScoredFamily], spec: MetamorphicSpec, rescore: Rescore
) -> tuple[Ablation, ...]:
    """Return per assistant what MORTAR finds without each perturbation.

    Groups are formed anew without its outputs, so this is not the number of violations that it takes part in.
    """
    return tuple(_without_each(scored, spec, rescore))


def _without_each(scored: Sequence[ScoredFamily], spec: MetamorphicSpec, rescore: Rescore) -> Iterator[Ablation]:
    for sut in suts_of(scored):
        own = of_sut(scored, sut)
        all_bugs = sum(_bugs(each) for each in own)
        for perturbation in spec.perturbations:
            less = tuple(_without(each.family, perturbation) for each in own)
            bugs = sum(_count(checks) for checks in rescore(less, spec))
            yield _ablation(sut, perturbation.value, all_bugs, bugs)


def _without(family: Family, perturbation: Perturbation) -> Family:
    kept = tuple(
        record
        for record in family.follow_ups
        if (replay := record.planned.replay) is None
        or replay.method is not Method.MORTAR
        or replay.kind != perturbation.value
    )
    return family.model_copy(update={"follow_ups": kept})


def _bugs(scored: ScoredFamily, relations: set[str] | None = None) -> int:
    return _count(check for check in scored.checks if relations is None or check.relation.value in relations)


def _count(checks: Sequence[RelationCheck] | Iterator[RelationCheck]) -> int:
    return count_violations([check for check in checks if METHOD_OF[check.relation] is Method.MORTAR])


def _ablation(sut: str, without: str, all_bugs: int, bugs: int) -> Ablation:
    return Ablation(
        sut=sut, without=without, bugs=bugs, change=share(bugs - all_bugs, all_bugs, nothing="no bug was found at all")
    )
