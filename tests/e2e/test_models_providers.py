"""Endpoints with ways of their own: refused parameters, errors in a 200, prompts too long (B06, B07, B09)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pydantic import JsonValue

from hairpin.domain.llm_calls import CallOutcome
from hairpin.domain.outcome import Blame, Role, StopReason
from hairpin.testing import Answer, FakeAnswer, FakeModelServer, FakeRequest
from hairpin.testing.role_player import play_roles
from tests.e2e.model_runs import (
    LINE,
    REQUESTS_PER_CONVERSATION,
    SCORE,
    TARGETS,
    TURN,
    about,
    forms_asked,
    in_turn,
    model_at,
    outcomes_of,
    playing,
    run_models,
    scenario_of,
    write_scenario,
)

if TYPE_CHECKING:
    from tests.cli.conftest import Cli


def no_sampling(request: FakeRequest) -> Answer:
    """Answer as a reasoning model does: with an error wherever the sampling is to be steered."""
    assert isinstance(request.body, dict)
    for name in ("temperature", "top_p"):
        if name in request.body:
            error: JsonValue = {
                "message": f"Unsupported value: {name}",
                "type": "invalid_request_error",
                "param": name,
                "code": "unsupported_value",
            }
            return FakeAnswer(status=400, body={"error": error})
    return play_roles(request)


@pytest.mark.anyio
async def test_a_parameter_that_the_user_did_not_set_is_not_sent(tmp_path: Path) -> None:
    async with FakeModelServer(default=no_sampling) as server:
        run = await run_models(tmp_path, scenario_of({"default": model_at(server)}))
    assert run.summary.conversations.passed == 1
    assert outcomes_of(run.requests) == {"ok": REQUESTS_PER_CONVERSATION}
    sent = {name for request in server.chat_requests if isinstance(request.body, dict) for name in request.body}
    assert sent <= {"model", "messages", "response_format", "max_tokens", "max_completion_tokens", "stream"}


def test_a_parameter_that_the_user_set_and_the_model_refuses_ends_the_run_with_one_message(
    quick: Cli,
) -> None:
    with FakeModelServer(default=no_sampling) as server:
        model = model_at(server, model="thinker-1", parameters={"temperature": 0})
        write_scenario(quick.folder, scenario_of({"default": model}, repeats=100))
        done = quick("run", "s.yaml", "--no-canary", "--concurrency", "8")
        assert done.code == 2
        assert len(server.chat_requests) == 1
    said = [line for line in done.err.splitlines() if "Unsupported value" in line]
    assert len(said) == 1
    assert "thinker-1" in said[0]
    assert "temperature" in said[0]
    assert "Traceback" not in done.err


def embedded(code: int, message: str) -> FakeAnswer:
    error: JsonValue = {"code": code, "message": message}
    return FakeAnswer(body={"id": None, "object": None, "choices": None, "usage": None, "error": error})


def bare(**choice: JsonValue) -> FakeAnswer:
    return FakeAnswer(body={"id": "x", "object": "chat.completion", "choices": [choice] if choice else []})


PASSING = {
    "a rate limit in a 200": (embedded(429, "upstream busy"), CallOutcome.RATE_LIMITED),
    "an overload in a 200": (embedded(502, "upstream down"), CallOutcome.OVERLOADED),
    "a web page in a 502": (FakeAnswer.html(502), CallOutcome.OVERLOADED),
}


@pytest.mark.anyio
@pytest.mark.parametrize("kind", PASSING)
async def test_trouble_that_passes_is_waited_out_and_told_in_the_providers_words(tmp_path: Path, kind: str) -> None:
    bad, outcome = PASSING[kind]
    async with FakeModelServer(default=playing({TARGETS: in_turn(bad)})) as server:
        run = await run_models(tmp_path, scenario_of({"default": model_at(server)}))
    assert run.summary.conversations.passed == 1
    (failed,) = [request for request in run.requests if request.outcome is not CallOutcome.OK]
    assert (failed.outcome, failed.role) == (outcome, Role.EXTRACTOR)
    assert failed.detail
    if "200" in kind:
        assert "upstream" in failed.detail
    assert failed.tokens.prompt_tokens is None
    assert run.summary.llm.requests_without_usage == 1


LASTING = {
    "an error of ours in a 200": (embedded(400, "no such deployment"), "no such deployment"),
    "no choices": (bare(), ""),
    "a choice without a message": (bare(index=0, finish_reason="stop"), ""),
    "no content": (FakeAnswer(None), ""),
    "a web page in a 200": (FakeAnswer.html(200, "Sign in"), ""),
}


@pytest.mark.anyio
@pytest.mark.parametrize("kind", LASTING)
async def test_an_answer_without_an_answer_ends_its_conversation_and_no_other(tmp_path: Path, kind: str) -> None:
    bad, words = LASTING[kind]
    phrases: JsonValue = ["Guide me to Marienplatz", "Find a pharmacy near me"]
    async with FakeModelServer(default=playing({SCORE: about("pharmacy near me", bad)})) as server:
        run = await run_models(tmp_path, scenario_of({"default": model_at(server)}, seed_phrases=phrases))
        assert forms_asked(server)[SCORE] <= 4 + 8, "at most one repair each"
    assert run.outcomes()[0] == (StopReason.TURNS_EXHAUSTED, None, None)
    reason, _, blame = run.outcomes()[1]
    assert (reason, blame) in [(StopReason.PROVIDER_ERROR, Blame.PROVIDER), (StopReason.JUDGE_FAULT, Blame.JUDGE)]
    broken = run.records[1].outcome
    assert broken is not None
    assert words in broken.stop.detail
    assert "Error(" not in broken.stop.detail
    assert "NoneType" not in broken.stop.detail
    assert (run.summary.conversations.passed, run.summary.conversations.invalid) == (1, 1)
    assert (run.summary.conversations.failed, run.summary.failure_rate) == (0, 0)


@pytest.mark.anyio
async def test_tokens_that_a_good_answer_does_not_report_are_unknown_and_cost_not_nothing(tmp_path: Path) -> None:
    price: JsonValue = {"input": 1, "output": 1}
    async with FakeModelServer(default=lambda request: FakeAnswer(play_roles(request), usage=None)) as server:
        run = await run_models(tmp_path, scenario_of({"default": model_at(server, price=price)}))
    assert run.summary.conversations.passed == 1
    assert run.summary.llm.requests_without_usage == REQUESTS_PER_CONVERSATION
    assert run.summary.llm.cost_usd is None
    assert {request.tokens.prompt_tokens for request in run.requests} == {None}


WINDOW_CHARACTERS = 60_000
TOO_LONG = FakeAnswer.error(400, "too many tokens: 9012 > 8192", code="context_length_exceeded")


def small_window(request: FakeRequest) -> Answer:
    return TOO_LONG if len(str(request.messages)) > WINDOW_CHARACTERS else play_roles(request)


@pytest.mark.anyio
async def test_a_conversation_too_long_for_a_model_ends_alone_and_keeps_what_was_said(tmp_path: Path) -> None:
    """The talkative assistant fills the window of whoever is asked with four long replies."""

    def reply(utterance: str, start: object, history: tuple[object, ...]) -> str:
        return "word " * 4_000 if "pharmacy near me" in str(history) + utterance else "fine"

    phrases: JsonValue = ["Find a pharmacy near me", "Guide me to Marienplatz"]
    async with FakeModelServer(default=small_window) as server:
        scenario = scenario_of({"default": model_at(server)}, seed_phrases=phrases, max_turns=8)
        run = await run_models(tmp_path, scenario, sut=reply)
        refused = [request for request in server.chat_requests if request.status == 400]
    ((reason, role, blame), other) = run.outcomes()
    assert reason is StopReason.CONTEXT_EXCEEDED
    assert role is not None
    assert blame == Role(role).blame
    assert len(run.records[0].exchanges) == 3
    assert len(refused) == 1, "not retried as it was"
    assert other == (StopReason.TURNS_EXHAUSTED, None, None)
    assert run.summary.invalid_by_reason == {"context_exceeded": {blame: 1}}
    stopped = run.records[0].outcome
    assert stopped is not None
    assert "too many tokens: 9012 > 8192" in stopped.stop.detail


@pytest.mark.anyio
async def test_an_assistant_whose_own_window_is_full_has_erred_and_its_error_is_graded_by_nobody(
    tmp_path: Path,
) -> None:
    full = in_turn("one", "two", "three", then=TOO_LONG)
    async with FakeModelServer(default=play_roles) as server, FakeModelServer(default=full) as assistant:
        sut: JsonValue = {"provider": "openai-compatible", "base_url": assistant.base_url, "model": "ica"}
        run = await run_models(tmp_path, scenario_of({"default": model_at(server)}, max_turns=8, sut=sut))
        asked = str([request.messages for request in server.chat_requests])
    ((reason, _, blame),) = run.outcomes()
    assert (reason, blame) == (StopReason.SUT_ERROR, Blame.SUT)
    assert [exchange.assistant for exchange in run.records[0].exchanges] == ["one", "two", "three"]
    assert "too many tokens" not in asked
    assert forms_asked(server)[TURN] == 3
    assert forms_asked(server)[LINE] == 4
    assert len(assistant.chat_requests) == 4
