from __future__ import annotations

from hairpin.analysis.metamorphic.model import (
    Levels,
    MetamorphicAnalysis,
    MethodFigures,
    RelationFigures,
    Uniqueness,
)
from hairpin.analysis.metamorphic.ratios import RatioKey, by_ratio
from hairpin.domain.relations import MetamorphicRelation
from hairpin.domain.replay import Method


def found(name: str, checks: int, bugs: int) -> MethodFigures:
    relation = RelationFigures(relation=MetamorphicRelation.MR1, checks=checks, violations=bugs)
    return MethodFigures(
        method=Method.MORTAR,
        sut=name,
        test_cases=1,
        failed_test_cases=1,
        relations=(relation,),
        levels=Levels(l1=bugs),
    )


def unique(name: str, revealed: int, alone: int) -> Uniqueness:
    return Uniqueness(sut=name, regions={}, revealed={Method.MORTAR: revealed}, unique={Method.MORTAR: alone})


def test_points_are_by_assistant_and_ascending_ratio() -> None:
    names = ("b 0.5", "a", "b 0.1", "b 0.3")
    analysis = MetamorphicAnalysis(
        suts=names,
        methods=(found("b 0.5", 10, 5), found("a", 4, 1), found("b 0.1", 0, 0)),
        uniqueness=tuple(unique(name, 4, 1) for name in names),
    )
    keys = {name: RatioKey(sut=name[0], ratio=float(name[2:] or 0.3)) for name in names}
    points = by_ratio(analysis, keys)
    assert [(point.sut, point.ratio, point.name) for point in points] == [
        ("b", 0.1, "b 0.1"),
        ("b", 0.5, "b 0.5"),
        ("a", 0.3, "a"),
    ]
    assert [(point.checks, point.bugs, point.rate.value) for point in points] == [
        (0, 0, None),
        (10, 5, 0.5),
        (4, 1, 0.25),
    ]
    assert points[1].levels == Levels(l1=5)
    assert points[1].unique.value == 0.25
