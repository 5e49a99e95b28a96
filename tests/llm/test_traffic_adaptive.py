"""How many requests an endpoint takes at a time is learnt from how they end."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hairpin.llm.traffic.adaptive import AdaptiveLimit


def fill(slots: AdaptiveLimit) -> None:
    while slots.has_room:
        slots.take()


@given(st.integers(1, 40), st.lists(st.sampled_from(["take", "ok", "wanted", "bad"]), max_size=300))
def test_the_limit_stays_between_one_and_what_the_user_allows(ceiling: int, events: list[str]) -> None:
    slots = AdaptiveLimit(ceiling)
    for event in events:
        if event == "take" and slots.has_room:
            slots.take()
        elif slots.in_flight:
            if event == "bad":
                slots.shrink()
            else:
                slots.grow(wanted=event == "wanted")
            slots.give_back()
        assert 1 <= slots.limit <= ceiling
        assert slots.in_flight <= ceiling


def test_a_burst_that_is_turned_away_as_a_whole_halves_the_limit() -> None:
    slots = AdaptiveLimit(64)
    fill(slots)
    for _ in range(64):
        slots.shrink()
        slots.give_back()
    assert slots.limit == 32


def test_a_round_of_successes_while_slots_are_short_gives_one_more() -> None:
    slots = AdaptiveLimit(64)
    for _ in range(96):
        slots.shrink()
    fill(slots)
    for _ in range(slots.limit + 1):
        slots.grow(wanted=False)
        slots.give_back()
        fill(slots)
    assert slots.limit == 17


def test_successes_prove_nothing_while_most_slots_are_free() -> None:
    slots = AdaptiveLimit(8)
    slots.shrink()
    slots.shrink()
    slots.take()
    for _ in range(100):
        slots.grow(wanted=False)
    assert slots.limit == 7


def test_a_batch_that_ends_at_once_counts_as_a_round_when_others_wait() -> None:
    slots = AdaptiveLimit(8)
    for _ in range(8):
        slots.shrink()
    fill(slots)
    while slots.in_flight:
        slots.grow(wanted=True)
        slots.give_back()
    assert slots.limit == 4
    slots.grow(wanted=True)
    assert slots.limit == 5
