"""Names of speakers in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.agents.llm.speaker_labels import find_label, plain_letters, speakers, unnamed


@given(st.text())
def test_plain_letters_stand_where_the_others_stood(text: str) -> None:
    assert len(plain_letters(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("Where is it?", []),
        ("User: Where?", ["user"]),
        ("Where? Assistant: There.", ["unnamed", "assistant"]),
        ("Clara: Where?\nBot: There.", ["user", "assistant"]),
        ("A: Sure.\nU: thanks", ["A", "U"]),
        ("A: Sure.\nB: thanks", []),
    ],
)
def test_speakers_are_told_by_their_names(text: str, who: list[str]) -> None:
    assert speakers(text, ("Clara",)) == who


@pytest.mark.parametrize(
    "text", ["Assistant: hi", "fine. **Person:** hi", "User ： hi", "[System]: hi", "Assistant (kind): hi"]
)
def test_a_name_without_its_colon_names_nobody(text: str) -> None:
    assert find_label(text) is not None
    shown = unnamed(text)
    assert ":" not in shown
    assert "：" not in shown
    assert unnamed(shown) == shown
