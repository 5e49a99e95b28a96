from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.metamorphic.question_words import is_manner, subject_length, tensed, tokens_of


@pytest.mark.parametrize(
    ("question", "tokens"),
    [
        ("And what's it’s name?", ["what", "is", "its", "name"]),
        ("So, who is he >", ["who", "is", "he"]),
        ("and", ["and"]),
        ("On June 20, 1695?", ["On", "June", "20", "1695"]),
    ],
)
def test_tokens(question: str, tokens: list[str]) -> None:
    assert tokens_of(question) == tokens


@pytest.mark.parametrize(
    ("words", "after_be", "length"),
    [
        ("he go home", False, 1),
        ("he", True, 1),
        ("Ada Lovelace write", False, 2),
        ("the Duke of York write", False, 4),
        ("Duke of York write", False, 3),
        ("the old man ask", False, 3),
        ("Ada's old dog want", False, 3),
        ("the largest city in Peru", True, 3),
        ("the ship sunk", True, None),
        ("the house built", True, 2),
        ("go", False, None),
        ("the", False, None),
        ("", False, None),
    ],
)
def test_where_a_subject_ends(words: str, after_be: bool, length: int | None) -> None:
    assert subject_length(words.split(), after_be=after_be) == length


@given(st.lists(st.text(min_size=1, max_size=8), max_size=8), st.booleans())
def test_a_subject_is_never_longer_than_what_there_is(words: list[str], after_be: bool) -> None:
    length = subject_length(words, after_be=after_be)
    assert length is None or 1 <= length <= len(words)


def test_finite_verbs_and_adverbs() -> None:
    assert tensed("wrote") == ("did", "write")
    assert tensed("lives") == ("does", "live")
    assert tensed("put") is None
    assert tensed("blue") is None
    assert is_manner("quickly")
    assert not is_manner("family")
    assert not is_manner("Italy")
