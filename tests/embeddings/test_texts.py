from __future__ import annotations

import itertools
import math
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.embeddings.texts import alike_in_length, distinct, is_blank, normalised

any_text = st.text(st.characters(), max_size=30)


def test_spelling_and_spacing_make_no_difference() -> None:
    composed, decomposed = "Zürich  café\n", unicodedata.normalize("NFD", " Zürich café")
    assert normalised(composed) == normalised(decomposed) == "Zürich café"


@given(any_text)
def test_what_is_normalised_stays_as_it_is_and_can_be_written_as_utf_8(text: str) -> None:
    once = normalised(text)
    assert normalised(once) == once
    assert once.encode("utf-8").decode("utf-8") == once


def test_half_a_character_becomes_the_replacement_character() -> None:
    assert normalised("a\ud83db") == "a\ufffdb"


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u200b", "\ufeff \u00a0", "\x00"])
def test_what_cannot_be_seen_is_blank(text: str) -> None:
    assert is_blank(text)
    with pytest.raises(ValueError, match="text 1 of 2 is blank"):
        distinct(["hello", text])


@pytest.mark.parametrize("text", ["a", ".", "🚗", "\u200bа"])
def test_what_can_be_seen_is_not_blank(text: str) -> None:
    assert not is_blank(text)
    assert distinct([text])[1] == [0]


@given(st.lists(any_text.filter(lambda text: not is_blank(text)), max_size=12))
def test_every_text_finds_itself_among_the_distinct_ones(texts: list[str]) -> None:
    unique, where = distinct(texts)
    assert len(set(unique)) == len(unique)
    assert [unique[place] for place in where] == [normalised(text) for text in texts]


def test_one_text_is_not_taken_for_a_sequence_of_characters() -> None:
    with pytest.raises(TypeError, match="put it into a list"):
        distinct("hello")


@given(st.lists(st.integers(1, 300), max_size=60), st.integers(1, 20), st.sampled_from([0, 50, 200, math.inf]))
def test_pieces_hold_every_text_in_order_and_little_padding(lengths: list[int], at_most: int, call_cost: float) -> None:
    texts = ["x" * length for length in sorted(lengths)]
    pieces = list(alike_in_length(texts, at_most, call_cost))
    assert [text for piece in pieces for text in piece] == texts
    for piece in pieces:
        assert 1 <= len(piece) <= at_most
        assert sum(len(piece[-1]) - len(text) for text in piece) <= call_cost
    for piece, following in itertools.pairwise(pieces):
        longer = sum(len(following[0]) - len(text) for text in piece)
        assert len(piece) == at_most or longer > call_cost, "no piece ends without need"
