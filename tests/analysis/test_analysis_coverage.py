from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.analysis.coverage import DEEPEST, coverage, depth_of
from hairpin.analysis.coverage_model import Axis, Coverage, CoverageGrid
from hairpin.analysis.scope import Scope
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.tally import Standing
from tests.analysis.fact_builders import conversation

FAIL, PASS = Standing.FAIL, Standing.PASS
STRATEGIES = ("plan", "probe")
FACTS = [
    conversation(FAIL, (0, "x"), (1, "x"), task="one", strategies=(None, "plan", "plan"), max_turns=3),
    conversation(PASS, (2, "x"), task="one", strategies=(None, "plan", None), max_turns=3),
    conversation(FAIL, task="two", strategies=(None, "plan"), persona="impatient", max_turns=3),
    conversation(Standing.INVALID, task="three", strategies=(None, "probe"), max_turns=3),
]


def grid(found: Coverage, *axes: Axis) -> CoverageGrid:
    return next(one for one in found.pairs if one.axes == axes)


def cells(found: CoverageGrid) -> dict[tuple[str, ...], tuple[int, int, int]]:
    return {cell.levels: (cell.conversations, cell.failed, cell.labelled) for cell in found.cells}


def test_a_pair_is_counted_by_conversations_by_hand() -> None:
    """A conversation tries a strategy once however often it uses it; its label counts where it happened."""
    found = grid(coverage(FACTS, Scope(), strategies=STRATEGIES), Axis.TASK, Axis.STRATEGY)
    assert cells(found) == {("one", "plan"): (2, 1, 1), ("two", "plan"): (1, 1, 0)}
    assert found.levels == (("one", "three", "two"), STRATEGIES)
    assert (found.combinations, found.tried) == (6, 2)
    assert found.never_tried == (("one", "probe"), ("three", "plan"), ("three", "probe"), ("two", "probe"))


def test_a_pair_without_strategies_counts_every_turn() -> None:
    found = coverage(FACTS, Scope(), strategies=STRATEGIES)
    assert cells(grid(found, Axis.TASK, Axis.PERSONA)) == {
        ("one", "polite"): (2, 1, 2),
        ("two", "impatient"): (1, 1, 0),
    }
    assert cells(grid(found, Axis.TASK, Axis.DEPTH))["one", "turn 0"] == (2, 1, 1)


def test_no_strategy_is_expected_at_the_first_turn() -> None:
    found = grid(coverage(FACTS, Scope(), strategies=STRATEGIES), Axis.STRATEGY, Axis.DEPTH)
    assert found.levels == (STRATEGIES, ("turns 1–2",))
    assert (found.combinations, found.never_tried) == (2, (("probe", "turns 1–2"),))


def test_the_grid_over_all_axes_by_hand() -> None:
    found = coverage(FACTS, Scope(), strategies=STRATEGIES).full
    assert found.axes == tuple(Axis)
    assert (found.combinations, found.tried) == (3 * 2 * 2 * 1 * 1, 2)
    assert cells(found) == {
        ("one", "polite", "plan", "town", "turns 1–2"): (2, 1, 1),
        ("two", "impatient", "plan", "town", "turns 1–2"): (1, 1, 0),
    }


def test_every_pair_of_axes_has_its_grid() -> None:
    assert len({one.axes for one in coverage(FACTS, Scope(), strategies=STRATEGIES).pairs}) == 10


def test_where_nothing_uses_strategies_all_turns_count_under_no_name() -> None:
    facts = [conversation(FAIL, (0, "x"), strategies=(None, None), arm=Arm.BASELINE, max_turns=2)]
    found = grid(coverage(facts, Scope(arm=Arm.BASELINE), strategies=()), Axis.STRATEGY, Axis.DEPTH)
    assert cells(found) == {("", "turn 0"): (1, 1, 1), ("", "turns 1–2"): (1, 1, 0)}
    assert found.never_tried == ()


def test_a_strategy_that_nobody_named_is_a_level() -> None:
    facts = [conversation(PASS, strategies=(None, "other"), max_turns=2)]
    found = grid(coverage(facts, Scope(), strategies=STRATEGIES), Axis.TASK, Axis.STRATEGY)
    assert found.levels[1] == (*STRATEGIES, "other")


def test_long_lists_are_cut_and_say_how_much_is_left_out() -> None:
    found = grid(
        coverage(FACTS, Scope(), strategies=STRATEGIES, max_cells=1, max_never_tried=3), Axis.TASK, Axis.STRATEGY
    )
    assert (len(found.cells), found.cells_left_out) == (1, 1)
    assert (len(found.never_tried), found.never_tried_left_out) == (3, 1)


def test_a_million_combinations_are_not_walked_through() -> None:
    facts = [conversation(PASS, task=str(i), context=str(i), strategies=(None, "plan")) for i in range(600)]
    found = coverage(facts, Scope(), strategies=STRATEGIES).full
    assert (found.combinations, found.tried) == (600 * 600 * 2 * 3, 600)
    assert len(found.never_tried) + found.never_tried_left_out == found.combinations - found.tried


@pytest.mark.parametrize("facts", [[], [conversation(s) for s in Standing if not s.in_rates]])
def test_without_rated_conversations_everything_was_never_tried(facts: list[ConversationFacts]) -> None:
    found = coverage(facts, Scope(), strategies=STRATEGIES)
    for one in (found.full, *found.pairs):
        assert (one.tried, one.cells) == (0, ())
        assert one.combinations == len(one.never_tried) + one.never_tried_left_out


@pytest.mark.parametrize(
    ("t", "depth"),
    [(0, "turn 0"), (1, "turns 1–2"), (2, "turns 1–2"), (3, "turns 3–5"), (9, "turns 6–9"), (19, "turns 10–19")],
)
def test_depths_are_ranges_of_turns(t: int, depth: str) -> None:
    assert depth_of(t) == depth


def test_there_is_always_a_deeper_one() -> None:
    assert {depth_of(20), depth_of(500)} == {DEEPEST}


@given(
    st.lists(
        st.tuples(
            st.sampled_from("ab"), st.sampled_from("pq"), st.lists(st.sampled_from([None, "s", "t"]), max_size=5)
        ),
        max_size=12,
    )
)
def test_tried_and_never_tried_are_all_combinations(plan: list[tuple[str, str, list[str | None]]]) -> None:
    facts = [
        conversation(FAIL, task=task, persona=persona, strategies=(None, *uses), max_turns=6)
        for task, persona, uses in plan
    ]
    found = coverage(facts, Scope(), strategies=("s",))
    for one in (found.full, *found.pairs):
        tried = {cell.levels for cell in one.cells}
        assert tried.isdisjoint(one.never_tried)
        assert len(tried) + len(one.never_tried) + one.never_tried_left_out == one.combinations
        assert one.combinations == math.prod(map(len, one.levels))
        assert all(level in axis for cell in tried for level, axis in zip(cell, one.levels, strict=True))
