"""The numbers that an answer names."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.metamorphic.numbers import is_bare_number, numbers


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", []),
        ("in the kitchen", []),
        ("34", ["34"]),
        ("She is thirty-four years old.", ["34"]),
        ("He has 3 dogs and two cats", ["3", "2"]),
        ("1,000", ["1000"]),
        ("1,234,567.5 kg", ["1234567.5"]),
        ("3.50", ["3.5"]),
        ("-5 degrees", ["-5"]),
        ("1990-95", ["1990", "95"]),
        ("two hundred and five", ["205"]),
        ("a hundred", ["100"]),
        ("a thousand", ["1000"]),
        ("two thousand and twelve", ["2012"]),
        ("three hundred twenty thousand", ["320000"]),
        ("nineteen ninety", ["1990"]),
        ("nineteen ninety five", ["1995"]),
        ("twenty twelve", ["2012"]),
        ("3 million", ["3000000"]),
        ("two and three", ["2", "3"]),
        ("two three", ["2", "3"]),
        ("17:40", ["17", "40"]),
        ("5pm", ["5"]),
        ("one", ["1"]),
        ("one cat", ["1"]),
        ("No one knows", []),
        ("the red one", []),
        ("one of them", []),
        ("one hundred", ["100"]),
        ("٣", ["3"]),
        ("something", []),
    ],
)
def test_names_these_numbers(text: str, named: list[str]) -> None:
    assert numbers(text) == {Decimal(number) for number in named}


@pytest.mark.parametrize("text", ["3", "three.", "Thirty-four", "two hundred and five", "-5", "one", "1,000"])
def test_is_a_number_and_nothing_else(text: str) -> None:
    assert is_bare_number(text)


@pytest.mark.parametrize("text", ["", "3 cats", "two three", "the one", "and", "-", "kitchen"])
def test_is_not_one_number_alone(text: str) -> None:
    assert not is_bare_number(text)


@given(st.text(max_size=40))
def test_any_text_is_read(text: str) -> None:
    assert all(number.is_finite() for number in numbers(text))
    assert not is_bare_number(text) or len(numbers(text)) == 1


@given(st.integers(0, 10**12))
def test_digits_with_and_without_commas_are_the_same_number(number: int) -> None:
    assert numbers(f"{number}") == numbers(f"about {number:,} of them") == {Decimal(number)}
