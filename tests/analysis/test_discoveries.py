"""Distinct failures per 100 conversations: equally many of both arms, cell by cell, and how unusual a difference is."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.analysis.discoveries import PERMUTATIONS, compare_discoveries, n_distinct, permutation_p
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts, Signature
from hairpin.domain.tally import Standing
from tests.analysis.fact_builders import conversation

FAIL, PASS = Standing.FAIL, Standing.PASS


def arm_of(arm: Arm, modes: str, *, run: int = 0) -> list[ConversationFacts]:
    """Return a conversation for each letter, which finds that mode; a dot finds nothing."""
    return [
        conversation(FAIL, *(() if mode == "." else ((0, mode),)), index=index, arm=arm, run=run)
        for index, mode in enumerate(modes)
    ]


def both(learned: str, guided: str, *, run: int = 0) -> list[ConversationFacts]:
    return [*arm_of(Arm.LEARNED, learned, run=run), *arm_of(Arm.GUIDED, guided, run=run)]


def test_counts_are_of_equally_many_conversations_of_both_arms() -> None:
    found = compare_discoveries(both("ab.c", "aaaabcdefgh"), rng_seed=1)
    assert (found.learned.n, found.learned.distinct, found.guided.n, found.guided.distinct) == (4, 3, 4, 1)
    assert (found.learned.per_100, found.guided.per_100, found.difference) == (75.0, 25.0, 50.0)


def test_cells_count_on_their_own_and_one_without_both_arms_is_left_out() -> None:
    alone = arm_of(Arm.LEARNED, "xyz", run=2)
    found = compare_discoveries([*both("ab", "aa"), *both("ab", "aa", run=1), *alone], rng_seed=1)
    assert (found.learned.n, found.learned.distinct, found.guided.distinct) == (4, 4, 2)


def test_what_neither_passed_nor_failed_is_left_out() -> None:
    broken = [conversation(Standing.INVALID, (0, "z"), index=9, arm=arm) for arm in (Arm.LEARNED, Arm.GUIDED)]
    assert compare_discoveries([*both("ab", "aa"), *broken], rng_seed=1) == compare_discoveries(
        both("ab", "aa"), rng_seed=1
    )


def test_the_interval_is_that_of_colwell_mao_and_chang() -> None:
    """S = 3 of n = 4, one of them found twice and two once: Ŝ = 3 + ¾ · 2² / 2 and var = S (1 − S / Ŝ)."""
    found = compare_discoveries(both("aabc", "...."), rng_seed=1).learned
    variance = 3 * (1 - 3 / 4.5)
    assert found.high == pytest.approx(25 * (3 + 1.959964 * math.sqrt(variance)), rel=1e-6)
    assert found.low == pytest.approx(25 * (3 - 1.959964 * math.sqrt(variance)), rel=1e-6)


@pytest.mark.parametrize(("learned", "guided"), [("", ""), ("ab", ""), ("", "ab")])
def test_without_conversations_of_both_arms_nothing_is_compared(learned: str, guided: str) -> None:
    found = compare_discoveries(both(learned, guided), rng_seed=1)
    assert (found.difference, found.low, found.high, found.p) == (None, None, None, None)
    assert found.reason == "no cell has conversations of both arms that passed or failed"


def test_arms_that_found_nothing_do_not_differ() -> None:
    found = compare_discoveries(both("...", "..."), rng_seed=1)
    assert (found.difference, found.low, found.high, found.p) == (0.0, 0.0, 0.0, 1.0)


def test_a_clear_difference_is_unusual_and_none_is_not() -> None:
    clear = compare_discoveries(both("abcdefghijklmnop", "................"), rng_seed=1)
    assert clear.p is not None
    assert clear.p <= 0.05
    assert clear.low is not None
    assert clear.low > 0
    none = compare_discoveries(both("abababab", "babababa"), rng_seed=1)
    assert none.p == 1.0


signatures = st.frozensets(st.builds(Signature, st.sampled_from("abc"), st.just(""), st.sampled_from("xy")), max_size=3)


@given(st.lists(st.tuples(signatures, signatures), max_size=6), st.integers(0, 10**6))
def test_p_is_a_share_and_the_same_whichever_arm_comes_first(
    pairs: list[tuple[frozenset[Signature], frozenset[Signature]]], rng_seed: int
) -> None:
    first, second = [one for one, _ in pairs], [other for _, other in pairs]
    p = permutation_p([(first, second)], rng_seed=rng_seed)
    assert 1 / (PERMUTATIONS + 1) <= p <= 1
    assert p == permutation_p([(second, first)], rng_seed=rng_seed)
    assert n_distinct(first) <= sum(map(len, first))
