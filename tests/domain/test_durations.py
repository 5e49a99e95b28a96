"""Durations as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.durations import duration_text, parse_duration
from hairpin.errors import InvalidInputError


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90),
        ("15m", 900),
        ("4h", 14400),
        ("1h30m", 5400),
        ("1h 30m 5s", 5405),
        ("1.5h", 5400),
        (" 4H ", 14400),
        ("600", 600),
        ("0.5", 0.5),
        ("0h1s", 1),
    ],
)
def test_a_duration_is_read_as_seconds(text: str, seconds: float) -> None:
    assert parse_duration(text, where="--time") == seconds


@pytest.mark.parametrize(
    "text", ["", "0", "0s", "0h0m", "-5", "-1h", "4 hours", "30m1h", "1d", "1e3", "nan", "9" * 400]
)
def test_what_is_no_duration_is_refused_with_the_way_out(text: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        parse_duration(text, where="--time")
    assert str(caught.value).startswith(f"--time: must be a duration above 0, not {text!r}; write it like 90s, 15m")


@given(st.integers(1, 10**7))
def test_a_written_duration_reads_back(seconds: int) -> None:
    assert parse_duration(duration_text(seconds), where="test") == seconds


def test_durations_are_written_shortly() -> None:
    assert [duration_text(seconds) for seconds in (90, 900, 14400, 5400)] == ["90s", "15m", "4h", "1h30m"]
