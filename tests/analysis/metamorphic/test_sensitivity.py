"""What is found at other thresholds, decided from rows."""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.analysis.metamorphic.sensitivity import by_epsilon, by_epsilon_ec
from hairpin.domain.families import Family
from hairpin.domain.relations import (
    ContextCheck,
    ContextFinding,
    ContextReason,
    MetamorphicRelation,
    MetamorphicSpec,
    RelationCheck,
)
from tests.analysis.metamorphic.family_builders import a_check, a_family

SPEC = MetamorphicSpec()
MR1, METAL = MetamorphicRelation.MR1, MetamorphicRelation.METAL


def a_context(cos_q: float, cos_a: float | None) -> ContextCheck:
    finding = ContextFinding(
        equivalent=True, reason=ContextReason.SIMILARITY, rewrites=("a?", "b?"), cos_q=cos_q, cos_a=cos_a
    )
    return ContextCheck(conversation="c1.RS.1", position=0, index=0, finding=finding)


def test_every_epsilon_is_scored_anew_and_baselines_are_left_out() -> None:
    seen: list[float] = []

    def rescore(families: Sequence[Family], spec: MetamorphicSpec) -> tuple[tuple[RelationCheck, ...], ...]:
        seen.append(spec.epsilon)
        checks = (a_check(MR1, violated=spec.epsilon > 0.5), a_check(MR1, violated=None, reason="x"), a_check(METAL))
        return tuple(checks for _ in families)

    low, high = by_epsilon([a_family()], SPEC, rescore, thresholds=(0.4, 0.6))
    assert seen == [0.4, 0.6]
    assert (low.checks, low.bugs, low.rate.value) == (1, 0, 0.0)
    assert (high.checks, high.bugs, high.rate.value) == (1, 1, 1.0)


def test_contexts_are_decided_anew_for_every_epsilon_ec() -> None:
    verdicts: list[list[bool | None]] = []

    def rescore(families: Sequence[Family], spec: MetamorphicSpec) -> tuple[tuple[RelationCheck, ...], ...]:
        verdicts.append([check.finding.equivalent for each in families for check in each.context_checks])
        return tuple(() for _ in families)

    family = a_family(context_checks=[a_context(0.9, 0.7), a_context(0.9, 0.9)])
    points = by_epsilon_ec([family], SPEC, rescore, thresholds=(0.75, 0.85, 0.95))
    assert verdicts == [[True, True], [False, True], [False, False]]
    assert [(point.threshold, point.checks, point.rate.value) for point in points] == [
        (0.75, 0, None),
        (0.85, 0, None),
        (0.95, 0, None),
    ]


def test_what_was_not_applicable_stays_so() -> None:
    finding = ContextFinding(equivalent=None, reason=ContextReason.NEEDS_REPLY)
    check = ContextCheck(conversation="x", position=0, index=0, finding=finding)

    def rescore(families: Sequence[Family], spec: MetamorphicSpec) -> tuple[tuple[RelationCheck, ...], ...]:
        assert [each.context_checks for each in families] == [(check,)]
        return ((),)

    assert len(by_epsilon_ec([a_family(context_checks=[check])], SPEC, rescore, thresholds=(0.8,))) == 1
