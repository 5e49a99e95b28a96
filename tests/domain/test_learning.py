"""Epsilon-greedy choice: what finds nothing new is left, what is untried is tried, what is equal is drawn."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.facts import Signature
from hairpin.domain.learning import Lesson, choose, strategy_worths, task_worths
from hairpin.domain.learning_spec import LearningSpec

SPEC = LearningSpec(optimism=2.0, task_optimism=2.0, decay=1.0)
names = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8, unique=True)


def found(strategy: str, *kinds: str) -> frozenset[Signature]:
    return frozenset(Signature("mode", kind, strategy) for kind in kinds)


def lesson(index: int, uses: Mapping[str, int], *signatures: frozenset[Signature], task: str = "t") -> Lesson:
    return Lesson(id=f"c{index}", index=index, task=task, uses=uses, found=frozenset().union(*signatures))


def test_of_nothing_nothing_is_known() -> None:
    assert strategy_worths((), ("a", "b"), SPEC) == {"a": 0.0, "b": 0.0}
    assert task_worths((), ("t",), SPEC) == {"t": 0.0}


def test_what_was_never_used_is_worth_as_many_times_the_mean_as_optimism_says() -> None:
    """Of 20 uses ten found something new: 0.5 per use on average."""
    worths = strategy_worths([lesson(0, {"a": 10, "b": 10}, found("a", *"0123456789"))], ("a", "b", "c"), SPEC)
    assert worths == {"a": 20 / 20, "b": 10 / 20, "c": 1.0}


def test_what_is_found_again_is_worth_nothing() -> None:
    again = [lesson(number, {"a": 1, "b": 1}, found("a", "x")) for number in range(5)]
    once = [lesson(number, {"a": 1, "b": 1}, frozenset() if number else found("a", "x")) for number in range(5)]
    assert strategy_worths(again, ("a", "b"), SPEC) == strategy_worths(once, ("a", "b"), SPEC)


def test_a_failure_found_without_a_strategy_teaches_nothing_of_strategies_but_of_its_task() -> None:
    lessons = [lesson(0, {"a": 5}, found("", "x"), task="t"), lesson(1, {}, task="u")]
    assert strategy_worths(lessons, ("a",), SPEC) == {"a": 0.0}
    assert task_worths(lessons, ("t", "u"), SPEC) == {"t": 3 / 3, "u": 2 / 3}


def test_what_one_task_found_is_not_new_in_another() -> None:
    lessons = [lesson(0, {}, found("a", "x"), task="t"), lesson(1, {}, found("a", "x"), task="u")]
    assert task_worths(lessons, ("t", "u"), SPEC) == {"t": 3 / 3, "u": 2 / 3}


def test_of_a_conversation_that_neither_passed_nor_failed_nothing_is_learnt() -> None:
    broken = lesson(0, {"a": 9}, found("a", "x")).model_copy(update={"rated": False})
    assert strategy_worths([broken], ("a",), SPEC) == {"a": 0.0}
    assert task_worths([broken], ("t",), SPEC) == {"t": 0.0}


def test_old_lessons_are_forgotten_good_ones_and_bad_ones() -> None:
    """What is left of them is what is expected of something untried."""
    early = [lesson(0, {"a": 5, "b": 5}, found("a", "x", "y")), *(lesson(n, {"c": 1}) for n in range(1, 40))]
    forgetful = SPEC.model_copy(update={"decay": 0.5})
    remembered, forgotten = (strategy_worths(early, ("a", "b", "d"), spec) for spec in (SPEC, forgetful))
    assert remembered["a"] > remembered["d"] > remembered["b"]
    assert [forgotten["a"], forgotten["b"]] == pytest.approx([forgotten["d"]] * 2, abs=1e-9)


@given(st.permutations(range(6)))
def test_the_order_in_which_lessons_arrive_does_not_matter(order: list[int]) -> None:
    lessons = [lesson(n, {"a": 1, "b": n % 2}, found("a", f"k{n % 4}"), task=f"t{n % 2}") for n in range(6)]
    spec = SPEC.model_copy(update={"decay": 0.9})
    shuffled = [lessons[n] for n in order]
    assert strategy_worths(shuffled, ("a", "b"), spec) == strategy_worths(lessons, ("a", "b"), spec)
    assert task_worths(shuffled, ("t0", "t1"), spec) == task_worths(lessons, ("t0", "t1"), spec)


@given(names, st.integers(0, 10**6), st.floats(0, 1), st.data())
def test_so_many_different_ones_are_chosen_and_the_same_of_the_same(
    of: list[str], rng_seed: int, epsilon: float, data: st.DataObject
) -> None:
    n = data.draw(st.integers(0, len(of)))
    worths = dict.fromkeys(of, 1.0)
    choice = choose(worths, n, epsilon=epsilon, rng_seed=rng_seed)
    assert len(set(choice.chosen)) == n
    assert set(choice.explored) <= set(choice.chosen) <= set(of)
    assert choice == choose(worths, n, epsilon=epsilon, rng_seed=rng_seed)


@given(names, st.integers(0, 10**6))
def test_without_exploring_the_best_come_first(of: list[str], rng_seed: int) -> None:
    worths = {name: ord(name) for name in of}
    choice = choose(worths, len(of), epsilon=0.0, rng_seed=rng_seed)
    assert choice.chosen == tuple(sorted(of, reverse=True))
    assert choice.explored == ()


def test_exploring_always_every_one_comes_first_about_equally_often() -> None:
    first = [choose({"a": 1.0, "b": 0.0}, 1, epsilon=1.0, rng_seed=seed).chosen for seed in range(400)]
    assert 150 < first.count(("b",)) < 250


def test_what_is_equally_promising_is_drawn() -> None:
    assert {choose({"a": 1.0, "b": 1.0}, 1, epsilon=0.0, rng_seed=seed).chosen for seed in range(20)} == {
        ("a",),
        ("b",),
    }


def test_what_is_nearly_as_good_as_the_best_that_is_left_is_drawn_like_it() -> None:
    """At first b is as good as a, and c is not; where a is gone, c is as good as b."""
    worths = {"a": 1.0, "b": 0.5, "c": 0.49}
    chosen = {choose(worths, 2, epsilon=0.0, rng_seed=seed, tolerance=0.5).chosen for seed in range(40)}
    assert chosen == {("a", "b"), ("a", "c"), ("b", "a")}


def test_more_than_there_are_cannot_be_chosen() -> None:
    with pytest.raises(ValueError, match="3 cannot be chosen of 1"):
        choose({"a": 1.0}, 3, epsilon=0.1, rng_seed=1)
