from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]
from statsmodels.stats.proportion import confint_proportions_2indep  # type: ignore[import-untyped]

from hairpin.analysis.comparisons import compare_arms, magnitude, mann_whitney, rate_difference, vargha_delaney
from hairpin.analysis.model import Magnitude, UMethod
from hairpin.analysis.proportions import proportion
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.tally import Standing
from tests.analysis.fact_builders import conversation

GROUPS = st.lists(st.integers(0, 12).map(float), min_size=1, max_size=15)
FAIL, PASS = Standing.FAIL, Standing.PASS


@given(GROUPS, GROUPS)
def test_the_effect_counts_every_pair(first: list[float], second: list[float]) -> None:
    effect = vargha_delaney(first, second)
    pairs = [(x, y) for x in first for y in second]
    assert (effect.greater, effect.ties) == (sum(x > y for x, y in pairs), sum(x == y for x, y in pairs))
    assert effect.a12 == pytest.approx((effect.greater + effect.ties / 2) / len(pairs))


@given(GROUPS, GROUPS)
def test_swapping_the_groups_mirrors_the_effect_and_keeps_p(first: list[float], second: list[float]) -> None:
    there, back = vargha_delaney(first, second), vargha_delaney(second, first)
    assert there.a12 is not None
    assert back.a12 == pytest.approx(1 - there.a12)
    assert there.magnitude is back.magnitude
    assert mann_whitney(first, second).p == pytest.approx(mann_whitney(second, first).p)


@given(GROUPS, GROUPS)
def test_the_test_is_scipys_and_its_u_counts_the_same_pairs(first: list[float], second: list[float]) -> None:
    test, effect = mann_whitney(first, second), vargha_delaney(first, second)
    assert test.u == effect.greater + effect.ties / 2
    if len({*first, *second}) > 1:
        assert test.p == pytest.approx(min(1, stats.mannwhitneyu(first, second, method="auto").pvalue))


def test_small_groups_without_ties_have_an_exact_p() -> None:
    """Of the C(6, 3) = 20 equally likely orders, two are as extreme as one group lying wholly above the other."""
    test = mann_whitney([4, 5, 6], [1, 2, 3])
    assert (test.u, test.method) == (9, UMethod.EXACT)
    assert test.p == pytest.approx(2 / 20)
    assert test.significant is False


@pytest.mark.parametrize(
    ("first", "second"),
    [([4, 5, 6, 6], [1, 2, 3]), (list(range(0, 18, 2)), list(range(1, 19, 2))), ([0.5], list(range(4_001)))],
)
def test_ties_and_large_groups_have_an_approximate_p(first: list[float], second: list[float]) -> None:
    test = mann_whitney(first, second)
    assert test.method is UMethod.ASYMPTOTIC
    assert test.p == pytest.approx(min(1, stats.mannwhitneyu(first, second, method="asymptotic").pvalue))


def test_a_p_of_exactly_alpha_is_significant() -> None:
    assert mann_whitney([4, 5, 6], [1, 2, 3], alpha=0.1).significant is True


def test_equal_values_tell_nothing() -> None:
    test, effect = mann_whitney([1, 1], [1, 1, 1]), vargha_delaney([1, 1], [1, 1, 1])
    assert (test.u, test.p, test.method, test.significant) == (3, 1, UMethod.NONE, False)
    assert test.reason == "all values are equal"
    assert (effect.greater, effect.ties, effect.a12, effect.magnitude) == (0, 6, 0.5, Magnitude.NEGLIGIBLE)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ([], [], "neither group has values"),
        ([], [1.0], "the first group has no values"),
        ([1.0], [], "the second group has no values"),
    ],
)
def test_an_empty_group_is_named(first: list[float], second: list[float], reason: str) -> None:
    test, effect = mann_whitney(first, second), vargha_delaney(first, second)
    assert (test.u, test.p, test.significant, test.reason) == (None, None, None, reason)
    assert (effect.a12, effect.magnitude, effect.reason) == (None, None, reason)


