"""What replies say about an assistant, without one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.sut.conformance.judgement import (
    answers_late,
    common_prefix,
    first_difference,
    order_effect,
    owner_of,
    round_limit,
    share_of_equal,
)


@given(st.lists(st.text(), max_size=5), st.integers(min_value=1, max_value=4))
def test_equal_runs_are_wholly_equal(replies: list[str], n_runs: int) -> None:
    assert share_of_equal([tuple(replies)] * n_runs) == 1


def test_the_share_counts_pairs_of_replies() -> None:
    assert share_of_equal([("a", "b"), ("a", "c")]) == 0.5


def test_a_missing_turn_is_a_difference() -> None:
    assert first_difference(["a", "b"], ["a"]) == 1
    assert first_difference(["a"], ["a"]) is None


def test_a_reply_belongs_elsewhere_only_if_it_is_not_right_where_it_is() -> None:
    alone = {(0, 0): "yes", (1, 0): "no", (2, 0): "yes"}
    assert owner_of("no", alone, place=(0, 0)) == (1, 0)
    assert owner_of("yes", alone, place=(2, 0)) is None
    assert owner_of("perhaps", alone, place=(0, 0)) is None


def test_an_order_matters_only_if_replies_agree_within_it_and_differ_between() -> None:
    assert order_effect([("a", "x"), ("a", "y")], [("b", "x"), ("b", "x")]) == 0
    assert order_effect([("a",), ("b",)], [("b",), ("b",)]) is None
    assert order_effect([("a",)], [("a",)]) is None


def test_replies_that_follow_the_turn_before_are_late() -> None:
    assert answers_late({(0, 1): "to 0", (0, 2): "to 0", (1, 0): "to 1", (1, 2): "to 1"})
    assert not answers_late({(0, 1): "to 1", (0, 2): "to 2", (1, 0): "to 0", (1, 2): "to 2"})
    assert not answers_late({(0, 1): "yes", (0, 2): "yes", (1, 0): "yes", (1, 2): "yes"})


@pytest.mark.parametrize(
    ("text", "limit"), [("a" * 1024, "1,024 characters"), ("é" * 512, "512 characters"), ("a" * 1025, None)]
)
def test_only_round_sizes_are_limits(text: str, limit: str | None) -> None:
    assert round_limit(text) == limit


@given(st.text(), st.text(), st.text())
def test_texts_begin_alike_as_far_as_they_are_the_same(start: str, one: str, other: str) -> None:
    n = common_prefix(start + one, start + other)
    assert n >= len(start)
    assert (start + one)[:n] == (start + other)[:n]
