"""What an offline user can say: sentences with slots."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.templates import UtteranceTemplate

names = st.builds(str.__add__, st.sampled_from("abc"), st.text(alphabet="abc_", max_size=4))
slots = st.builds(
    lambda known, name, other: f"{'known:' * known}{name}{other}", st.booleans(), names, st.sampled_from(["", "_2"])
)


def template(text: str) -> UtteranceTemplate:
    return UtteranceTemplate(text=text)


def test_names_its_slots_once_in_the_order_of_their_first_use() -> None:
    assert template("From {place} to {known:place} and {place}, {mood}").slots == ("place", "known:place", "mood")


def test_a_numbered_slot_takes_a_value_of_its_own() -> None:
    assert template("{place} or {place_2}").fill({"place": "here", "place_2": "there"}) == "here or there"


def test_fills_every_slot_each_time_it_stands_there() -> None:
    filled = template("{a} and {known:a} and {a}").fill({"a": "new", "known:a": "old"})
    assert filled == "new and old and new"


def test_a_value_is_never_read_as_a_slot() -> None:
    """What a user or an assistant said may hold braces; it is shown as it is."""
    assert template("Say {a}").fill({"a": "{b} {0} \\1"}) == "Say {b} {0} \\1"


def test_a_slot_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="place"):
        template("To {place}").fill({})


@pytest.mark.parametrize("text", ["{}", "{Big}", "{a b}", "{other:a}", "{a", "{_}", "plain"])
def test_what_only_looks_like_a_slot_stays_as_it_is(text: str) -> None:
    assert template(text).slots == ()
    assert template(text).fill({}) == text


@given(st.lists(slots, max_size=6))
def test_filling_its_own_slots_leaves_none(used: list[str]) -> None:
    sentence = template(" ".join(f"{{{slot}}}" for slot in used))
    assert set(sentence.slots) == set(used)
    assert sentence.fill(dict.fromkeys(used, "x")) == " ".join("x" for _ in used)
