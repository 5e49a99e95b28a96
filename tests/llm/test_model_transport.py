"""One request is one HTTP request, and whatever comes back, or does not, is a completion or a typed error."""

from __future__ import annotations

import gzip
import json
import socket
from typing import Any

import anyio
import httpx2
import openai
import pytest
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_openai import AzureChatOpenAI, ChatOpenAI
from langchain_openai.chat_models.base import BaseChatOpenAI
from pydantic import JsonValue

from hairpin.domain.llm_calls import CallOutcome, TokenCounts
from hairpin.errors import ModelSetupError
from hairpin.llm import http_transport
from hairpin.llm.chat_client import DirectAzureChatOpenAI, DirectChatOpenAI, completion_of, message_of
from hairpin.llm.completion import CallError, Completion
from hairpin.llm.http_transport import EndpointTransport
from hairpin.llm.model_transport import ModelTransport
from hairpin.testing import FakeAnswer, FakeModelServer, FakeRequest
from tests.llm.transport_fixtures import providers, request, spec, transport

pytestmark = pytest.mark.anyio


@pytest.fixture
def unused_address() -> str:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{listener.getsockname()[1]}/v1"


async def error_of(base_url: str, *, timeout_s: float = 20.0, traced: bool = False) -> CallError:
    async with transport(base_url, timeout_s=timeout_s, traced=traced) as way:
        with pytest.raises(CallError) as caught:
            await way.complete(request())
    return caught.value


@pytest.mark.parametrize("traced", [False, True])
async def test_the_body_is_exactly_what_was_asked_for(traced: bool) -> None:
    wanted = {"type": "json_object"}
    async with FakeModelServer("{}") as server, providers(traced=traced) as made:
        way = made.transport(spec(server.base_url, parameters={"top_p": 0.5, "reasoning_effort": "low"}))
        await way.complete(request("a", "b", "c", response_format=wanted, output_tokens=9))
    assert server.requests[0].body == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": "b"},
            {"role": "user", "content": "c"},
        ],
        "top_p": 0.5,
        "reasoning_effort": "low",
        "max_tokens": 9,
        "response_format": wanted,
    }


@pytest.mark.parametrize("traced", [False, True])
async def test_a_completion_comes_back_whole(traced: bool) -> None:
    message: JsonValue = {"role": "assistant", "content": "Yes.", "reasoning_content": "Hm."}
    usage: JsonValue = {"prompt_tokens": 3, "completion_tokens": None, "prompt_tokens_details": {"cached_tokens": 2}}
    body: JsonValue = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}
    async with FakeModelServer(FakeAnswer(body=body)) as server, transport(server.base_url, traced=traced) as way:
        completion = await way.complete(request())
    tokens = TokenCounts(prompt_tokens=3, cached_prompt_tokens=2)
    assert completion == Completion(text="Yes.", reasoning="Hm.", finish_reason="stop", tokens=tokens)


async def test_no_header_tells_of_the_machine() -> None:
    async with FakeModelServer("x") as server, transport(server.base_url) as way:
        await way.complete(request())
    assert {name.lower() for name in server.requests[0].headers} == {
        "host",
        "user-agent",
        "accept",
        "content-type",
        "accept-encoding",
        "content-length",
    }


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
async def test_an_error_is_never_asked_for_again_here(status: int, traced: bool) -> None:
    async with FakeModelServer(default=FakeAnswer.error(status, "no")) as server:
        error = await error_of(server.base_url, traced=traced)
    assert error.outcome.is_transient
    assert len(server.requests) == 1


@pytest.mark.parametrize("traced", [False, True])
async def test_a_wait_that_the_server_asks_for_is_passed_on(traced: bool) -> None:
    async with FakeModelServer(FakeAnswer.rate_limited(retry_after=7)) as server:
        assert (await error_of(server.base_url, traced=traced)).retry_after_s == 7.0


async def test_a_page_instead_of_json_is_said_to_be_one() -> None:
    async with FakeModelServer(FakeAnswer.html(200, "Sign in")) as server:
        error = await error_of(server.base_url)
    assert (error.outcome, error.detail) == (CallOutcome.NOT_JSON, "no JSON object came but a page titled 'Sign in'")


async def test_a_redirect_is_not_followed() -> None:
    async with FakeModelServer("elsewhere") as other:
        moved = FakeAnswer(status=307, headers={"Location": f"{other.base_url}/chat/completions"})
        async with FakeModelServer(moved) as server:
            assert (await error_of(server.base_url)).outcome is CallOutcome.REJECTED
    assert other.requests == ()


@pytest.mark.parametrize(
    "answer", [FakeAnswer.hanging(), FakeAnswer.dripping("x" * 5000, piece_bytes=1, pause_s=0.01)], ids=["hang", "drip"]
)
async def test_neither_silence_nor_dripping_escapes_the_deadline_of_the_whole_request(answer: FakeAnswer) -> None:
    async with FakeModelServer(answer) as server:
        error = await error_of(server.base_url, timeout_s=0.2)
        await server.wait_until_idle()
    assert (error.outcome, error.detail) == (CallOutcome.TIMED_OUT, "no whole answer within 0.2 s")


