"""What is found without a relation or a perturbation."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hairpin.analysis.metamorphic.ablation import without_perturbations, without_relations
from hairpin.domain.families import Family
from hairpin.domain.relations import MetamorphicRelation, MetamorphicSpec, RelationCheck
from hairpin.domain.replay import Method, Perturbation
from tests.analysis.metamorphic.family_builders import a_check, a_family, a_record, a_replay, scored

MR1, MR2, MR3 = MetamorphicRelation.MR1, MetamorphicRelation.MR2, MetamorphicRelation.MR3
SPEC = MetamorphicSpec(perturbations=(Perturbation.RS, Perturbation.RR), relations=(MR1, MR2))
METAL = a_check(MetamorphicRelation.METAL, ("m", 0))


def test_without_a_relation_its_bugs_are_gone_and_no_others() -> None:
    family = scored(a_family(), a_check(MR1), a_check(MR1), a_check(MR1), a_check(MR2), METAL)
    first, second = without_relations([family], SPEC)
    assert (first.without, first.bugs, first.change.value) == ("MR1", 1, -0.75)
    assert (second.without, second.bugs, second.change.value) == ("MR2", 3, -0.25)


def test_without_a_perturbation_groups_are_formed_anew() -> None:
    shuffled = a_record("c1.RS.1", ("41", "x"), replay=a_replay(Method.MORTAR, (1, 0), kind="RS"))
    reduced = a_record("c1.RR.1", ("41",), replay=a_replay(Method.MORTAR, (1,), kind="RR"))
    changed = a_record("m", ("41",), replay=a_replay(Method.METAL, (1,), kind="RS"))
    family = a_family(shuffled, reduced, changed)

    def rescore(families: Sequence[Family], spec: MetamorphicSpec) -> tuple[tuple[RelationCheck, ...], ...]:
        assert spec == SPEC
        assert all(changed in each.follow_ups for each in families)  # of another method, whatever its kind is called
        return tuple((a_check(MR3),) * (len(each.follow_ups) - 1) + (METAL,) for each in families)

    (checks,) = rescore([family], SPEC)
    found = without_perturbations([scored(family, *checks)], SPEC, rescore)
    assert [(each.without, each.bugs, each.change.value) for each in found] == [("RS", 1, -0.5), ("RR", 1, -0.5)]


def test_nothing_found_at_all_has_no_change() -> None:
    (first, _) = without_relations([scored(a_family(), a_check(MR1, violated=False))], SPEC)
    assert first.bugs == 0
    assert first.change.reason == "no bug was found at all"


@pytest.mark.parametrize("relation", SPEC.relations)
def test_a_run_without_families_has_no_ablation(relation: MetamorphicRelation) -> None:
    assert relation.value not in {each.without for each in without_relations([], SPEC)}
