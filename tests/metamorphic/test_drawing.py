from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from hairpin.metamorphic.drawing import below, generator, pick, shuffled, subset


@given(st.integers(), st.lists(st.integers()))
def test_a_shuffle_holds_the_same_items(seed: int, items: list[int]) -> None:
    assert Counter(shuffled(Random(seed), items)) == Counter(items)


@given(st.integers(), st.integers(1, 50), st.data())
def test_a_subset_holds_different_items(seed: int, n: int, data: st.DataObject) -> None:
    size = data.draw(st.integers(0, n))
    drawn = subset(Random(seed), range(n), size)
    assert len(set(drawn)) == len(drawn) == size
    assert set(drawn) <= set(range(n))


@given(st.integers(), st.integers(1, 1000))
def test_a_number_is_below_its_bound(seed: int, n: int) -> None:
    assert 0 <= below(Random(seed), n) < n


def test_every_order_is_about_equally_likely() -> None:
    rng = Random(1)
    counts = Counter(tuple(shuffled(rng, "abc")) for _ in range(6000))
    assert len(counts) == 6
    assert min(counts.values()) > 850


def test_generators_of_different_paths_do_not_move_each_other() -> None:
    assert generator(1, "a").random() == generator(1, "a").random()
    assert len({generator(root, path).random() for root in (1, 2) for path in "ab"}) == 4


def test_draws_stay_the_same_for_ever() -> None:
    rng = generator(1, "for ever")
    assert (shuffled(rng, range(8)), pick(rng, "abcdef"), below(rng, 100)) == GOLDEN


GOLDEN = ([6, 5, 0, 4, 1, 2, 7, 3], "f", 31)
