from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hairpin.analysis.campaign import analyse
from hairpin.analysis.model import CampaignAnalysis
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.tally import Standing
from tests.analysis.fact_builders import conversation

AIMS = {"plan": "poor", "probe": "unsafe"}
MODES = ("poor", "unsafe")


def analysed(
    facts: list[ConversationFacts],
    suts: tuple[str, ...] = ("a", "b"),
    arms: tuple[Arm, ...] = (Arm.GUIDED, Arm.BASELINE),
) -> CampaignAnalysis:
    return analyse(facts, aims=AIMS, modes=MODES, suts=suts, arms=arms)


@st.composite
def facts(draw: st.DrawFn) -> ConversationFacts:
    arm = draw(st.sampled_from([Arm.GUIDED, Arm.BASELINE]))
    uses = draw(st.lists(st.sampled_from([None, *AIMS]), max_size=4)) if arm is Arm.GUIDED else [None] * 3
    places = st.tuples(st.integers(0, len(uses)), st.sampled_from(["poor", "unsafe", "odd", "check_failed"]))
    standing = draw(st.sampled_from([each for each in Standing if each is not Standing.REPLAYED]))
    return conversation(
        standing,
        *draw(st.lists(places, max_size=4)),
        run=draw(st.integers(0, 2)),
        sut=draw(st.sampled_from("ab")),
        arm=arm,
        strategies=(None, *uses),
        success_score=draw(st.sampled_from([None, 0.0, 0.5, 1.0])),
        active_s=draw(st.none() | st.floats(0, 1e5)),
        cost_usd=draw(st.none() | st.just(0.01)),
    )


@settings(max_examples=40)
@given(st.lists(facts(), max_size=12))
def test_whatever_the_conversations_the_groups_add_up(campaign: list[ConversationFacts]) -> None:
    """Values refuse NaN, so that an analysis that comes into being holds none."""
    found = analysed(campaign)
    planned = found.overall.conversations.planned
    assert planned == len(campaign)
    assert planned == sum(group.conversations.planned for group in found.by_arm)
    assert planned == sum(group.conversations.planned for group in found.by_sut_arm)
    assert planned == sum(group.conversations.planned for group in found.by_run if group.scope.sut)
    assert planned == sum(group.conversations.planned for group in found.by_run if not group.scope.sut)
    assert found.overall.distinct.distinct <= sum(group.distinct.distinct for group in found.by_arm)
    assert all(len(group.at_least) == len(found.overall.at_least) for group in found.groups())
    assert CampaignAnalysis.model_validate_json(found.model_dump_json()) == found


@settings(max_examples=40)
@given(st.lists(facts(), max_size=12))
def test_cut_invalid_and_missing_conversations_change_no_rate(campaign: list[ConversationFacts]) -> None:
    found, only_rated = analysed(campaign), analysed([fact for fact in campaign if fact.standing.in_rates])
    assert found.overall.failure_rate == only_rated.overall.failure_rate
    assert found.overall.success_score == only_rated.overall.success_score
    assert found.comparisons == only_rated.comparisons
    assert found.strategies == only_rated.strategies
    assert found.profiles == only_rated.profiles


def test_both_arms_and_two_assistants_have_all_tables_overall_first() -> None:
    campaign = [
        conversation(Standing.FAIL, (1, "poor"), sut=sut, arm=arm, run=run, active_s=10)
        for sut in "ab"
        for arm in (Arm.GUIDED, Arm.BASELINE)
        for run in (0, 1)
    ]
    found = analysed(campaign)
    assert [one.sut for one in found.comparisons] == [one.sut for one in found.profiles] == [None, "a", "b"]
    in_order = [(arm, sut) for arm in (Arm.GUIDED, Arm.BASELINE) for sut in (None, "a", "b")]
    for tables in (found.strategies, found.curves, found.coverage):
        assert [(one.scope.arm, one.scope.sut) for one in tables] == in_order
    assert [group.scope.label for group in found.by_sut_arm] == ["guided, a", "guided, b", "baseline, a", "baseline, b"]
    assert len(found.by_run) == 12
    assert (one := found.group(sut="b", arm=Arm.BASELINE, run=1)) is not None
    assert one.conversations.failed == 1
    assert found.group(sut="b") is None


def test_one_arm_is_compared_with_nothing() -> None:
    found = analysed([conversation(Standing.FAIL, (1, "poor"))], suts=("a",), arms=(Arm.GUIDED,))
    assert (found.comparisons, found.profiles) == ((), ())
    assert found.overall.failure_rate.rate == 1
    assert [one.scope.arm for one in found.strategies] == [Arm.GUIDED] * 2


@pytest.mark.parametrize(
    "campaign",
    [
        [],
        [conversation(Standing.INVALID)] * 4,
        [conversation(Standing.MISSING)],
        [conversation(Standing.INCONCLUSIVE, (0, "poor"), active_s=1)],
    ],
)
def test_a_campaign_without_a_verdict_says_so_everywhere(campaign: list[ConversationFacts]) -> None:
    found = analysed(campaign)
    assert {group.failure_rate.rate for group in found.groups()} == {None}
    assert {group.failure_rate.reason for group in found.groups()} == {"no rated conversation"}
    assert {one.failure_types.test.reason for one in found.comparisons} == {"neither group has values"}
    assert {one.full.tried for one in found.coverage} == {0}
    assert {row.reason for one in found.profiles for row in one.rows} == {"the guided arm has no failures"}


def test_a_campaign_without_failures_says_so() -> None:
    found = analysed(
        [conversation(arm=arm, success_score=1.0, active_s=5) for arm in (Arm.GUIDED, Arm.BASELINE) for _ in range(3)],
        ("a",),
    )
    assert (found.overall.failure_rate.rate, found.overall.distinct.reason) == (0, "no failure was found")
    assert found.comparisons[0].types_ratio_reason == "the baseline found no failure type"
    assert found.comparisons[0].success_score.test.reason == "all values are equal"
    assert [point.mean for point in found.curves[0].failed.points] == [0] * 61


def test_a_single_conversation_is_a_campaign() -> None:
    found = analysed([conversation(Standing.FAIL, (1, "odd"), active_s=5, success_score=0.5)], ("a",))
    assert found.modes == (*MODES, "odd")
    assert (found.overall.success_score.mean, found.overall.success_score.sd) == (0.5, None)
    assert found.comparisons[0].failure_types.test.reason == "the second group has no values"
    assert math.isclose(found.curves[0].failed.points[-1].time_s, 5)


@pytest.mark.parametrize(
    ("suts", "arms"), [((), (Arm.GUIDED, Arm.BASELINE)), (("a",), (Arm.BASELINE,)), (("b",), (Arm.GUIDED,))]
)
def test_a_conversation_of_somebody_unnamed_is_not_lost_silently(suts: tuple[str, ...], arms: tuple[Arm, ...]) -> None:
    with pytest.raises(ValueError, match="c0001: 'a', guided is not to be analysed"):
        analysed([conversation()], suts, arms)
