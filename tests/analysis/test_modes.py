from __future__ import annotations

from hairpin.analysis.modes import mode_order, modes_by_turn
from hairpin.domain.failures import CHECK_FAILED
from hairpin.domain.tally import Standing
from tests.analysis.fact_builders import conversation

FACT = conversation(Standing.FAIL, (0, "omitted"), (0, "forgotten"), (0, "omitted"), (3, "agreed"), (5, CHECK_FAILED))


def test_known_modes_keep_their_order_and_others_follow_by_name() -> None:
    assert mode_order([FACT], ["omitted", "unsafe"]) == ("omitted", "unsafe", "agreed", "forgotten")


def test_a_failed_check_is_no_failure_type() -> None:
    assert modes_by_turn(FACT) == {0: frozenset({"omitted", "forgotten"}), 3: frozenset({"agreed"})}
    assert mode_order([conversation(Standing.FAIL, (0, CHECK_FAILED))], []) == ()
