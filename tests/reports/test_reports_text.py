from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.reports.text import display_width, is_blank, one_line, pieces, visible, wrap


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u202eb", "a<U+202E>b"),
        ("\u2066x\u2069", "<U+2066>x<U+2069>"),
        ("\x1b[31mred", "<U+001B>[31mred"),
        ("bell\x07 nul\x00", "bell<U+0007> nul<U+0000>"),
        ("zero\u200bwidth\ufeff", "zero<U+200B>width<U+FEFF>"),
        ("smuggled\U000e0041", "smuggled<U+E0041>"),
        ("half\ud83d", "half<U+D83D>"),
        ("line\u2028end", "line<U+2028>end"),
        ("one\r\ntwo", "one\ntwo"),
        ("over\rwritten", "over<U+000D>written"),
    ],
)
def test_what_a_reader_cannot_see_is_named(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("text", ["Zoë, 客户, 👩‍🔧", "ﬂ → ok", "می‌خواهم", "مرحبا", "a\tb\nc", "e\u0301"])
def test_spelling_is_left_alone(text: str) -> None:
    """Joiners belong to emoji and Persian words; a tab and a line break are seen."""
    assert visible(text) == text


@given(st.text(alphabet=st.characters()))
def test_nothing_invisible_is_left_and_nothing_is_lost(text: str) -> None:
    shown = visible(text)
    left = {char for char in shown if unicodedata.category(char) in ("Cc", "Cs")}
    assert left <= {"\t", "\n"}
    assert "".join(part if seen else chr(int(part[2:], 16)) for part, seen in pieces(text)) == text.replace(
        "\r\n", "\n"
    )


def test_a_blank_reply_says_nothing() -> None:
    assert is_blank("")
    assert is_blank(" \n\t")
    assert not is_blank("0")


def test_one_line_collapses_white_space() -> None:
    assert one_line(" a\n\n b\t\u202e ") == "a b <U+202E>"


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("客户", 4), ("e\u0301", 1), ("", 0)])
def test_width_is_counted_in_columns(text: str, columns: int) -> None:
    assert display_width(text) == columns


def test_lines_are_wrapped_under_their_prefix() -> None:
    assert wrap("one two three four", width=14, first="user  ", rest="      ") == [
        "user  one two",
        "      three",
        "      four",
    ]


def test_line_breaks_and_indentation_are_kept() -> None:
    assert wrap("a:\n\n  - b\n  - c", width=20, first="> ", rest="  ") == ["> a:", "  ", "    - b", "    - c"]


def test_long_words_are_cut() -> None:
    assert wrap("x" * 20, width=10, first="", rest="") == ["x" * 10, "x" * 10]


@given(st.text(alphabet=st.characters(codec="utf-8")), st.integers(12, 60))
def test_no_line_is_wider_than_asked_and_no_letter_is_lost(text: str, width: int) -> None:
    lines = wrap(text, width=width, first="> ", rest="  ")
    assert all(display_width(line) <= width for line in lines)
    assert "".join("".join(line[2:].split()) for line in lines) == "".join(visible(text).split())