@pytest.mark.parametrize(
    ("percent", "word"),
    [
        (50, "negligible"),
        (55, "negligible"),
        (56, "small"),
        (63, "small"),
        (64, "medium"),
        (70, "medium"),
        (71, "large"),
    ],
)
def test_magnitudes_begin_at_vargha_and_delaneys_thresholds(percent: int, word: str) -> None:
    assert magnitude(Fraction(percent, 100)) == word
    assert magnitude(Fraction(100 - percent, 100)) == word


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 30), st.integers(1, 30))
def test_the_difference_has_newcombes_interval(k1: int, k2: int, more1: int, more2: int) -> None:
    n1, n2 = k1 + more1, k2 + more2
    found = rate_difference(proportion(k1, n1), proportion(k2, n2))
    low, high = confint_proportions_2indep(k1, n1, k2, n2, method="newcomb", compare="diff")
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-9)
    assert found.difference == pytest.approx(k1 / n1 - k2 / n2)


def test_a_difference_to_nothing_is_unknown() -> None:
    found = rate_difference(proportion(1, 2), proportion(0, 0))
    assert (found.difference, found.low, found.high) == (None, -1, 1)
    assert found.reason == "the second group has no values"


def arms(guided: list[ConversationFacts], baseline: list[ConversationFacts]) -> list[ConversationFacts]:
    return [*guided, *(fact.model_copy(update={"arm": Arm.BASELINE}) for fact in baseline)]


def test_guided_against_baseline_by_hand() -> None:
    facts = arms(
        [conversation(FAIL, (0, "x"), (1, "y"), (2, "z"), success_score=0.25), conversation(FAIL, (0, "x"), (1, "y"))],
        [conversation(PASS, (0, "x"), success_score=1.0), conversation(FAIL, success_score=0.25)],
    )
    found = compare_arms(facts)
    assert found.types_ratio == 5.0
    assert found.failure_rate.difference == 0.5
    assert (found.failure_types.effect.greater, found.failure_types.effect.ties) == (4, 0)
    assert (found.success_score.effect.a12, found.success_score.first.n) == (0.25, 1)


def test_an_assistant_is_compared_with_itself_only() -> None:
    facts = arms([conversation(FAIL, (0, "x")), conversation(FAIL, (0, "x"), (0, "y"), sut="b")], [conversation(PASS)])
    found = compare_arms(facts, "b")
    assert (found.failure_rate.first.n, found.failure_rate.second.n) == (1, 0)
    assert (found.types_ratio, found.types_ratio_reason) == (None, "the second group has no values")


def test_what_was_cut_or_broke_is_not_compared() -> None:
    outside = [conversation(s, (0, "x"), success_score=0.0) for s in Standing if not s.in_rates]
    assert compare_arms(arms([conversation(FAIL, (0, "x")), *outside], [conversation(PASS, (0, "x")), *outside])) == (
        compare_arms(arms([conversation(FAIL, (0, "x"))], [conversation(PASS, (0, "x"))]))
    )


def test_a_baseline_without_failures_gives_no_ratio() -> None:
    found = compare_arms(arms([conversation(FAIL, (0, "x"))], [conversation(PASS)]))
    assert (found.types_ratio, found.types_ratio_reason) == (None, "the baseline found no failure type")


def test_learned_against_guided_is_compared_as_guided_against_baseline_is() -> None:
    learned = [conversation(FAIL, (0, "x"), (1, "y"), arm=Arm.LEARNED), conversation(PASS, arm=Arm.LEARNED)]
    found = compare_arms([*learned, conversation(PASS)], arms=(Arm.LEARNED, Arm.GUIDED))
    assert (found.arms, found.failure_rate.difference) == ((Arm.LEARNED, Arm.GUIDED), 0.5)
    assert (found.types_ratio, found.types_ratio_reason) == (None, "the guided arm found no failure type")


def test_scores_that_differ_by_rounding_are_the_same_score() -> None:
    found = compare_arms(
        arms([conversation(PASS, success_score=0.1 + 0.2)], [conversation(PASS, success_score=0.3)])
    ).success_score
    assert (found.effect.ties, found.test.reason) == (1, "all values are equal")
