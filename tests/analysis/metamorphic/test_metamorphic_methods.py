"""What each method found, counted from families made by hand."""

from __future__ import annotations

from hairpin.analysis.metamorphic.methods import levels_of, method_figures, relation_figures
from hairpin.analysis.metamorphic.model import Levels
from hairpin.domain.relations import MetamorphicRelation
from hairpin.domain.replay import Method
from tests.analysis.metamorphic.family_builders import a_check, a_family, a_record, a_replay, a_seed, scored

MR1, MR2, MR3, MR4 = (MetamorphicRelation(f"MR{n}") for n in (1, 2, 3, 4))
RBT, METAL = MetamorphicRelation.RBT, MetamorphicRelation.METAL


def test_each_method_is_counted_by_its_own_test_cases_and_relations() -> None:
    shuffled = a_record("c1.RS.1", ("41", "old mill", "Omar"), replay=a_replay(Method.MORTAR, (1, 0, 2), kind="RS"))
    doubled = a_record("c1.RD.1", ("old mill", "41"), replay=a_replay(Method.MORTAR, (0, 1), kind="RD"))
    typos = [
        a_record(f"c1.metal.typo.q0{n}", ("41",), replay=a_replay(Method.METAL, (n,), kind="typo")) for n in (0, 1)
    ]
    family = a_family(shuffled, doubled, *typos)
    found = method_figures(
        [
            scored(
                family,
                a_check(RBT, ("c1", 0), violated=False),
                a_check(RBT, ("c1", 1), index=1, violated=False),
                a_check(MR1, ("c1.RS.1", 1), violated=True, level=3),
                a_check(MR2, ("c1.RS.1", 0), index=1, violated=False),
                a_check(MR3, ("c1.RS.1", 1), ("c1.RD.1", 0), violated=True, level=3),
                a_check(MR1, ("c1.RD.1", 1), index=1, violated=None, reason="no_answer"),
                a_check(METAL, ("c1.metal.typo.q01", 0), index=1, violated=False),
            )
        ]
    )
    rbt, mortar, metal = found
    assert [each.method for each in found] == [Method.RBT, Method.MORTAR, Method.METAL]
    assert (rbt.test_cases, rbt.failed_test_cases, rbt.checks, rbt.bugs) == (1, 0, 2, 0)
    assert (mortar.test_cases, mortar.failed_test_cases, mortar.checks, mortar.bugs) == (2, 2, 3, 2)
    assert mortar.per_test_case.value == 1.0
    assert mortar.levels == Levels(l3=2)
    # two changed questions of one dialogue by one relation are one test case
    assert (metal.test_cases, metal.failed_test_cases, metal.rate.value) == (1, 0, 0.0)


def test_each_execution_of_a_perturbation_is_a_test_case_and_fails_for_itself() -> None:
    replays = [
        a_replay(Method.MORTAR, (1, 0), kind="RS").model_copy(update={"execution": execution})
        for execution in (0, 1, 2)
    ]
    family = a_family(*[a_record(f"c1.RS.{n + 1}", ("41", "x"), replay=replay) for n, replay in enumerate(replays)])
    _, mortar = method_figures([scored(family, a_check(MR1, ("c1.RS.2", 1)), a_check(MR1, ("c1.RS.3", 1)))])
    assert (mortar.test_cases, mortar.failed_test_cases) == (3, 2)


def test_a_source_without_gold_has_no_rbt() -> None:
    family = a_family(seed=a_seed(gold=False))
    assert method_figures([scored(family)]) == ()


def test_a_replay_that_has_no_outcome_is_no_test_case() -> None:
    open_one = a_record("c1.RS.1", (), replay=a_replay(Method.MORTAR, (1, 0), kind="RS")).model_copy(
        update={"outcome": None}
    )
    (rbt,) = method_figures([scored(a_family(open_one), a_check(RBT, ("c1", 0), violated=True))])
    assert rbt.method is Method.RBT
    assert (rbt.failed_test_cases, rbt.bugs) == (1, 1)


def test_assistants_are_counted_apart() -> None:
    families = [a_family(sut="A"), a_family(sut="B", source="c2")]
    checks = [a_check(RBT, ("c1", 0)), a_check(RBT, ("c2", 0), violated=False, source="c2")]
    found = method_figures([scored(f, c) for f, c in zip(families, checks, strict=True)])
    assert [(each.sut, each.bugs) for each in found] == [("A", 1), ("B", 0)]


def test_relations_come_in_their_order_with_the_reasons_of_what_could_not_be_checked() -> None:
    checks = [
        a_check(MR4, violated=None, reason="one_group_empty"),
        a_check(MR1, ("x", 0), violated=None, reason="needs_reply"),
        a_check(MR1, ("x", 1), violated=None, reason="needs_reply"),
        a_check(MR1, ("x", 2), violated=True),
    ]
    first, last = relation_figures(checks)
    assert (first.relation, first.checks, first.violations) == (MR1, 1, 1)
    assert dict(first.not_applicable) == {"needs_reply": 2}
    assert (last.relation, last.rate.value, last.rate.reason) == (MR4, None, "no check was executed")


def test_levels_add_up_to_the_violations() -> None:
    checks = [a_check(MR1, level=level) for level in (1, 1, 2, 3, None)] + [a_check(MR2, violated=False)]
    levels = levels_of(checks)
    assert levels == Levels(l1=2, l2=1, l3=1, unclassed=1)
    assert levels.all == 5
