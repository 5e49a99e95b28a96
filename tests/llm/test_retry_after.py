"""What a server says about coming back later, understood or ignored, never guessed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.llm.retry_after import retry_after_s

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after": "86400"}, 86400.0),
        ({"retry-after": "Sun, 29 Nov 2026 12:00:05 GMT"}, 5.0),
        ({"retry-after": "Sun, 29 Nov 2026 11:59:00 GMT"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"x-ms-retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "2"}, 2.0),
    ],
)
def test_seconds_dates_and_milliseconds_are_understood(headers: dict[str, str], seconds: float) -> None:
    assert retry_after_s(headers, "", now=NOW) == seconds


@pytest.mark.parametrize("value", ["soon", "", "-5", "nan", "inf", "1e999", "Sun, 99 Foo 2026", "later, at 5"])
def test_what_is_not_intelligible_is_unknown(value: str) -> None:
    assert retry_after_s({"retry-after": value}, "", now=NOW) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Rate limit reached. Please try again in 6.5s. Visit …", 6.5),
        ("Please retry after 12 seconds.", 12.0),
        ("Please try again in 20ms.", 0.02),
        ("Please try again in 1m30s", 90.0),
        ("Please retry in 34.074824224s.", 34.074824224),
        ("try again later", None),
        ("Limit 3 requests per minute.", None),
    ],
)
def test_without_a_header_the_message_is_read(text: str, seconds: float | None) -> None:
    assert retry_after_s({}, text, now=NOW) == seconds


def test_a_header_counts_more_than_the_message() -> None:
    assert retry_after_s({"retry-after": "3"}, "try again in 60s", now=NOW) == 3.0


@given(st.integers(0, 10**6))
def test_a_date_means_the_time_until_then(seconds: int) -> None:
    date = format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)
    assert retry_after_s({"retry-after": date}, "", now=NOW) == seconds


@given(st.text(), st.text())
def test_nothing_that_a_server_sends_raises(header: str, text: str) -> None:
    seconds = retry_after_s({"retry-after": header, "retry-after-ms": header}, text, now=NOW)
    assert seconds is None or seconds >= 0
