from __future__ import annotations

import pytest

from hairpin.analysis.scope import Scope, rated
from hairpin.domain.arm import Arm
from hairpin.domain.tally import Standing
from tests.analysis.fact_builders import conversation

FACTS = [
    conversation(sut=sut, arm=arm, run=run, index=index)
    for index, (sut, arm, run) in enumerate(
        (sut, arm, run) for sut in "ab" for arm in (Arm.GUIDED, Arm.BASELINE) for run in (0, 1)
    )
]


@pytest.mark.parametrize(
    ("scope", "n", "label"),
    [
        (Scope(), 8, "overall"),
        (Scope(arm=Arm.GUIDED), 4, "guided"),
        (Scope(sut="a", arm=Arm.BASELINE), 2, "baseline, a"),
        (Scope(sut="b", arm=Arm.GUIDED, run=0), 1, "guided, b, run 1"),
        (Scope(run=1), 4, "run 2"),
        (Scope(sut="c"), 0, "c"),
    ],
)
def test_picks_what_it_names(scope: Scope, n: int, label: str) -> None:
    picked = scope.pick(FACTS)
    assert len(picked) == n
    assert all(
        (scope.sut or fact.sut, scope.arm or fact.arm) == (fact.sut, fact.arm)
        and (scope.run is None or scope.run == fact.run)
        for fact in picked
    )
    assert scope.label == label


def test_only_passed_and_failed_conversations_are_rated() -> None:
    facts = [conversation(standing) for standing in Standing]
    assert {fact.standing for fact in rated(facts)} == {Standing.PASS, Standing.FAIL}
