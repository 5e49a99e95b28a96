from __future__ import annotations

import pytest

from hairpin.analysis.model import StrategyMatrix, StrategyRow
from hairpin.analysis.proportions import proportion
from hairpin.analysis.scope import Scope
from hairpin.analysis.strategies import strategy_matrix
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.failures import CHECK_FAILED
from hairpin.domain.tally import Standing
from tests.analysis.fact_builders import conversation

FAIL, PASS = Standing.FAIL, Standing.PASS
GUIDED, BASELINE = Scope(arm=Arm.GUIDED), Scope(arm=Arm.BASELINE)
AIMS = {"plan": "poor", "probe": "unsafe"}
MODES = ("poor", "unsafe", "missed")
FACTS = [
    conversation(
        FAIL, (1, "poor"), (1, "poor"), (1, "missed"), (2, "missed"), strategies=(None, "plan", "plan", "plan")
    ),
    conversation(PASS, (0, "missed"), (1, "poor"), strategies=(None, "plan", None)),
]


def matrix(facts: list[ConversationFacts], scope: Scope = GUIDED) -> StrategyMatrix:
    return strategy_matrix(facts, scope, aims=AIMS, modes=MODES)


def row(found: StrategyMatrix, strategy: str | None) -> StrategyRow:
    return next(one for one in found.rows if one.strategy == strategy)


def test_each_use_counts_once_per_mode_by_hand() -> None:
    """Four uses of plan: poor and missed; missed; nothing; poor."""
    plan = row(matrix(FACTS), "plan")
    assert (plan.uses, plan.aim) == (4, "poor")
    assert {part.mode: part.share for part in plan.modes} == {
        "poor": proportion(2, 4),
        "unsafe": proportion(0, 4),
        "missed": proportion(2, 4),
    }
    assert (plan.target_hits, plan.collateral, plan.any_failure) == tuple(proportion(k, 4) for k in (2, 2, 3))


def test_turns_that_no_strategy_wrote_have_a_row_without_an_aim() -> None:
    none = matrix(FACTS).rows[-1]
    assert (none.strategy, none.uses, none.any_failure) == (None, 3, proportion(1, 3))
    assert (none.target_hits.rate, none.collateral.rate) == (None, None)
    assert none.target_hits.reason == "it aims at no failure type"


def test_an_unused_strategy_is_shown_as_never_used() -> None:
    probe = row(matrix(FACTS), "probe")
    assert (probe.uses, probe.target_hits.rate) == (0, None)
    assert probe.target_hits.reason == "never used in a rated conversation"


def test_a_used_strategy_that_nobody_named_and_a_mode_beside_the_rubrics_are_not_lost() -> None:
    found = matrix([conversation(FAIL, (0, "odd"), strategies=("other",))])
    assert [one.strategy for one in found.rows] == ["plan", "probe", "other", None]
    assert found.modes == (*MODES, "odd")
    assert row(found, "other").modes[-1].share == proportion(1, 1)


def test_failed_checks_are_no_collateral() -> None:
    found = matrix([conversation(FAIL, (0, CHECK_FAILED), strategies=("plan",))])
    assert row(found, "plan").collateral == proportion(0, 1)


def test_uses_in_conversations_without_a_rating_do_not_count() -> None:
    outside = [conversation(s, (0, "poor"), strategies=("plan",)) for s in Standing if not s.in_rates]
    assert matrix([*FACTS, *outside]) == matrix(FACTS)


def test_the_baseline_has_the_row_without_strategies_only() -> None:
    found = matrix([conversation(FAIL, (0, "poor"), arm=Arm.BASELINE, strategies=(None, None))], BASELINE)
    assert [(one.strategy, one.uses, one.any_failure) for one in found.rows] == [(None, 2, proportion(1, 2))]


@pytest.mark.parametrize("facts", [[], [conversation(Standing.INVALID)]])
def test_without_conversations_every_row_is_there_and_says_why_it_is_empty(facts: list[ConversationFacts]) -> None:
    found = matrix(facts)
    assert [one.uses for one in found.rows] == [0, 0, 0]
    assert {one.any_failure.reason for one in found.rows} == {"never used in a rated conversation"}
