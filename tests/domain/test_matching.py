"""Places and items: everybody stands somewhere, and as few as possible where they should not."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.matching import match_places

matchings = st.integers(1, 5).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
        st.lists(st.frozensets(st.integers(0, 2)), min_size=n, max_size=n),
    )
)


def n_misplaced(places: list[int], refused: list[frozenset[int]], items: tuple[int, ...]) -> int:
    return sum(place in refused[item] for place, item in zip(places, items, strict=True))


@given(matchings)
def test_no_other_order_misplaces_fewer(given_: tuple[list[int], list[frozenset[int]]]) -> None:
    places, refused = given_
    found = match_places(places, refused)
    assert sorted(found) == list(range(len(places)))
    best = min(n_misplaced(places, refused, order) for order in permutations(range(len(places))))
    assert n_misplaced(places, refused, tuple(found)) == best


def test_an_item_moves_on_to_make_room() -> None:
    assert match_places(["a", "b"], [set(), {"b"}]) == [1, 0]


def test_nothing_to_match_is_no_match() -> None:
    assert match_places([], []) == []
