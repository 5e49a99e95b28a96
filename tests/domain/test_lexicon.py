from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.lexicon import Signals, Slot, SlotValue, mention_pattern, plain

FRUIT = Slot(
    id="fruit",
    values=(
        SlotValue(value="apple", synonyms=("red apple", "Apfel")),
        SlotValue(value="pear", readings=("green pear", "brown pear")),
    ),
    open_pattern=r"\w+fruit",
)


def signals(*patterns: str) -> Signals:
    return Signals(patterns=tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns))


def test_the_first_match_is_the_earliest_and_of_those_the_longest() -> None:
    found = signals("ab", "b", "abc").first("xx abc")
    assert found is not None
    assert found.group() == "abc"
    assert signals("z").first("xx abc") is None
    assert not signals().found("anything")


def test_typographic_signs_match_plain_patterns_and_spans_stay() -> None:
    text = "I can’t help"
    found = signals("can't").first(text)
    assert found is not None
    assert text[slice(*found.span())] == "can’t"


@given(st.text())
def test_plain_text_is_as_long_as_the_text(text: str) -> None:
    assert len(plain(text)) == len(text)


@pytest.mark.parametrize("text", ["apple", "APPLE", "red  apple", "apfel"])
def test_every_word_for_a_value_stands_for_it(text: str) -> None:
    assert FRUIT.canonical(text) == "apple"


def test_a_value_that_is_not_listed_stands_for_itself() -> None:
    assert FRUIT.canonical(" grape   fruit ") == "grape fruit"


def test_values_are_mentioned_as_whole_words() -> None:
    assert FRUIT.mentioned("A pear, a red apple and an Apfel") == ("pear", "apple")
    assert FRUIT.mentioned("pineapples appear") == ()
    assert FRUIT.mentions("an APFEL.", "apple")
    assert FRUIT.mentions("some jackfruit", "jackfruit")
    assert not FRUIT.mentions("pineapple", "apple")


def test_any_value_is_found_listed_or_not() -> None:
    assert [m.group() for m in FRUIT.finder_of_any.finditer("a red apple or a jackfruit")] == ["red apple", "jackfruit"]


def test_only_ambiguous_values_have_readings() -> None:
    assert FRUIT.readings("pear") == ("green pear", "brown pear")
    assert FRUIT.readings("apple") == FRUIT.readings("unheard of") == ()


def test_a_slot_with_open_values_alone_mentions_none_of_a_list() -> None:
    assert Slot(id="open", open_pattern=r"\d+").mentioned("20") == ()


def test_words_may_be_joined_by_hyphens_or_spaces() -> None:
    assert mention_pattern(("toll road",)).search("a toll-road") is not None
