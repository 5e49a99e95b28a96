"""What an endpoint refuses is learnt once, for all roles, and said once; what the user set is never dropped."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
import structlog
from pydantic import JsonValue
from structlog.testing import LogCapture

from hairpin.domain.llm_calls import CallOutcome
from hairpin.errors import ModelSetupError
from hairpin.llm.adaptation import Adaptation
from hairpin.llm.completion import CompletionRequest
from hairpin.llm.response_reading import RefusedRequestError
from hairpin.ports import ChatMessage

REQUEST = CompletionRequest(
    messages=(
        ChatMessage(role="system", text="S"),
        ChatMessage(role="assistant", text="a"),
        ChatMessage(role="user", text="b"),
    ),
    response_format={"type": "json_object"},
    output_tokens=500,
)


def adaptation(log: LogCapture | None = None) -> Adaptation:
    logger = structlog.wrap_logger(None, processors=[log or LogCapture()])
    return Adaptation(model="m", where="http://h/v1", output_cap="max_tokens", logger=logger)


def refusal(parameter: str, words: str = "not supported") -> RefusedRequestError:
    error = RefusedRequestError(CallOutcome.UNSUPPORTED, words, parameter=parameter)
    error.words = words
    return error


def refuse(
    asked: Adaptation,
    parameter: str,
    words: str = "not supported",
    *,
    parameters: Mapping[str, JsonValue] | None = None,
) -> RefusedRequestError:
    error = refusal(parameter, words)
    asked.learn(error, REQUEST, asked.payload(REQUEST, parameters or {}), parameters or {})
    return error


def roles_of(asked: Adaptation) -> list[object]:
    messages = asked.payload(REQUEST, {})["messages"]
    assert isinstance(messages, list)
    return [message["role"] for message in messages if isinstance(message, dict)]


def test_nothing_is_sent_that_was_not_set_but_the_output_cap() -> None:
    request = CompletionRequest(messages=(ChatMessage(role="user", text="b"),), output_tokens=7)
    sent = adaptation().payload(request, {})
    assert sent == {"model": "m", "messages": [{"role": "user", "content": "b"}], "max_tokens": 7}


def test_what_the_user_set_goes_out_as_it_is() -> None:
    sent = adaptation().payload(REQUEST, {"reasoning_effort": "low", "deep": {"x": [1, None]}})
    assert (sent["reasoning_effort"], sent["deep"]) == ("low", {"x": [1, None]})


def test_the_output_cap_goes_out_under_the_other_name_once_one_is_refused() -> None:
    asked = adaptation()
    error = refuse(asked, "max_tokens", "Use 'max_completion_tokens' instead.")
    sent = asked.payload(REQUEST, {})
    assert error.adapted
    assert (sent["max_completion_tokens"], "max_tokens" in sent) == (500, False)


def test_an_endpoint_that_takes_no_output_cap_gets_none() -> None:
    asked = adaptation()
    assert refuse(asked, "max_tokens").adapted
    assert refuse(asked, "max_completion_tokens").adapted
    assert not {"max_tokens", "max_completion_tokens"} & asked.payload(REQUEST, {}).keys()


@pytest.mark.parametrize(
    "words",
    [
        "max_tokens is too large: 500. This model supports at most 256 completion tokens, whereas you provided 500.",
        "Invalid max_tokens value, the valid range is <= 256",
        "`max_tokens` must be less than or equal to `256`, the maximum value for this model",
    ],
)
def test_a_cap_above_the_models_limit_becomes_the_limit(words: str) -> None:
    asked = adaptation()
    assert refuse(asked, "max_tokens", words).adapted
    assert asked.payload(REQUEST, {})["max_tokens"] == 256


def test_an_endpoint_without_a_system_role_is_asked_without_one() -> None:
    asked = adaptation()
    assert refuse(asked, "messages", "System role not supported").adapted
    assert roles_of(asked) == ["user", "assistant", "user"]


def test_an_endpoint_that_wants_alternation_gets_it_and_keeps_its_system_role() -> None:
    asked = adaptation()
    assert refuse(asked, "messages", "Conversation roles must alternate user/assistant").adapted
    assert roles_of(asked) == ["system", "user", "assistant", "user"]


def test_alternation_still_refused_means_that_the_system_role_is_what_disturbs_it() -> None:
    asked = adaptation()
    refuse(asked, "messages", "Conversation roles must alternate user/assistant")
    assert refuse(asked, "messages", "Conversation roles must alternate user/assistant").adapted
    assert roles_of(asked) == ["user", "assistant", "user"]


def test_when_nothing_is_left_to_learn_the_request_is_rejected_for_good() -> None:
    asked = adaptation()
    errors = [refuse(asked, "messages", "roles must alternate") for _ in range(3)]
    assert [error.adapted for error in errors] == [True, True, False]
    assert errors[-1].outcome is CallOutcome.REJECTED


def test_of_many_requests_in_flight_the_later_refusals_teach_nothing_more() -> None:
    asked, log = adaptation(), LogCapture()
    asked = adaptation(log)
    payload = asked.payload(REQUEST, {})
    errors = [refusal("messages", "roles must alternate") for _ in range(3)]
    for error in errors:
        asked.learn(error, REQUEST, payload, {})
    assert all(error.adapted for error in errors)
    assert roles_of(asked)[0] == "system"
    assert len(log.entries) == 1


def test_what_is_learnt_is_logged_with_model_endpoint_and_reason() -> None:
    log = LogCapture()
    refuse(adaptation(log), "max_tokens", "Use 'max_completion_tokens'")
    (entry,) = log.entries
    assert (entry["event"], entry["model"], entry["endpoint"]) == ("endpoint_adapted", "m", "http://h/v1")
    assert entry["output_cap"] == "max_completion_tokens"
    assert entry["reason"] == "Use 'max_completion_tokens'"


def test_a_refused_parameter_of_the_users_ends_the_run_naming_model_and_parameter() -> None:
    with pytest.raises(ModelSetupError, match=r"m at http://h/v1 .*'temperature'.*only the default"):
        refuse(adaptation(), "temperature", "only the default", parameters={"temperature": 0.2})


def test_a_refused_response_format_is_left_to_whoever_chose_it() -> None:
    asked = adaptation()
    before = asked.payload(REQUEST, {})
    error = refuse(asked, "response_format")
    assert (error.outcome, error.parameter, error.adapted) == (CallOutcome.UNSUPPORTED, "response_format", False)
    assert asked.payload(REQUEST, {}) == before
