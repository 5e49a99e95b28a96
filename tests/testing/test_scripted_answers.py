"""Answers as values: what each of the ready-made ones sends."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime, timedelta, timezone

import pytest
from pydantic import JsonValue

from hairpin.testing import FakeAnswer, FakeRequest


def request(body: JsonValue = None) -> FakeRequest:
    return FakeRequest("POST", "/v1/chat/completions", "", {}, body, 0.0, number=1)


def sent(answer: FakeAnswer, body: JsonValue = None) -> dict[str, JsonValue]:
    data: dict[str, JsonValue] = json.loads(answer.payload(request(body)))
    return data


def test_a_retry_after_is_seconds_or_a_date() -> None:
    assert FakeAnswer.rate_limited(2).headers == {"Retry-After": "2"}
    assert FakeAnswer.rate_limited(0.5).headers == {"Retry-After": "0.5"}
    moment = datetime(2026, 11, 29, 18, 0, 5, tzinfo=timezone(timedelta(hours=1)))
    assert FakeAnswer.error(503, "busy", retry_after=moment).headers == {"Retry-After": "Sun, 29 Nov 2026 17:00:05 GMT"}
    assert FakeAnswer.rate_limited().headers == {}


def test_a_date_without_a_time_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a time zone"):
        FakeAnswer.rate_limited(datetime(2026, 11, 29, tzinfo=UTC).replace(tzinfo=None))


@pytest.mark.parametrize(
    ("answer", "code"),
    [(FakeAnswer.rate_limited(), "rate_limit_exceeded"), (FakeAnswer.quota_exceeded(), "insufficient_quota")],
)
def test_the_two_kinds_of_429_differ_in_their_code(answer: FakeAnswer, code: str) -> None:
    error = sent(answer)["error"]
    assert isinstance(error, dict)
    assert (answer.status, error["code"]) == (429, code)


@pytest.mark.parametrize("status", [200, 502])
def test_a_web_page_can_stand_where_json_should(status: int) -> None:
    answer = FakeAnswer.html(status, "Sign in")
    assert (answer.status, answer.content_type) == (status, "text/html")
    assert b"<h1>Sign in</h1>" in answer.payload(request())


def test_a_truncated_completion_says_so() -> None:
    assert sent(FakeAnswer.truncated('{"verd'))["choices"] == [
        {"index": 0, "message": {"role": "assistant", "content": '{"verd'}, "finish_reason": "length"}
    ]


def test_a_hanging_answer_waits_for_ever() -> None:
    assert math.isinf(FakeAnswer.hanging().delay_s)


def test_counted_usage_looks_at_texts_and_parts_of_all_messages() -> None:
    messages: JsonValue = [
        {"role": "system", "content": "12345678"},
        {"role": "user", "content": [{"type": "text", "text": "1234"}, {"type": "image_url"}]},
        {"role": "assistant", "content": None},
    ]
    usage = FakeAnswer("1234", usage="counted").usage_for(request({"messages": messages}))
    assert usage == {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4}


def test_what_is_no_completion_has_no_usage() -> None:
    assert FakeAnswer.error(500, "x").usage_for(request()) is None
    assert FakeAnswer(usage=None).usage_for(request()) is None
