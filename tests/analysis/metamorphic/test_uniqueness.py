"""Which questions only one method reveals."""

from __future__ import annotations

from hairpin.analysis.metamorphic.uniqueness import uniqueness
from hairpin.domain.relations import MetamorphicRelation
from hairpin.domain.replay import Method
from tests.analysis.metamorphic.family_builders import a_check, a_family, scored

RBT, MR1, MR3 = MetamorphicRelation.RBT, MetamorphicRelation.MR1, MetamorphicRelation.MR3
METAL, QAASKER = MetamorphicRelation.METAL, MetamorphicRelation.QAASKER
METHODS = (Method.MORTAR, Method.METAL, Method.QAASKER)


def test_questions_count_once_and_those_that_rbt_revealed_for_nobody() -> None:
    family = scored(
        a_family(),
        a_check(RBT, index=0),
        a_check(MR1, index=0),
        a_check(MR1, index=1),
        a_check(MR3, index=1),
        a_check(METAL, index=1),
        a_check(MR1, index=2),
        a_check(QAASKER, index=0),
        a_check(METAL, index=2, violated=False),
    )
    (found,) = uniqueness([family], METHODS)
    assert dict(found.regions) == {"mortar": 1, "mortar+metal": 1}
    assert dict(found.revealed) == {Method.MORTAR: 2, Method.METAL: 1, Method.QAASKER: 0}
    assert found.share(Method.MORTAR).value == 0.5
    assert found.share(Method.METAL).value == 0.0
    assert found.share(Method.QAASKER).reason == "it revealed nothing new"


def test_regions_add_up_to_what_anybody_revealed() -> None:
    checks = [a_check(relation, index=index) for relation in (MR1, METAL) for index in range(3)]
    (found,) = uniqueness([scored(a_family(), *checks)], METHODS)
    assert sum(found.regions.values()) == 3


def test_the_same_question_of_two_assistants_is_two_questions() -> None:
    families = [
        scored(a_family(sut="A"), a_check(MR1)),
        scored(a_family(sut="B", source="c2"), a_check(RBT), a_check(MR1)),
    ]
    first, second = uniqueness(families, METHODS)
    assert (first.sut, first.revealed[Method.MORTAR]) == ("A", 1)
    assert (second.sut, second.revealed[Method.MORTAR]) == ("B", 0)
