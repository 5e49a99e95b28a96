from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.agents.offline.text import (
    MAX_QUOTE,
    MAX_READ,
    MAX_SENTENCE,
    NO_ANSWER,
    collapsed,
    content_words,
    options_in,
    overlap,
    pick,
    quote,
    readable,
    sentences,
    shuffled,
    unread,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ("One.", "Two!", "Three?")),
        ("It is 3.5 km to St. Anna. Go on.", ("It is 3.5 km to St. Anna.", "Go on.")),
        ("Options:\n- first\n- second\n\n2) third", ("Options:", "first", "second", "third")),
        ("One; two", ("One", "two")),
        (" \n ", ()),
        ("", ()),
    ],
)
def test_text_is_split_into_sentences_and_list_items(text: str, expected: tuple[str, ...]) -> None:
    assert sentences(text) == expected


@given(st.text())
def test_no_sentence_is_blank_and_all_come_from_the_text(text: str) -> None:
    for sentence in sentences(text):
        assert sentence.strip()
        assert sentence in collapsed(text)


@pytest.mark.parametrize("text", ["word " * 1_000_000, "x" * 5_000_000, "One. " * 10_000, " \n" * 10_000 + "x"])
def test_of_very_long_text_the_beginning_is_read_and_no_sentence_is_longer_than_a_pattern_can_bear(text: str) -> None:
    assert len(readable(text)) <= MAX_READ
    assert len(readable(text)) + unread(text) == len(collapsed(text))
    assert all(len(sentence) <= MAX_SENTENCE for sentence in sentences(text))


def test_white_space_counts_once_and_line_breaks_stay() -> None:
    assert readable(" a \t b\r\n\n  c ") == "a b\nc"
    assert unread("a" + " " * 20_000 + "b") == 0


def test_quotations_are_one_line_cut_when_long_and_speak_of_an_empty_reply() -> None:
    assert quote("two\n  lines") == "“two lines”"
    assert quote("  ") == NO_ANSWER
    assert len(quote("long " * 100)) == MAX_QUOTE + len("“”")


def test_spans_overlap_when_they_share_a_character() -> None:
    assert overlap((0, 3), (2, 5))
    assert not overlap((0, 3), (3, 5))


@given(st.lists(st.integers(), min_size=1), st.integers(), st.text())
def test_choices_depend_on_seed_and_path_alone(items: list[int], rng_seed: int, path: str) -> None:
    assert pick(items, rng_seed, path) == pick(items, rng_seed, path)
    assert pick(items, rng_seed, path) in items
    assert sorted(shuffled(items, rng_seed, path)) == sorted(items)
    assert shuffled(items, rng_seed, path) == shuffled(items, rng_seed, path)


def test_different_seeds_choose_differently() -> None:
    assert len({pick(range(100), rng_seed) for rng_seed in range(20)}) > 10


@pytest.mark.parametrize("text", ["A, B or C", "A, B, or C?", "A or B or C."])
def test_options_are_told_apart(text: str) -> None:
    assert options_in(text) == ("A", "B", "C")


def test_content_words_have_four_letters_or_more() -> None:
    assert content_words("The Interest is HIGH") == {"interest", "high"}
