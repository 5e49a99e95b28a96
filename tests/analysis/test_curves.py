from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.analysis.curves import count_at, cumulative_curves, time_grid
from hairpin.analysis.model import StepCurve
from hairpin.analysis.scope import Scope
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.tally import Standing
from tests.analysis.fact_builders import conversation

FAIL, PASS = Standing.FAIL, Standing.PASS
FACTS = [
    conversation(FAIL, (0, "x"), active_s=10, index=0),
    conversation(PASS, (0, "y"), active_s=30, index=1),
    conversation(FAIL, (0, "x"), (0, "z"), active_s=20, index=2),
    conversation(Standing.INVALID, (0, "v"), active_s=40, index=3),
    conversation(FAIL, (0, "x"), active_s=20, run=1, index=4),
    conversation(Standing.INCONCLUSIVE, (0, "w"), active_s=40, run=1, index=5),
    conversation(Standing.MISSING, run=2, index=6),
]


def test_failures_add_up_over_active_time_by_hand() -> None:
    """The run that nothing ended in is no run; what was cut or broke counts nowhere."""
    curves = cumulative_curves(FACTS, Scope(), grid=(0, 10, 20, 40))
    assert curves.failed.runs == (
        StepCurve(run=0, times_s=(10, 20), counts=(1, 2)),
        StepCurve(run=1, times_s=(20,), counts=(1,)),
    )
    assert [(point.time_s, point.mean) for point in curves.failed.points] == [(0, 0), (10, 0.5), (20, 1.5), (40, 1.5)]
    assert [point.sd for point in curves.failed.points] == [0, pytest.approx(0.5**0.5), *[pytest.approx(0.5**0.5)] * 2]
    assert curves.failed.reason == ""


def test_distinct_failures_count_when_they_are_first_found_also_in_passed_conversations() -> None:
    curves = cumulative_curves(FACTS, Scope(), grid=(40,))
    assert curves.distinct.runs == (
        StepCurve(run=0, times_s=(10, 20, 30), counts=(1, 2, 3)),
        StepCurve(run=1, times_s=(20,), counts=(1,)),
    )
    assert curves.distinct.points[0].mean == 2


def test_conversations_that_end_together_make_one_step() -> None:
    facts = [conversation(FAIL, (0, str(index)), active_s=5, index=index) for index in range(3)]
    assert cumulative_curves(facts, Scope(), grid=()).failed.runs == (StepCurve(run=0, times_s=(5,), counts=(3,)),)


def test_one_run_has_no_spread() -> None:
    points = cumulative_curves(FACTS[:3], Scope(), grid=(20,)).failed.points
    assert [(point.mean, point.sd) for point in points] == [(2, None)]


def test_a_run_without_failures_stays_at_zero_and_counts_in_the_mean() -> None:
    curves = cumulative_curves([*FACTS[:3], conversation(PASS, active_s=9, run=1)], Scope(), grid=(20,))
    assert curves.failed.runs[1] == StepCurve(run=1, times_s=(), counts=())
    assert curves.failed.points[0].mean == 1


def test_the_assistants_of_a_run_are_added_up() -> None:
    facts = [*FACTS[:3], conversation(FAIL, (0, "x"), sut="b", active_s=15)]
    together = cumulative_curves(facts, Scope(), grid=(40,))
    assert (together.failed.points[0].mean, together.distinct.points[0].mean) == (3, 4)
    assert cumulative_curves(facts, Scope(sut="b"), grid=(40,)).failed.points[0].mean == 1


@pytest.mark.parametrize("facts", [[], [conversation(FAIL, (0, "x"))], [conversation(Standing.MISSING)]])
def test_without_active_times_there_is_no_curve(facts: list[ConversationFacts]) -> None:
    curves = cumulative_curves(facts, Scope(), grid=(1, 2))
    assert (curves.failed.runs, curves.failed.points, curves.distinct.points) == ((), (), ())
    assert "no conversation has an active time" in curves.failed.reason


def test_what_is_left_out_is_told() -> None:
    curves = cumulative_curves([*FACTS, conversation(FAIL, (0, "x"))], Scope(), grid=(40,))
    assert curves.failed.reason == "left out, without an active time: 1 rated conversations"


def test_the_grid_goes_from_nothing_to_the_last_end() -> None:
    assert time_grid(FACTS, 5) == (0, 10, 20, 30, 40)
    assert time_grid([]) == ()


@given(st.lists(st.tuples(st.floats(0, 100), st.booleans()), min_size=1, max_size=25))
def test_a_curve_never_falls_and_ends_with_all_failures(ends: list[tuple[float, bool]]) -> None:
    facts = [conversation(FAIL if fails else PASS, active_s=end, index=i) for i, (end, fails) in enumerate(ends)]
    curve = cumulative_curves(facts, Scope(), grid=()).failed.runs[0]
    counts = [count_at(curve, time_s) for time_s in time_grid(facts, 11)]
    assert counts == sorted(counts)
    assert count_at(curve, 100) == sum(fails for _, fails in ends)
