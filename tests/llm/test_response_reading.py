"""Answers as servers give them, and the completion or the typed error that each one is."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.llm_calls import CallOutcome, TokenCounts
from hairpin.llm.completion import CallError, Completion
from hairpin.llm.response_reading import AnswerReader, HttpAnswer, RefusedRequestError
from hairpin.sut.redaction import Redactor

KEY = "sk-test-000111"


class StoppedClock:
    def monotonic(self) -> float:
        return 0.0

    def now(self) -> datetime:
        return datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


READER = AnswerReader(redactor=Redactor([KEY], spoken=[KEY]), clock=StoppedClock(), key_variable="OPENAI_API_KEY")


def read(body: object, *, status: int = 200, headers: dict[str, str] | None = None) -> Completion:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return READER.read(HttpAnswer(status=status, headers=headers or {}, body=raw), sent=("temperature",))


def error_of(body: object, *, status: int = 200, headers: dict[str, str] | None = None) -> CallError:
    with pytest.raises(CallError) as caught:
        read(body, status=status, headers=headers)
    return caught.value


def tried(body: object, *, status: int = 200) -> Completion | CallError:
    try:
        return read(body, status=status)
    except CallError as error:
        return error


def answer(content: object = "Hello.", *, finish_reason: str | None = "stop", usage: object = None, **more: Any) -> Any:
    message = {"role": "assistant", "content": content, **more}
    return {"choices": [{"index": 0, "message": message, "finish_reason": finish_reason}], "usage": usage}


def test_a_completion_is_text_and_how_it_ended() -> None:
    assert read(answer()) == Completion(text="Hello.", finish_reason="stop")


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_thoughts_that_come_apart_stay_apart(field: str) -> None:
    draft = 'Maybe {"verdict": "fail"}?'
    completion = read(answer('{"verdict": "pass"}', **{field: draft}))
    assert (completion.text, completion.reasoning) == ('{"verdict": "pass"}', draft)


def test_content_in_parts_is_joined_and_thoughts_among_them_stay_apart() -> None:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}
    completion = read(answer([thinking, {"type": "text", "text": "Yes"}, {"type": "text", "text": "."}]))
    assert (completion.text, completion.reasoning) == ("Yes.", "Hm.")


def test_text_that_no_encoding_can_carry_is_replaced() -> None:
    assert read(rb'{"choices":[{"message":{"content":"a\ud83db"}}]}').text == "a\ufffdb"


@pytest.mark.parametrize("finish_reason", [None, "stop", "eos", "end_turn", "STOP"])
def test_an_answer_that_ended_well_is_taken_however_the_server_calls_it(finish_reason: str | None) -> None:
    assert read(answer(finish_reason=finish_reason)).text == "Hello."


@pytest.mark.parametrize("finish_reason", ["length", "max_tokens", "MAX_TOKENS", "model_length"])
def test_an_answer_cut_off_keeps_its_text_and_tokens_and_is_never_an_answer(finish_reason: str) -> None:
    half = '{"verdict": "pass", "score": 0.8, "reason": "The agent asked for the order numb'
    usage = {"prompt_tokens": 900, "completion_tokens": 64}
    error = error_of(answer(half, finish_reason=finish_reason, usage=usage))
    assert (error.outcome, error.answer) == (CallOutcome.TRUNCATED, half)
    assert error.tokens == TokenCounts(prompt_tokens=900, completion_tokens=64)
    assert "64 tokens" in error.detail


def test_a_model_that_spent_its_whole_cap_on_thinking_is_cut_off_not_empty() -> None:
    error = error_of(answer(None, finish_reason="length", reasoning_content="Let me see"))
    assert (error.outcome, error.answer) == (CallOutcome.TRUNCATED, "Let me see")


@pytest.mark.parametrize("content", [None, ""])
def test_a_refusal_is_its_own_outcome_with_its_words(content: str | None) -> None:
    error = error_of(answer(content, refusal="I can't assess this conversation."))
    assert error.outcome is CallOutcome.REFUSED
    assert error.answer == error.detail == "I can't assess this conversation."


def test_a_refusal_may_be_a_part_or_a_reason_to_finish() -> None:
    part = error_of(answer([{"type": "refusal", "refusal": "No."}]))
    reason = error_of(answer("I will not.", finish_reason="refusal"))
    assert (part.outcome, part.answer) == (CallOutcome.REFUSED, "No.")
    assert (reason.outcome, reason.answer) == (CallOutcome.REFUSED, "I will not.")


@pytest.mark.parametrize("refusal", [None, "", "  "])
def test_an_empty_refusal_is_none(refusal: str | None) -> None:
    assert read(answer(refusal=refusal)).text == "Hello."


@pytest.mark.parametrize("finish_reason", ["content_filter", "SAFETY", "PROHIBITED_CONTENT", "sensitive"])
def test_a_filtered_answer_is_its_own_outcome(finish_reason: str) -> None:
    error = error_of(answer("I was ab", finish_reason=finish_reason))
    assert (error.outcome, error.answer) == (CallOutcome.CONTENT_FILTERED, "I was ab")


@pytest.mark.parametrize("finish_reason", ["error", "abort", "insufficient_system_resource"])
def test_an_answer_that_the_server_broke_off_may_be_asked_for_again(finish_reason: str) -> None:
    assert error_of(answer("I", finish_reason=finish_reason)).outcome.is_transient


@pytest.mark.parametrize(
    "body",
    [
        {"choices": []},
        {"choices": None, "usage": None},
        {},
        {"choices": "none"},
        {"choices": [None]},
        {"choices": [{"finish_reason": "stop"}]},
        {"choices": [{"message": None}]},
        answer(None),
        answer(""),
        answer(" \n\t"),
        answer([]),
        answer(5),
        answer(None, tool_calls=[{"id": "1", "function": {"name": "f"}}]),
    ],
)
def test_an_answer_without_text_is_empty(body: object) -> None:
    assert error_of(body).outcome is CallOutcome.EMPTY


def test_thoughts_without_an_answer_are_kept_but_are_no_answer() -> None:
    error = error_of(answer(None, reasoning_content='{"verdict": "fail"}'))
    assert (error.outcome, error.answer) == (CallOutcome.EMPTY, '{"verdict": "fail"}')


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"<!DOCTYPE html><html><head><title>Sign  in</title></head></html>", "a page titled 'Sign in'"),
        (b"", "nothing"),
        (b"upstream connect error", "upstream connect error"),
        (b'{"choices": [{"message": {"content": "Hel', "Hel"),
        (b'data: {"choices": []}\n\ndata: [DONE]', "data:"),
        (b"[]", "[]"),
        (b"\xff\xfe", "\ufffd"),
        (b"[" * 100_000, "[[["),
    ],
)
def test_what_is_no_json_object_is_said_to_be_what_it_is(body: bytes, said: str) -> None:
    error = error_of(body)
    assert error.outcome is CallOutcome.NOT_JSON
    assert said in error.detail
    assert "\n" not in error.detail
    assert len(error.detail) <= 300


def test_a_redirect_names_the_way_out() -> None:
    error = error_of(b"", status=308)
    assert error.outcome is CallOutcome.REJECTED
    assert "base_url" in error.detail


def test_an_error_inside_a_200_keeps_the_providers_words_and_how_long_to_wait() -> None:
    body = {"id": None, "choices": None, "usage": None, "error": {"code": 429, "message": "upstream busy"}}
    error = error_of(body, headers={"retry-after": "7"})
    assert (error.outcome, error.retry_after_s) == (CallOutcome.RATE_LIMITED, 7.0)
    assert error.detail == "an error inside status 200: upstream busy"


def test_only_an_error_that_may_pass_says_how_long_to_wait() -> None:
    busy = error_of({"error": {"message": "x"}}, status=503, headers={"retry-after": "Sun, 29 Nov 2026 12:00:05 GMT"})
    out_of_money = error_of({"error": {"code": "insufficient_quota"}}, status=429, headers={"retry-after": "7"})
    assert (busy.outcome, busy.retry_after_s) == (CallOutcome.OVERLOADED, 5.0)
    assert (out_of_money.outcome, out_of_money.retry_after_s) == (CallOutcome.QUOTA_EXCEEDED, None)


def test_a_refused_key_names_the_variable_and_never_the_key() -> None:
    error = error_of({"error": {"message": f"Incorrect API key provided: {KEY}."}}, status=401)
    assert error.outcome is CallOutcome.UNAUTHORISED
    assert "OPENAI_API_KEY" in error.detail
    assert KEY not in error.detail + str(error) + repr(vars(error))


def test_a_refused_parameter_comes_with_all_the_words_and_no_key() -> None:
    words = "Unsupported parameter: 'temperature'. " + "x" * 400 + KEY
    error = error_of({"error": {"message": words}}, status=400)
    assert isinstance(error, RefusedRequestError)
    assert (error.outcome, error.parameter) == (CallOutcome.UNSUPPORTED, "temperature")
    assert error.words == words.replace(KEY, "***")
    assert len(error.detail) <= 300


@pytest.mark.parametrize(
    "body", [answer(f"It is {KEY}."), answer(None, refusal=f"It is {KEY}."), answer(None, reasoning=f"It is {KEY}.")]
)
def test_a_key_that_a_server_repeats_is_masked_wherever_it_says_it(body: object) -> None:
    came = tried(body)
    said = came.text if isinstance(came, Completion) else came.answer
    assert KEY not in repr(vars(came))
    assert said == "It is ***."


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        (None, TokenCounts()),
        ({}, TokenCounts()),
        ("many", TokenCounts()),
        ({"prompt_tokens": 0, "completion_tokens": 0}, TokenCounts(prompt_tokens=0, completion_tokens=0)),
        ({"prompt_tokens": 7.0, "completion_tokens": None}, TokenCounts(prompt_tokens=7)),
        ({"prompt_tokens": -1, "completion_tokens": True}, TokenCounts()),
        ({"input_tokens": 3, "output_tokens": 4}, TokenCounts(prompt_tokens=3, completion_tokens=4)),
        (
            {
                "prompt_tokens": 100,
                "completion_tokens": 50,
                "prompt_tokens_details": {"cached_tokens": 64},
                "completion_tokens_details": {"reasoning_tokens": 40},
            },
            TokenCounts(prompt_tokens=100, completion_tokens=50, cached_prompt_tokens=64, reasoning_tokens=40),
        ),
        (
            {"prompt_tokens": 9, "completion_tokens": 1, "prompt_cache_hit_tokens": 8},
            TokenCounts(prompt_tokens=9, completion_tokens=1, cached_prompt_tokens=8),
        ),
        ({"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 6}}, TokenCounts(prompt_tokens=5)),
    ],
)
def test_tokens_are_what_the_server_reports_and_unknown_otherwise(usage: object, tokens: TokenCounts) -> None:
    assert read(answer(usage=usage)).tokens == tokens


def test_llama_cpp_says_elsewhere_what_its_cache_served() -> None:
    body = {**answer(usage={"prompt_tokens": 20, "completion_tokens": 1}), "timings": {"cache_n": 15}}
    assert read(body).tokens.cached_prompt_tokens == 15


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "message", "content", "refusal", "error", "finish_reason", "usage", "text", "type"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(st.sampled_from([200, 302, 400, 401, 429, 500]), JSON | st.binary())
def test_any_body_is_a_completion_with_text_or_a_typed_error(status: int, body: object) -> None:
    came = tried(body, status=status)
    if isinstance(came, Completion):
        assert status == 200
        assert came.text.strip()
    else:
        assert came.outcome is not CallOutcome.OK
        assert came.detail


@pytest.mark.parametrize(
    ("body", "hinted"),
    [
        (b"404 page not found", True),
        ({"detail": "Not Found"}, True),
        ({"error": {"message": "The model `m` does not exist", "code": "model_not_found"}}, False),
        ({"error": {"message": "no such thing", "param": "model"}}, False),
    ],
)
def test_where_nothing_is_found_the_address_is_doubted_unless_it_is_the_model(body: object, hinted: bool) -> None:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    reader = AnswerReader(redactor=Redactor([]), clock=StoppedClock(), named_by_user=True)
    with pytest.raises(CallError) as caught:
        reader.read(HttpAnswer(status=404, headers={}, body=raw), sent=())
    assert caught.value.detail.endswith("(is base_url right? it usually ends in /v1)") is hinted
    assert "base_url" not in error_of(body, status=404).detail, "the address was not the user's to write"
