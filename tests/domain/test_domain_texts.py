"""Texts as encoders see them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.texts import is_blank, normalised


@pytest.mark.parametrize("text", ["", "   ", "\n", "\t", "\u200b", "\u00a0", "\ufeff", "\u2028"])
def test_what_cannot_be_seen_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["0", ".", "👍", "\ud83d", " a "])
def test_what_can_be_seen_is_not_blank(text: str) -> None:
    assert not is_blank(text)


def test_white_space_composition_and_half_characters_make_no_other_text() -> None:
    assert normalised(" Cafe\u0301 \n au  lait\ud83d ") == "Caf\u00e9 au lait\ufffd"


@given(st.text())
def test_a_normalised_text_stays_as_it_is(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)
