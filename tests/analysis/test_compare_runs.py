from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]
from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

from hairpin.analysis.compare_runs import Direction, RunComparison, RunTest, compare_runs, holm, least_p
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.failures import CHECK_FAILED
from hairpin.domain.tally import Standing
from tests.analysis.fact_builders import conversation

FAIL, PASS = Standing.FAIL, Standing.PASS


def conversations(failed: int, passed: int, *modes: str) -> list[ConversationFacts]:
    """Return conversations of which the failed ones have ``modes`` at their first turn."""
    return [conversation(FAIL, *((0, mode) for mode in modes))] * failed + [conversation(PASS)] * passed


def the_test(found: RunComparison, mode: str | None, scenario: str = "ride") -> RunTest:
    return next(test for test in found.tests if (test.scenario, test.mode) == (scenario, mode))


def test_fishers_tea_by_hand() -> None:
    """Fisher's own example, 3 of 4 against 1 of 4: two-sided p = 34/70."""
    found = compare_runs({"ride": conversations(1, 3)}, {"ride": conversations(3, 1)})
    assert len(found.tests) == 1
    assert found.tests[0].p == pytest.approx(34 / 70)
    assert found.tests[0].direction is Direction.WORSE


@given(st.lists(st.integers(0, 8), min_size=4, max_size=4).filter(lambda k: k[0] + k[1] > 0 and k[2] + k[3] > 0))
@settings(max_examples=30)
def test_p_is_scipys(counts: list[int]) -> None:
    a, b, c, d = counts
    found = compare_runs({"ride": conversations(a, b, "x")}, {"ride": conversations(c, d, "x")})
    expected = stats.fisher_exact([[a, b], [c, d]]).pvalue
    assert [test.p for test in found.tests] == pytest.approx([expected] * len(found.tests))
    assert all(test.p_adjusted >= test.p for test in found.tests)


def test_verdicts_and_every_mode_found_in_either_run_are_tested() -> None:
    first = [conversation(FAIL, (0, "x"), (1, "x")), conversation(PASS, (0, "y"))]
    found = compare_runs({"ride": first}, {"ride": [conversation(FAIL, (0, CHECK_FAILED)), conversation(PASS)]})
    assert [test.mode for test in found.tests] == [None, CHECK_FAILED, "x", "y"]
    assert (the_test(found, "x").first.rate, the_test(found, "x").second.rate) == (0.5, 0)
    assert the_test(found, "x").direction is Direction.BETTER
    assert the_test(found, CHECK_FAILED).direction is Direction.WORSE
    assert the_test(found, None).direction is Direction.SAME


def test_holms_correction_by_hand() -> None:
    """Raw p by rank times how many are left, never below the one before: scenario a 2·p, scenario b max(that, p)."""
    first = {"a": conversations(0, 8), "b": conversations(1, 3)}
    second = {"a": conversations(8, 0), "b": conversations(3, 1)}
    found = compare_runs(first, second)
    raw = 2 / 12870
    assert the_test(found, None, "a").p == pytest.approx(raw)
    assert the_test(found, None, "a").p_adjusted == pytest.approx(2 * raw)
    assert the_test(found, None, "b").p_adjusted == pytest.approx(34 / 70)


@settings(max_examples=8)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holms_correction_is_statsmodels(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(list(multipletests(p_values, method="holm")[1]))


def test_no_tests_need_no_correction() -> None:
    assert holm([]) == []


def test_a_regression_is_worse_and_significant_after_correction() -> None:
    first = {"a": conversations(0, 8), "b": conversations(8, 0), "c": conversations(1, 3)}
    second = {"a": conversations(8, 0), "b": conversations(0, 8), "c": conversations(3, 1)}
    found = compare_runs(first, second)
    assert [test.scenario for test in found.regressions()] == ["a"]
    assert [test.scenario for test in found.regressions(alpha=1.0)] == ["a", "c"]
    assert found.regressions(alpha=1e-9) == ()


def test_what_was_cut_or_broke_is_in_no_table() -> None:
    outside = [conversation(s, (0, "z")) for s in Standing if not s.in_rates]
    assert compare_runs({"a": [*conversations(1, 3), *outside]}, {"a": conversations(3, 1)}) == compare_runs(
        {"a": conversations(1, 3)}, {"a": conversations(3, 1)}
    )


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ([], [], "neither has a rated conversation"),
        ([], conversations(1, 1), "the first has no rated conversation"),
        (conversations(1, 1), [conversation(Standing.INVALID)], "the second has no rated conversation"),
        (conversations(0, 5), conversations(0, 3), "no conversation of either failed"),
        (conversations(4, 0), conversations(2, 0), "every conversation of both failed"),
    ],
)
def test_an_empty_margin_gives_p_1_and_says_which(
    first: list[ConversationFacts], second: list[ConversationFacts], reason: str
) -> None:
    found = compare_runs({"ride": first}, {"ride": second}).tests[0]
    assert (found.p, found.p_adjusted, found.direction, found.reason) == (1, 1, Direction.SAME, reason)


def test_a_mode_that_every_conversation_has_is_named() -> None:
    found = compare_runs({"ride": conversations(2, 0, "x")}, {"ride": conversations(3, 0, "x")})
    assert the_test(found, "x").reason == "every conversation of both has it"


def test_a_scenario_that_only_one_run_has_is_named_and_not_tested() -> None:
    found = compare_runs({"a": conversations(1, 1), "b": []}, {"c": [], "a": conversations(1, 1)})
    assert ({test.scenario for test in found.tests}, found.only_first, found.only_second) == ({"a"}, ("b",), ("c",))


def test_nothing_in_common_is_no_regression() -> None:
    found = compare_runs({}, {"a": conversations(3, 0)})
    assert (found.tests, found.regressions(), found.only_second) == ((), (), ("a",))


@given(st.integers(0, 7), st.integers(0, 7))
@settings(max_examples=30)
def test_no_outcome_of_so_many_conversations_gives_a_smaller_p(n1: int, n2: int) -> None:
    tables = [(a, b) for a in range(n1 + 1) for b in range(n2 + 1)]
    found = [compare_runs({"a": conversations(a, n1 - a)}, {"a": conversations(b, n2 - b)}) for a, b in tables]
    assert least_p(n1, n2) == pytest.approx(min(one.tests[0].p for one in found))


def test_the_least_p_of_many_conversations_is_a_number() -> None:
    assert least_p(10_000, 10_000) == 0
    assert 0 < least_p(10_000, 1) < 1e-3
