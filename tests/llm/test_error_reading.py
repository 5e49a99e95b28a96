"""Errors as providers word them, and the outcome that each one is."""

from __future__ import annotations

import json
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.llm_calls import CallOutcome
from hairpin.llm.error_reading import read_error
from hairpin.llm.provider_error import error_within, provider_error

SENT = ("temperature", "max_tokens", "response_format", "reasoning_effort", "stop", "n_probs")

Is: Final = CallOutcome


def outcome_of(status: int, body: object) -> tuple[CallOutcome, str | None]:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return read_error(provider_error(status, raw), SENT)


def openai(
    message: str, *, code: str | None = None, type_: str = "invalid_request_error", param: str | None = None
) -> dict[str, object]:
    return {"error": {"message": message, "type": type_, "param": param, "code": code}}


MUST_SAY_JSON = "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
HTML = b"<html><head><title>502 Bad Gateway</title></head><body>quota billing context length</body></html>"


@pytest.mark.parametrize(
    ("status", "body", "outcome"),
    [
        (429, openai("Rate limit reached for gpt-4o", code="rate_limit_exceeded", type_="requests"), Is.RATE_LIMITED),
        (429, b"", Is.RATE_LIMITED),
        (429, b"<html><title>Too Many Requests</title></html>", Is.RATE_LIMITED),
        (429, {"message": "Too many tokens, please wait before trying again."}, Is.RATE_LIMITED),
        (429, {"statusCode": 429, "message": "Rate limit is exceeded. Try again in 2 seconds."}, Is.RATE_LIMITED),
        (
            429,
            [
                {
                    "error": {
                        "code": 429,
                        "message": "You exceeded your current quota. Please retry in 34.07s.",
                        "status": "RESOURCE_EXHAUSTED",
                    }
                }
            ],
            Is.RATE_LIMITED,
        ),
        (429, openai("You exceeded your current quota", code="insufficient_quota"), Is.QUOTA_EXCEEDED),
        (429, openai("You exceeded your current quota", type_="insufficient_quota"), Is.QUOTA_EXCEEDED),
        (429, openai("Billing hard limit has been reached", code="billing_hard_limit_reached"), Is.QUOTA_EXCEEDED),
        (402, openai("Insufficient Balance"), Is.QUOTA_EXCEEDED),
        (402, {"error": {"code": 402, "message": "This request requires more credits"}}, Is.QUOTA_EXCEEDED),
        (400, {"type": "error", "error": {"message": "Your credit balance is too low"}}, Is.QUOTA_EXCEEDED),
        (
            429,
            openai("Request too large for gpt-4o on tokens per min: Limit 30000", code="rate_limit_exceeded"),
            Is.CONTEXT_EXCEEDED,
        ),
        (401, openai("Incorrect API key provided", code="invalid_api_key"), Is.UNAUTHORISED),
        (401, b"Unauthorized", Is.UNAUTHORISED),
        (401, {"error": {"code": "401", "message": "Access denied due to invalid subscription key"}}, Is.UNAUTHORISED),
        (
            400,
            [{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key."}}],
            Is.UNAUTHORISED,
        ),
        (403, openai("You are not allowed to sample from this"), Is.UNAUTHORISED),
        (403, b"<html><title>Just a moment...</title></html>", Is.REJECTED),
        (403, openai("Project does not have access to model `gpt-9`", code="model_not_found"), Is.REJECTED),
        (
            403,
            {"error": {"code": 403, "message": "Your chosen model requires moderation and your input was flagged"}},
            Is.CONTENT_FILTERED,
        ),
        (404, openai("The model `gpt-9` does not exist", code="model_not_found"), Is.REJECTED),
        (404, {"error": 'model "qwen" not found, try pulling it first'}, Is.REJECTED),
        (404, {"detail": "Not Found"}, Is.REJECTED),
        (404, {"error": {"code": "DeploymentNotFound", "message": "The API deployment does not exist"}}, Is.REJECTED),
        (500, openai("The server had an error", type_="server_error"), Is.OVERLOADED),
        (500, b"Internal Server Error", Is.OVERLOADED),
        (502, HTML, Is.OVERLOADED),
        (503, {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}, Is.OVERLOADED),
        (529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, Is.OVERLOADED),
        (409, b"", Is.OVERLOADED),
        (425, b"", Is.OVERLOADED),
        (408, b"", Is.TIMED_OUT),
        (504, HTML, Is.TIMED_OUT),
        (524, b"", Is.TIMED_OUT),
        (501, {"error": "no"}, Is.REJECTED),
        (400, HTML, Is.REJECTED),
        (400, openai("messages: at least one message is required"), Is.REJECTED),
        (422, {"detail": [{"loc": ["body", "messages", 0], "msg": "field required"}]}, Is.REJECTED),
        (400, openai("We could not parse the JSON body of your request"), Is.REJECTED),
        (413, b"", Is.CONTEXT_EXCEEDED),
    ],
)
def test_each_way_of_putting_an_error_is_understood(status: int, body: object, outcome: CallOutcome) -> None:
    assert outcome_of(status, body) == (outcome, None)


@pytest.mark.parametrize(
    ("status", "message", "code"),
    [
        (400, "too many tokens: 9012 > 8192", "context_length_exceeded"),
        (400, "This model's maximum context length is 8192 tokens. However, you requested 9000 max_tokens", None),
        (400, "This model's maximum context length is 4096 tokens. Please reduce the length of the messages", None),
        (400, "the request exceeds the available context size, try increasing it", "exceed_context_size_error"),
        (500, "the request exceeds the available context size. try increasing the context size", None),
        (400, "prompt is too long: 213201 tokens > 200000 maximum", None),
        (400, "Input length 9000 exceeds maximum length 8192", None),
        (400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", None),
        (400, "'max_tokens' is too large: 500. This model's maximum context length is 4096 tokens", None),
        (400, "Requested token count exceeds the model's maximum context length of 32768 tokens", None),
        (422, "`inputs` tokens + `max_new_tokens` must be <= 4096: the prompt is too long", None),
        (400, "Context size has been exceeded.", None),
        (413, "Request too large", None),
    ],
)
def test_a_prompt_that_outgrew_the_context_is_known_in_many_words(status: int, message: str, code: str | None) -> None:
    assert outcome_of(status, openai(message, code=code)) == (Is.CONTEXT_EXCEEDED, None)


@pytest.mark.parametrize(
    "error",
    [
        {
            "code": "content_filter",
            "message": "The response was filtered due to the prompt triggering Azure OpenAI's policy",
            "innererror": {"code": "ResponsibleAIPolicyViolation", "content_filter_result": {}},
        },
        {"code": None, "message": "x", "innererror": {"code": "ResponsibleAIPolicyViolation"}},
        {"code": "content_policy_violation", "message": "Your request was rejected"},
        {"code": "data_inspection_failed", "message": "Input data may contain inappropriate content."},
        {"message": "The prompt triggered our content management policy."},
    ],
)
def test_a_filtered_prompt_is_known_in_many_words(error: dict[str, object]) -> None:
    assert outcome_of(400, {"error": error}) == (Is.CONTENT_FILTERED, None)


@pytest.mark.parametrize(
    ("status", "body", "parameter"),
    [
        (400, openai("Unsupported value: temperature", param="temperature", code="unsupported_value"), "temperature"),
        (400, openai("Unsupported parameter: 'temperature' is not supported with this model."), "temperature"),
        (400, openai("Unsupported value: temperature"), "temperature"),
        (400, openai("Unrecognized request argument supplied: reasoning_effort"), "reasoning_effort"),
        (400, openai("property 'reasoning_effort' is unsupported"), "reasoning_effort"),
        (400, openai("Unknown parameter: 'stop'.", param="stop", code="unknown_parameter"), "stop"),
        (422, {"detail": [{"type": "extra_forbidden", "loc": ["body", "n_probs"], "msg": "Extra inputs"}]}, "n_probs"),
        (400, openai("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."), "max_tokens"),
        (400, openai("Invalid schema", param="response_format"), "response_format"),
        (400, openai("bad", param="response_format.json_schema.schema"), "response_format"),
        (400, openai("'response_format' of type 'json_schema' is not supported"), "response_format"),
        (400, openai("This response_format type is unavailable now"), "response_format"),
        (400, openai("'response_format.type' must be 'json_schema' or 'text'"), "response_format"),
        (400, openai("Structured outputs are not supported by this model"), "response_format"),
        (400, openai(MUST_SAY_JSON, param="messages"), "response_format"),
        (400, {"error": {"code": 400, "message": "Failed to parse grammar"}}, "response_format"),
        (500, {"error": {"code": 500, "message": "JSON schema conversion failed"}}, "response_format"),
        (400, openai("System role not supported"), "messages"),
        (400, openai("Developer instruction is not enabled for models/gemma-3", param=None), "messages"),
        (400, openai("Only user and assistant roles are supported!"), "messages"),
        (400, openai("Conversation roles must alternate user/assistant/user/assistant/..."), "messages"),
        (500, {"error": {"code": 500, "message": "roles must alternate user and assistant"}}, "messages"),
        (400, openai("System message must be at the beginning."), "messages"),
    ],
)
def test_the_parameter_that_is_refused_is_found(status: int, body: object, parameter: str) -> None:
    assert outcome_of(status, body) == (Is.UNSUPPORTED, parameter)


def test_a_parameter_that_was_not_sent_is_not_blamed() -> None:
    assert outcome_of(400, openai("Unsupported parameter: 'logit_bias'", param="logit_bias")) == (Is.REJECTED, None)


def test_a_word_of_the_message_is_not_taken_for_a_parameter_of_that_name() -> None:
    assert outcome_of(400, openai("invalid request, please stop")) == (Is.REJECTED, None)


def test_json_that_the_model_failed_to_write_is_the_models_answer() -> None:
    error = provider_error(
        400,
        b'{"error":{"message":"No JSON.","code":"json_validate_failed","failed_generation":"{\\"a\\":"}}',
    )
    assert read_error(error, SENT) == (Is.INVALID_ANSWER, None)
    assert error.failed_answer == '{"a":'


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ({"choices": None, "usage": None, "error": {"code": 429, "message": "upstream busy"}}, Is.RATE_LIMITED),
        ({"choices": [], "error": {"code": "503", "message": "no capacity"}}, Is.OVERLOADED),
        ({"choices": [{"error": {"code": 502, "message": "Provider returned error"}}]}, Is.OVERLOADED),
        ({"error": {"message": "boom", "type": "server_error"}}, Is.OVERLOADED),
        ({"error": {"code": 400, "message": "bad"}}, Is.REJECTED),
        ({"error": "something else"}, Is.REJECTED),
        ({"error": {"code": 401, "message": "No auth credentials found"}}, Is.UNAUTHORISED),
    ],
)
def test_an_error_inside_a_200_is_what_it_says(body: dict[str, object], outcome: CallOutcome) -> None:
    error = error_within(json.loads(json.dumps(body)))
    assert error is not None
    assert read_error(error, SENT) == (outcome, None)


def test_the_words_of_a_relayed_provider_are_kept() -> None:
    body = {"error": {"code": 429, "message": "Provider returned error", "metadata": {"raw": "slow down, friend"}}}
    assert provider_error(429, json.dumps(body).encode()).message == "Provider returned error: slow down, friend"


@given(
    st.integers(400, 599),
    st.recursive(
        st.none() | st.text() | st.integers() | st.booleans(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["error", "message", "code", "detail", "loc", "msg", "param", "metadata"]), inner
            )
        ),
    ),
)
def test_whatever_comes_there_is_an_outcome(status: int, body: object) -> None:
    outcome, parameter = outcome_of(status, body)
    assert outcome is not Is.OK
    assert (parameter is not None) == (outcome is Is.UNSUPPORTED)
