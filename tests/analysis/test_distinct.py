from __future__ import annotations

import pytest

from hairpin.analysis.distinct import distinct_cost, distinct_failures
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts, Signature
from hairpin.domain.tally import Standing
from tests.analysis.fact_builders import conversation, failure

FAIL, PASS = Standing.FAIL, Standing.PASS


def test_mode_target_kind_strategy_and_assistant_make_a_failure_distinct() -> None:
    strategies = (None, "stack", "stack", "probe")
    facts = [
        conversation(FAIL, (1, "omitted"), (2, "omitted"), (3, "omitted"), strategies=strategies),
        conversation(FAIL, (1, "omitted"), strategies=strategies),
        conversation(FAIL, (1, "omitted"), strategies=strategies, sut="b"),
    ]
    assert distinct_failures(facts) == {
        ("a", Signature("omitted", "", "stack")),
        ("a", Signature("omitted", "", "probe")),
        ("b", Signature("omitted", "", "stack")),
    }
    assert distinct_cost(facts).without_strategy == 2, "one of each assistant"


def test_the_kind_of_the_target_makes_a_difference() -> None:
    one = failure(0, "omitted", target_kind="goal")
    other = failure(0, "omitted", target_kind="stop")
    fact = conversation(FAIL).model_copy(update={"failures": (one, other, one)})
    assert len(distinct_failures([fact])) == 2


def test_a_passed_conversations_failures_count_and_a_cut_ones_do_not() -> None:
    facts = [
        conversation(PASS, (0, "omitted")),
        *(conversation(s, (0, s.value)) for s in (Standing.INCONCLUSIVE, Standing.INVALID, Standing.MISSING)),
    ]
    assert {signature.mode for _, signature in distinct_failures(facts)} == {"omitted"}


def test_the_cost_of_a_distinct_failure_by_hand() -> None:
    """Cells: a guided ends at 300 s, a baseline at 100 s, b guided at 50 s. What came to nothing was paid as well."""
    facts = [
        conversation(FAIL, (0, "omitted"), (0, "unsafe"), active_s=200, cost_usd=0.5),
        conversation(Standing.INVALID, active_s=300, cost_usd=0.25),
        conversation(Standing.MISSING, cost_usd=0.25),
        conversation(PASS, arm=Arm.BASELINE, active_s=100, cost_usd=0),
        conversation(FAIL, (0, "omitted"), sut="b", active_s=50, cost_usd=0.5),
        conversation(FAIL, (0, "omitted"), sut="b", active_s=20, cost_usd=0),
    ]
    cost = distinct_cost(facts)
    assert (cost.distinct, cost.conversations, cost.cost_usd, cost.active_s) == (3, 4, 1.5, 450)
    assert cost.per_100_conversations == 75
    assert cost.conversations_per_distinct == pytest.approx(4 / 3)
    assert (cost.usd_per_distinct, cost.active_s_per_distinct) == (0.5, 150)
    assert cost.reason == ""


def test_without_a_failure_nothing_has_a_price() -> None:
    cost = distinct_cost([conversation(PASS, active_s=10, cost_usd=1)])
    assert (cost.distinct, cost.per_100_conversations) == (0, 0)
    assert (cost.conversations_per_distinct, cost.usd_per_distinct, cost.active_s_per_distinct) == (None, None, None)
    assert cost.reason == "no failure was found"


def test_an_unknown_price_makes_the_sum_unknown() -> None:
    cost = distinct_cost([conversation(FAIL, (0, "x"), cost_usd=1), conversation(PASS, cost_usd=None)])
    assert (cost.cost_usd, cost.usd_per_distinct) == (None, None)
    assert "the cost of a conversation is unknown" in cost.reason


def test_a_cell_without_active_time_makes_the_time_unknown() -> None:
    cost = distinct_cost([conversation(FAIL, (0, "x"), active_s=5), conversation(PASS, sut="b")])
    assert (cost.active_s, cost.active_s_per_distinct) == (None, None)
    assert "no active time" in cost.reason


@pytest.mark.parametrize("facts", [[], [conversation(Standing.INVALID)], [conversation(Standing.MISSING)]])
def test_without_a_rated_conversation_everything_is_stated(facts: list[ConversationFacts]) -> None:
    cost = distinct_cost(facts)
    assert (cost.distinct, cost.conversations, cost.per_100_conversations) == (0, 0, None)
    assert cost.reason.startswith("no rated conversation; no active time")
