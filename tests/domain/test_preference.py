"""What a conversation prefers narrows what its strategist may choose, and never leaves it with nothing."""

from __future__ import annotations

import pytest

from hairpin.domain.preference import Preference
from hairpin.domain.strategies import Strategy

POOL = tuple(Strategy(id=name, title=name, target_mode=f"mode of {name}") for name in "abcd")


def test_preferred_strategies_are_offered_first_and_in_the_order_of_preference() -> None:
    assert [s.id for s in Preference(strategies=("c", "a")).among(POOL)] == ["c", "a"]


@pytest.mark.parametrize("preferred", [(), ("x",), ("c", "x")])
def test_where_none_of_them_is_available_the_rest_is_offered(preferred: tuple[str, ...]) -> None:
    available = POOL[:2]
    assert Preference(strategies=preferred).among(available) == available


def test_nothing_is_offered_where_nothing_is_available() -> None:
    assert Preference(strategies=("a",)).among(()) == ()
