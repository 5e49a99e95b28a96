"""Families with their checks."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hairpin.analysis.metamorphic.scored import of_sut, replays_of, scored_by, suts_of
from hairpin.domain.families import Family
from hairpin.domain.relations import MetamorphicRelation, MetamorphicSpec, RelationCheck
from hairpin.domain.replay import Method
from tests.analysis.metamorphic.family_builders import a_check, a_family, a_record, a_replay


def test_each_family_keeps_the_checks_made_of_it() -> None:
    families = [a_family(sut="B", source="c1"), a_family(sut="A", source="c2"), a_family(sut="B", source="c3")]

    def rescore(given: Sequence[Family], spec: MetamorphicSpec) -> tuple[tuple[RelationCheck, ...], ...]:
        return tuple((a_check(MetamorphicRelation.MR1, source=each.source.planned.id),) for each in given)

    found = scored_by(rescore, families, MetamorphicSpec())
    assert [each.checks[0].source for each in found] == ["c1", "c2", "c3"]
    assert suts_of(found) == ("B", "A")
    assert [each.family.source.planned.id for each in of_sut(found, "B")] == ["c1", "c3"]
    assert found[0].seed == "d1"


def test_a_scorer_that_loses_a_family_is_noticed() -> None:
    with pytest.raises(ValueError, match="shorter"):
        scored_by(lambda families, spec: (), [a_family()], MetamorphicSpec())


def test_replays_of_a_method_are_those_with_an_outcome() -> None:
    done = a_record("c1.RS.1", ("a",), replay=a_replay(Method.MORTAR, (0,), kind="RS"))
    undone = a_record("c1.RR.1", (), replay=a_replay(Method.MORTAR, (0,), kind="RR")).model_copy(
        update={"outcome": None}
    )
    family = a_family(done, undone)
    assert list(replays_of(family, Method.MORTAR)) == [done]
    assert list(replays_of(family, Method.RBT)) == [family.source]
    assert list(replays_of(family, Method.METAL)) == []