async def test_cancelling_aborts_the_request_at_once() -> None:
    async with FakeModelServer(FakeAnswer.hanging()) as server, transport(server.base_url) as way:
        async with anyio.create_task_group() as group:
            group.start_soon(way.complete, request())
            await server.wait_for_requests(1)
            group.cancel_scope.cancel()
        await server.wait_until_idle()
        assert server.requests[0].client_gone


@pytest.mark.parametrize(
    "answer",
    [FakeAnswer.cut_off(), FakeAnswer.cut_off("Hello", after_bytes=20), FakeAnswer.cut_off("Hello", reset=True)],
    ids=["before headers", "in the body", "reset"],
)
async def test_a_broken_connection_is_lost_and_named(answer: FakeAnswer) -> None:
    async with FakeModelServer(answer) as server:
        error = await error_of(server.base_url)
    assert error.outcome is CallOutcome.CONNECTION_LOST
    assert f"{server.base_url}/chat/completions" in error.detail
    assert (error.__cause__, error.__context__) == (None, None)


async def test_a_server_that_is_down_is_named(unused_address: str) -> None:
    error = await error_of(unused_address)
    assert error.outcome is CallOutcome.CONNECTION_LOST
    assert error.detail.startswith(f"cannot connect to {unused_address}/chat/completions: ")
    assert error.tokens == TokenCounts(prompt_tokens=0, completion_tokens=0), "no model has read a word"


async def test_a_connection_that_the_server_dropped_while_idle_is_not_used_again() -> None:
    async with FakeModelServer(FakeAnswer("a", connection="drop"), "b") as server, transport(server.base_url) as way:
        await way.complete(request())
        await anyio.sleep(0.05)
        assert (await way.complete(request())).text == "b"


async def test_none_of_many_requests_waits_for_the_connection_of_another() -> None:
    n_requests = 120

    async def answer_when_all_are_there(_: FakeRequest) -> str:
        await server.wait_for_requests(n_requests)
        return "x"

    async with FakeModelServer(default=answer_when_all_are_there) as server, transport(server.base_url) as way:
        async with anyio.create_task_group() as group:
            for _ in range(n_requests):
                group.start_soon(way.complete, request())
        assert server.peak_in_flight == n_requests


async def test_what_is_not_http_is_said_to_be_none() -> None:
    async def answer(stream: anyio.abc.SocketStream) -> None:
        async with stream:
            await stream.receive()
            await stream.send(b"SSH-2.0-OpenSSH\r\n\r\n")

    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener, anyio.create_task_group() as group:
        group.start_soon(listener.serve, answer)
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
        error = await error_of(f"http://127.0.0.1:{port}/v1")
        group.cancel_scope.cancel()
    assert error.outcome is CallOutcome.NOT_JSON
    assert "not HTTP" in error.detail


async def test_an_answer_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_transport, "MAX_ANSWER_BYTES", 1024**2)
    async with FakeModelServer("x" * 1024**2) as server:
        error = await error_of(server.base_url)
    assert (error.outcome, "more than 1 MiB" in error.detail) == (CallOutcome.NOT_JSON, True)


async def test_a_compressed_answer_is_read() -> None:
    body = gzip.compress(json.dumps({"choices": [{"message": {"content": "small"}}]}).encode())
    answer = FakeAnswer(body=body, headers={"Content-Encoding": "gzip"})
    async with FakeModelServer(answer) as server, transport(server.base_url) as way:
        assert (await way.complete(request())).text == "small"


async def test_cookies_join_no_calls() -> None:
    answer = FakeAnswer("x", headers={"Set-Cookie": "session=1"})
    async with FakeModelServer(answer, answer) as server, transport(server.base_url) as way:
        await way.complete(request())
        await way.complete(request())
    assert "Cookie" not in server.requests[1].headers


def test_one_connection_pool_serves_two_event_loops_in_sequence() -> None:
    pool = EndpointTransport(credentials={}, query={})

    async def ask(base_url: str) -> str:
        asked = httpx2.Request("POST", f"{base_url}/chat/completions", json={"messages": []})
        response = await pool.handle_async_request(asked)
        await pool.aclose()
        return str(response.json()["choices"][0]["message"]["content"])

    with FakeModelServer("a", "b") as server:
        assert [anyio.run(ask, server.base_url), anyio.run(ask, server.base_url)] == ["a", "b"]


async def test_an_endpoint_that_refuses_the_name_of_the_cap_is_asked_under_the_other_from_then_on() -> None:
    error: JsonValue = {"message": "Unsupported parameter: 'max_tokens'", "param": "max_tokens"}
    refusal = FakeAnswer(status=400, body={"error": error})
    async with FakeModelServer(refusal, "x", "y") as server, providers() as made:
        first, second = made.transport(spec(server.base_url)), made.transport(spec(server.base_url))
        with pytest.raises(CallError) as caught:
            await first.complete(request())
        await first.complete(request())
        await second.complete(request())
    assert (caught.value.outcome, caught.value.adapted) == (CallOutcome.UNSUPPORTED, True)
    sent = [sorted(item.body) for item in server.requests if isinstance(item.body, dict)]
    assert sent == [["max_tokens", "messages", "model"]] + 2 * [["max_completion_tokens", "messages", "model"]]


