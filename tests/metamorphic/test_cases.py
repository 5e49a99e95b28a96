"""What is compared with what; that similarities decide rightly is the business of the tests of scoring."""

from __future__ import annotations

from hairpin.domain.relations import GoldAnswers, MetamorphicRelation, MetamorphicSpec
from hairpin.metamorphic.cases import Case, family_cases
from hairpin.metamorphic.similarity import KeySimilarity
from tests.metamorphic.making_families import ALTERED, EQUIVALENT, family, follow_up, source


def cases(*, by_pair: bool = False, gold: GoldAnswers = GoldAnswers.PAPER) -> list[Case]:
    made = family(
        [["gold", "or this"]],
        source(["o"], 1),
        [follow_up("f", [0, 0, 0, 0, 0], ["p1", "p2", "p3", "m1", "m2"])],
        {("f", i): EQUIVALENT if i < 3 else ALTERED for i in range(5)},
    )
    return list(
        family_cases(
            made, MetamorphicSpec(gold=gold), KeySimilarity(lambda exchange: exchange.assistant), by_pair=by_pair
        )
    )


def test_the_order_is_rbt_then_follow_ups_by_position_then_groups() -> None:
    relations = [case.relation for case in cases()]
    mr = MetamorphicRelation
    assert relations == [mr.RBT, mr.MR1, mr.MR1, mr.MR1, mr.MR2, mr.MR2, mr.MR3, mr.MR4]


def test_a_group_compares_each_pair_of_equivalent_outputs_and_each_of_them_with_each_altered_one() -> None:
    *_, inner, across = cases()
    assert [tuple(output.position for output in pair.outputs) for pair in inner.pairs] == [(0, 1), (0, 2), (1, 2)]
    assert [tuple(output.position for output in pair.outputs) for pair in across.pairs] == [
        (plus, minus) for plus in (0, 1, 2) for minus in (3, 4)
    ]
    assert (inner.least, across.least) == (True, False)


def test_pair_by_pair_each_is_a_case() -> None:
    assert [len(case.pairs) for case in cases(by_pair=True)[6:]] == [1] * 9


def test_all_gold_answers_are_compared_with_when_the_best_counts() -> None:
    assert {len(case.pairs) for case in cases()[:6]} == {1}
    assert {len(case.pairs) for case in cases(gold=GoldAnswers.BEST)[:6]} == {2}
