from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from hairpin.domain.state_changes import StateChange, state_changes

BEFORE: dict[str, JsonValue] = {"stops": ["A"], "car": {"heat": 20, "seat": {"on": False}}, "route": None, "old": 1}
NOW: dict[str, JsonValue] = {
    "stops": ["A", "B"],
    "car": {"heat": 22, "seat": {"on": True}},
    "route": {"km": 3},
    "new": 2,
}


def test_changes_are_told_value_by_value_and_lists_as_wholes() -> None:
    assert state_changes(BEFORE, NOW) == (
        StateChange(path="stops", before=["A"], now=["A", "B"]),
        StateChange(path="car.heat", before=20, now=22),
        StateChange(path="car.seat.on", before=False, now=True),
        StateChange(path="route", before=None, now={"km": 3}),
        StateChange(path="new", now=2, known_before=False),
        StateChange(path="old", before=1, known=False),
    )


def test_true_is_not_one() -> None:
    assert [change.now for change in state_changes({"on": 1}, {"on": True})] == [True]
    assert state_changes({"on": 1}, {"on": 1.0}) == ()


def test_nothing_is_known_of_changes_where_no_state_was_told() -> None:
    assert state_changes(None, NOW) == state_changes(NOW, None) == state_changes(None, None) == ()


leaves = st.none() | st.booleans() | st.integers(0, 3) | st.text(max_size=2)
states = st.recursive(
    st.dictionaries(st.sampled_from("abc"), leaves, max_size=3),
    lambda inner: st.dictionaries(st.sampled_from("abc"), leaves | inner, max_size=3),
    max_leaves=6,
)


@given(states)
def test_a_state_does_not_differ_from_itself(state: dict[str, JsonValue]) -> None:
    assert state_changes(state, state) == ()


@given(states, states)
def test_what_comes_is_what_went_the_other_way(one: dict[str, JsonValue], two: dict[str, JsonValue]) -> None:
    there = {(c.path, repr(c.before), repr(c.now), c.known_before, c.known) for c in state_changes(one, two)}
    back = {(c.path, repr(c.now), repr(c.before), c.known, c.known_before) for c in state_changes(two, one)}
    assert there == back