async def test_a_parameter_that_the_user_set_and_the_model_refuses_is_the_users_to_mend() -> None:
    error: JsonValue = {
        "message": "Unsupported value: temperature",
        "param": "temperature",
        "code": "unsupported_value",
    }
    async with FakeModelServer(FakeAnswer(status=400, body={"error": error})) as server, providers() as made:
        way = made.transport(spec(server.base_url, parameters={"temperature": 0.2}))
        with pytest.raises(
            ModelSetupError, match=rf"^m at {server.base_url} does not take the parameter 'temperature'"
        ):
            await way.complete(request())
    assert len(server.requests) == 1


async def test_a_refused_response_format_is_unsupported_and_nothing_is_learnt() -> None:
    answer = FakeAnswer.error(400, "'response_format' of type 'json_schema' is not supported with this model")
    async with FakeModelServer(answer) as server, transport(server.base_url) as way:
        with pytest.raises(CallError) as caught:
            await way.complete(request(response_format={"type": "json_schema"}))
    error = caught.value
    assert (error.outcome, error.parameter, error.adapted) == (CallOutcome.UNSUPPORTED, "response_format", False)


class Recorder(AsyncCallbackHandler):
    def __init__(self) -> None:
        self.seen: list[str] = []

    async def on_chat_model_start(self, *args: Any, **kwargs: Any) -> None:
        self.seen.append("start")

    async def on_llm_end(self, *args: Any, **kwargs: Any) -> None:
        self.seen.append("end")

    async def on_llm_error(self, error: BaseException, **kwargs: Any) -> None:
        self.seen.append(type(error).__name__)


async def chat_model(way: ModelTransport) -> ChatOpenAI:
    model = await way._connect()
    assert isinstance(model, ChatOpenAI)
    return model


async def test_the_chat_model_is_a_langchain_model_with_its_callbacks() -> None:
    recorder = Recorder()
    async with FakeModelServer("Hi.", FakeAnswer.error(500, "no")) as server, transport(server.base_url) as way:
        model = await chat_model(way)
        prompt = [SystemMessage("Be brief."), HumanMessage("Hello")]
        message = await model.ainvoke(prompt, config={"callbacks": [recorder]}, max_tokens=5)
        with pytest.raises(CallError):
            await model.ainvoke(prompt, config={"callbacks": [recorder]})
    assert (message.content, recorder.seen) == ("Hi.", ["start", "end", "start", "CallError"])
    assert message.usage_metadata is not None
    assert message.usage_metadata["total_tokens"] == 15
    assert isinstance(server.requests[0].body, dict)
    assert server.requests[0].body["max_tokens"] == 5


async def test_the_chat_model_is_asynchronous_only() -> None:
    async with transport("http://127.0.0.1:9/v1") as way:
        model = await chat_model(way)
        with pytest.raises(NotImplementedError, match="ainvoke"):
            model.invoke("Hello")


def test_a_completion_survives_the_way_through_langchain() -> None:
    completion = Completion(
        text="x", reasoning="r", finish_reason=None, tokens=TokenCounts(prompt_tokens=1, reasoning_tokens=0)
    )
    message = message_of(completion)
    assert isinstance(message, AIMessage)
    assert completion_of(message) == completion


def test_what_is_private_in_the_libraries_is_still_there() -> None:
    """These names are not promised by anybody: when one is gone, ``chat_client`` needs another way."""
    for model in (ChatOpenAI, AzureChatOpenAI):
        assert callable(model._agenerate)
        assert {"root_async_client", "async_client", "root_client", "client"} <= model.model_fields.keys()
    assert callable(BaseChatOpenAI._get_request_payload)
    assert DirectChatOpenAI._agenerate is DirectAzureChatOpenAI._agenerate
    client = openai.AsyncOpenAI(api_key="x", base_url="http://127.0.0.1:9/v1")
    assert {"organization", "project"} <= vars(client).keys()


async def test_a_header_that_is_not_ascii_loses_no_answer() -> None:
    """The HTTP library that the SDK wants cannot hold it."""
    good = FakeAnswer("yes", headers={"Content-Type": "application/json; note=é"})
    busy = FakeAnswer(status=429, body={"error": {"message": "busy"}}, headers={"Retry-After": "bientôt"})
    async with FakeModelServer(good, busy) as server, transport(server.base_url) as way:
        assert (await way.complete(request())).text == "yes"
        with pytest.raises(CallError) as caught:
            await way.complete(request())
    assert (caught.value.outcome, caught.value.retry_after_s) == (CallOutcome.RATE_LIMITED, None)
