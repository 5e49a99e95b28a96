"""Which arm comes next."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.campaign.choice import ArmStanding, choose_arm
from hairpin.domain.arm import Arm
from hairpin.domain.campaign import Split

G, B = Arm.GUIDED, Arm.BASELINE


def arm(
    which: Arm,
    *,
    started: int = 0,
    running: int = 0,
    used_s: float = 0,
    left_s: float = 100,
    needed_s: float = 10,
    unfinished: int = 0,
    conversations_left: int | None = None,
    distinct_left: int | None = None,
) -> ArmStanding:
    return ArmStanding(
        arm=which,
        started=started,
        running=running,
        used_s=used_s,
        left_s=left_s,
        needed_s=needed_s,
        unfinished=unfinished,
        conversations_left=conversations_left,
        distinct_left=distinct_left,
    )


def test_the_arm_that_has_used_the_least_time_comes_next() -> None:
    assert choose_arm([arm(G, used_s=5), arm(B, used_s=4)], Split.TIME) is B


def test_at_the_start_arms_take_turns() -> None:
    assert choose_arm([arm(G, running=1), arm(B)], Split.TIME) is B
    assert choose_arm([arm(G), arm(B)], Split.TIME) is G


@pytest.mark.parametrize(
    "unable",
    [
        arm(G, left_s=9.9),
        arm(G, left_s=0, needed_s=0),
        arm(G, conversations_left=0),
        arm(G, distinct_left=0),
    ],
)
def test_an_arm_begins_nothing_that_cannot_end_in_time_or_is_too_much(unable: ArmStanding) -> None:
    assert choose_arm([unable, arm(B, used_s=50)], Split.TIME) is B
    assert choose_arm([unable], Split.TIME) is None


def test_without_a_limit_of_time_there_is_always_some_left() -> None:
    assert choose_arm([arm(G, left_s=math.inf, needed_s=1e9)], Split.TIME) is G


def test_with_count_the_arm_with_the_fewest_conversations_comes_next() -> None:
    assert choose_arm([arm(G, started=3, used_s=1), arm(B, started=2, used_s=90)], Split.COUNT) is B


def test_with_count_no_arm_gets_ahead_of_one_that_has_run_out() -> None:
    over = arm(G, started=3, left_s=0)
    assert choose_arm([over, arm(B, started=3)], Split.COUNT) is None
    assert choose_arm([over, arm(B, started=2)], Split.COUNT) is B


def test_what_was_begun_before_goes_first_whatever_is_left() -> None:
    assert choose_arm([arm(G), arm(B, left_s=0, unfinished=1)], Split.TIME) is B
    assert choose_arm([arm(G, left_s=0), arm(B, left_s=0, unfinished=2)], Split.COUNT) is B


@given(st.lists(st.tuples(st.floats(0, 30), st.integers(0, 5)), min_size=2, max_size=2), st.sampled_from(Split))
def test_an_arm_that_may_not_begin_is_never_chosen(arms: list[tuple[float, int]], split: Split) -> None:
    standings = [
        arm(which, left_s=left_s, started=started) for which, (left_s, started) in zip((G, B), arms, strict=True)
    ]
    chosen = choose_arm(standings, split)
    assert chosen is None or next(each for each in standings if each.arm is chosen).may_begin


def test_more_conversations_than_there_may_be_are_none_left() -> None:
    assert choose_arm([arm(G, conversations_left=-3)], Split.TIME) is None
