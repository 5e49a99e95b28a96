"""How arms share time."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.campaign.active_time import ActiveTime
from hairpin.domain.arm import Arm

G, B = Arm.GUIDED, Arm.BASELINE


def test_an_arm_that_is_alone_uses_the_time_on_the_clock_idle_or_not() -> None:
    time = ActiveTime({G: 0.0}, budget_s=100, now_s=5)
    assert time.used_s(G, 15) == 10
    time.begin(G, 15)
    time.begin(G, 16)
    assert time.used_s(G, 25) == 20
    assert time.left_s(G, 25) == 80


def test_running_conversations_share_time_by_their_number() -> None:
    time = ActiveTime({G: 0.0, B: 0.0}, budget_s=100, now_s=0)
    for _ in range(3):
        time.begin(G, 0)
    time.begin(B, 0)
    assert (time.used_s(G, 8), time.used_s(B, 8)) == (6, 2)
    for _ in range(3):
        time.end(G, 8)
    assert (time.used_s(G, 10), time.used_s(B, 10)) == (6, 4)


def test_time_in_which_nothing_runs_is_shared_by_arms_that_are_open() -> None:
    time = ActiveTime({G: 0.0, B: 0.0}, budget_s=100, now_s=0)
    assert (time.used_s(G, 10), time.used_s(B, 10)) == (5, 5)
    time.close(B, 10)
    assert (time.used_s(G, 20), time.used_s(B, 20)) == (15, 5)


def test_what_was_used_before_counts() -> None:
    time = ActiveTime({G: 90.0}, budget_s=100, now_s=0)
    assert time.left_s(G, 4) == 6
    assert time.left_s(G, 40) == 0


def test_says_in_how_many_seconds_only_a_reserve_is_left_as_things_are() -> None:
    time = ActiveTime({G: 0.0, B: 0.0}, budget_s=100, now_s=0)
    time.begin(G, 0)
    assert time.until_s(G, 10, 0) == 90
    time.begin(B, 0)
    assert time.until_s(G, 10, 0) == 180
    assert time.until_s(B, 0, 0) == 200
    time.end(B, 0)
    assert math.isinf(time.until_s(B, 0, 0))


def test_without_a_limit_time_never_runs_out() -> None:
    time = ActiveTime({G: 0.0}, budget_s=None, now_s=0)
    time.begin(G, 0)
    assert math.isinf(time.left_s(G, 1e9))
    assert math.isinf(time.until_s(G, 5, 1e9))


def test_pooled_arms_use_up_one_budget_together() -> None:
    time = ActiveTime({G: 10.0, B: 20.0}, budget_s=100, pooled=True, now_s=0)
    time.begin(G, 0)
    assert time.left_s(G, 30) == time.left_s(B, 30) == 140
    assert time.until_s(B, 40, 30) == 100


@given(st.lists(st.tuples(st.sampled_from([G, B]), st.booleans(), st.floats(0, 50)), max_size=40))
def test_the_times_of_all_arms_add_up_to_the_clocks(steps: list[tuple[Arm, bool, float]]) -> None:
    time, now_s, running = ActiveTime({G: 0.0, B: 0.0}, budget_s=10, now_s=0), 0.0, {G: 0, B: 0}
    for arm, begins, passed_s in steps:
        now_s += passed_s
        if begins:
            time.begin(arm, now_s)
            running[arm] += 1
        elif running[arm]:
            time.end(arm, now_s)
            running[arm] -= 1
    assert time.used_s(G, now_s) + time.used_s(B, now_s) == pytest.approx(now_s)
