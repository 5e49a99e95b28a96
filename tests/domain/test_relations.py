"""Relations and context checks as facts, and the settings that replays are made with."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from hairpin.domain.relations import (
    MORTAR_RELATIONS,
    ContextCheck,
    ContextFinding,
    ContextReason,
    Fold,
    MetamorphicRelation,
    MetamorphicSpec,
    Output,
    RelationCheck,
    count_violations,
)
from hairpin.domain.replay import PAPER_PERTURBATIONS


def test_two_relations_ask_for_answers_that_differ_and_the_others_for_answers_alike() -> None:
    """MORTAR, eq. 39 and 41: where contexts are not equivalent."""
    differ = {relation for relation in MetamorphicRelation if not relation.alike}
    assert differ == {MetamorphicRelation.MR2, MetamorphicRelation.MR4}


def test_mortar_has_four_relations() -> None:
    assert [relation.value for relation in MORTAR_RELATIONS] == ["MR1", "MR2", "MR3", "MR4"]


def a_check(violated: bool | None) -> RelationCheck:
    return RelationCheck(relation=MetamorphicRelation.MR1, source="c0001", index=0, violated=violated)


def test_what_is_not_applicable_is_no_violation() -> None:
    assert count_violations([a_check(True), a_check(None), a_check(False), a_check(True)]) == 2
    assert count_violations([]) == 0


def test_a_fold_and_a_context_check_come_back_from_json_as_they_were() -> None:
    output = Output(conversation="c0001.RS.1", position=2)
    check = a_check(True).model_copy(update={"outputs": (output,), "similarity": 0.41, "level": 3})
    fold = Fold(source="c0001", complete=True, n_follow_ups=7, checks=(check,))
    assert Fold.model_validate_json(fold.model_dump_json()) == fold
    found = ContextFinding(equivalent=None, reason=ContextReason.NEEDS_REPLY, rewrites=("a", "b"), cos_q=0.5)
    context = ContextCheck(conversation="c0001.RS.1", position=2, index=0, finding=found)
    assert ContextCheck.model_validate_json(context.model_dump_json()) == context


@pytest.mark.parametrize("level", [0, 4])
def test_there_are_three_levels(level: int) -> None:
    with pytest.raises(ValidationError, match="level"):
        RelationCheck(relation=MetamorphicRelation.MR1, source="c0001", index=0, level=level)


def test_without_a_word_the_settings_are_the_papers() -> None:
    spec = MetamorphicSpec()
    assert (spec.epsilon, spec.epsilon_ec, spec.ratio, spec.executions) == (0.6, 0.8, 0.3, 1)
    assert spec.perturbations == PAPER_PERTURBATIONS
    assert spec.relations == MORTAR_RELATIONS


@pytest.mark.parametrize(
    "wrong", [{"ratio": 0}, {"ratio": 1}, {"epsilon": 1.1}, {"epsilon_ec": -2}, {"executions": 0}, {"null_replays": -1}]
)
def test_settings_outside_their_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        MetamorphicSpec.model_validate(wrong)
