"""Bug levels."""

from __future__ import annotations

import pytest

from hairpin.domain.relations import MetamorphicRelation, RelationCheck
from hairpin.metamorphic.levels import bug_level, right_answers


@pytest.mark.parametrize(
    ("right", "level"),
    [
        ({0: False, 1: True}, 1),
        ({0: False, 1: False}, 1),
        ({0: True, 1: False}, 2),
        ({0: True, 1: True}, 3),
        ({0: True}, 3),
        ({1: True}, None),
        ({}, None),
    ],
)
def test_the_level_of_a_violation_about_question_0(right: dict[int, bool], level: int | None) -> None:
    assert bug_level(0, right) == level


def test_only_rbt_checks_that_were_executed_say_what_was_answered_right() -> None:
    def check(relation: MetamorphicRelation, index: int, violated: bool | None) -> RelationCheck:
        return RelationCheck(relation=relation, source="s", index=index, violated=violated)

    rbt, mr1 = MetamorphicRelation.RBT, MetamorphicRelation.MR1
    checks = [check(rbt, 0, True), check(rbt, 1, False), check(rbt, 2, None), check(mr1, 3, True)]
    assert right_answers(checks) == {0: False, 1: True}
