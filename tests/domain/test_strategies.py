"""The pool Π: pruned on one verdict, limited per strategy (in-car paper, section III-C and algorithm 1, line 8)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from hairpin.domain.strategies import Strategy, StrategyPool
from tests.domain.builders import RESPONSE_MODES, a_strategy

CHALLENGE = a_strategy("planning_challenge", "planning_poor", 2)
PROBE = a_strategy("safety_probe", "safety_violation", 1)

strategies = st.lists(
    st.builds(
        a_strategy,
        st.sampled_from("abcdefgh"),
        st.sampled_from(RESPONSE_MODES),
        st.integers(min_value=1, max_value=3),
    ),
    unique_by=lambda strategy: strategy.id,
    max_size=6,
)


def ids(chosen: tuple[Strategy, ...]) -> list[str]:
    return [strategy.id for strategy in chosen]


def test_a_strategy_is_blocked_after_its_own_number_of_uses_in_a_row() -> None:
    pool = StrategyPool(active=(CHALLENGE, PROBE))
    assert ids(pool.used("safety_probe").available()) == ["planning_challenge"]
    once = pool.used("planning_challenge")
    assert ids(once.available()) == ["planning_challenge", "safety_probe"]
    assert ids(once.used("planning_challenge").available()) == ["safety_probe"]


def test_another_strategy_in_between_lifts_the_limit() -> None:
    pool = StrategyPool(active=(CHALLENGE, PROBE)).used("safety_probe").used("planning_challenge")
    assert ids(pool.available()) == ["planning_challenge", "safety_probe"]


def test_when_every_strategy_is_blocked_an_unguided_utterance_resets_the_limits() -> None:
    blocked = StrategyPool(active=(PROBE,)).used("safety_probe")
    assert blocked.available() == ()
    assert ids(blocked.used(None).available()) == ["safety_probe"]


def test_every_strategy_that_aimed_at_a_found_mode_leaves_the_pool() -> None:
    second = a_strategy("another", "planning_poor")
    pool = StrategyPool(active=(CHALLENGE, PROBE, second)).pruned({"planning_poor", "request_omitted"})
    assert ids(pool.active) == ["safety_probe"]


def test_an_empty_pool_offers_nothing() -> None:
    assert StrategyPool(active=()).available() == ()


def test_pruning_forgets_no_streak() -> None:
    pool = StrategyPool(active=(CHALLENGE, PROBE)).used("safety_probe").pruned({"planning_poor"})
    assert pool.available() == ()


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_refused(limit: int) -> None:
    with pytest.raises(ValidationError, match="max_consecutive"):
        a_strategy("never", max_consecutive=limit)


@given(strategies, st.sets(st.sampled_from(RESPONSE_MODES)))
def test_pruning_keeps_order_and_exactly_the_strategies_that_found_nothing(
    active: list[Strategy], found: set[str]
) -> None:
    kept = StrategyPool(active=tuple(active)).pruned(found).active
    assert kept == tuple(strategy for strategy in active if strategy.target_mode not in found)


@given(strategies, st.data())
def test_no_strategy_is_ever_used_more_often_in_a_row_than_its_limit(
    active: list[Strategy], data: st.DataObject
) -> None:
    pool, run_of = StrategyPool(active=tuple(active)), ("", 0)
    for _ in range(12):
        offered = pool.available()
        chosen = data.draw(st.sampled_from(offered)) if offered else None
        pool = pool.used(chosen.id if chosen else None)
        if chosen is None:
            run_of = ("", 0)
            continue
        run_of = (chosen.id, run_of[1] + 1 if run_of[0] == chosen.id else 1)
        assert run_of[1] <= chosen.max_consecutive


@given(strategies)
def test_only_the_strategy_used_last_can_be_blocked(active: list[Strategy]) -> None:
    for last in active:
        pool = StrategyPool(active=tuple(active), last=last.id, streak=last.max_consecutive)
        assert pool.available() == tuple(strategy for strategy in active if strategy.id != last.id)
