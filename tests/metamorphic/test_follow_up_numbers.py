from __future__ import annotations

import pytest

from hairpin.domain.plan import MAX_FOLLOW_UPS
from hairpin.domain.relations import MetamorphicSpec
from hairpin.domain.replay import Method, Perturbation
from hairpin.errors import InvalidInputError
from hairpin.metamorphic.follow_up_numbers import (
    MAX_BASELINE_QUESTIONS,
    baseline_name,
    baseline_number,
    check_number,
    mortar_number,
    null_number,
)
from hairpin.metamorphic.metal import MetalRelation
from hairpin.metamorphic.qaasker import QaaskerRelation

SINGLE = (*MetalRelation, *QaaskerRelation)


def test_every_possible_follow_up_has_a_number_of_its_own() -> None:
    numbers = [null_number(execution) for execution in range(100)]
    numbers += [mortar_number(each, execution) for each in Perturbation for execution in range(100)]
    numbers += [baseline_number(each, index) for index in range(MAX_BASELINE_QUESTIONS) for each in SINGLE]
    assert len(set(numbers)) == len(numbers)
    assert sorted(numbers) == numbers
    assert 0 <= min(numbers) <= max(numbers) < MAX_FOLLOW_UPS


def test_numbers_stay_the_same_for_ever() -> None:
    """Another number would plan a stored follow-up a second time."""
    assert null_number(3) == 3
    assert [mortar_number(each, 1) for each in Perturbation] == [101, 201, 301, 401, 501, 601, 701, 801]
    assert [baseline_number(each, 2) for each in SINGLE] == [1714, 1715, 1716, 1717, 1718, 1719, 1720]


def test_names_count_questions_from_one() -> None:
    assert baseline_name(MetalRelation.TYPO, 4) == "metal.typo.q05"
    assert baseline_name(QaaskerRelation.WH_TO_POLAR, 99) == "qaasker.wh_to_polar.q100"


def test_more_than_there_is_room_for_is_refused_before_anything_is_derived() -> None:
    spec = MetamorphicSpec(baselines=(Method.METAL,), executions=100, null_replays=100)
    check_number(spec, MAX_BASELINE_QUESTIONS)
    check_number(MetamorphicSpec(), 100_000)
    with pytest.raises(InvalidInputError, match=f"{MAX_BASELINE_QUESTIONS} questions at most"):
        check_number(spec, MAX_BASELINE_QUESTIONS + 1)
