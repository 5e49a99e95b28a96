"""The fake model server: what users of ``hairpin.testing`` can rely on."""

from __future__ import annotations

import io
import json
import math
import socket
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Mapping

import aiohttp
import anyio
import anyio.lowlevel
import pytest
from pydantic import JsonValue
from yarl import URL

from hairpin.testing import Ending, FakeAnswer, FakeModelServer, FakeRequest

pytestmark = pytest.mark.anyio

HELLO: JsonValue = {"model": "m", "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "Hi"}]}


@pytest.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def ask(client: aiohttp.ClientSession, server: FakeModelServer) -> tuple[int, str]:
    async with client.post(f"{server.base_url}/chat/completions", json=HELLO) as response:
        return response.status, await response.text()


async def content_of(client: aiohttp.ClientSession, server: FakeModelServer) -> object:
    _, text = await ask(client, server)
    return json.loads(text)["choices"][0]["message"]["content"]


async def test_without_a_script_it_echoes_what_the_user_said(client: aiohttp.ClientSession) -> None:
    async with FakeModelServer() as server:
        assert await content_of(client, server) == "You said: Hi"


async def test_scripted_answers_come_in_order_and_then_the_default(client: aiohttp.ClientSession) -> None:
    async def slow(request: FakeRequest) -> str:
        await anyio.lowlevel.checkpoint()
        return f"to {request.last_user_text}"

    async with FakeModelServer("first", FakeAnswer(text=None), lambda request: "made", default="default") as server:
        server.script(slow)
        answers = [await content_of(client, server) for _ in range(6)]
    assert answers == ["first", None, "made", "to Hi", "default", "default"]


async def test_status_body_headers_and_content_type_are_sent_as_scripted(client: aiohttp.ClientSession) -> None:
    answer = FakeAnswer(status=418, body="<h1>é</h1>", content_type="text/html", headers={"Retry-After": "7"})
    async with (
        FakeModelServer(answer) as server,
        client.post(f"{server.base_url}/chat/completions", json=HELLO) as response,
    ):
        assert (response.status, response.headers["Retry-After"]) == (418, "7")
        assert response.content_type == "text/html"
        assert await response.read() == "<h1>é</h1>".encode()


async def test_the_log_holds_method_path_headers_body_and_times(client: aiohttp.ClientSession) -> None:
    async with FakeModelServer() as server:
        url = f"{server.base_url}/chat/completions?api-version=1"
        async with client.post(url, json=HELLO, headers={"Authorization": "Bearer k"}) as response:
            await response.read()
    (request,) = server.requests
    assert (request.method, request.path, request.query) == ("POST", "/v1/chat/completions", "api-version=1")
    assert request.headers["Authorization"] == "Bearer k"
    assert request.body == HELLO
    assert request.answered_at is not None
    assert request.answered_at >= request.received_at
    assert (request.status, request.client_gone) == (200, False)


async def test_a_client_that_leaves_before_the_answer_is_noted(client: aiohttp.ClientSession) -> None:
    async with FakeModelServer(FakeAnswer(delay_s=math.inf)) as server:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask, client, server)
            await server.wait_for_requests(1)
            assert server.in_flight == 1
            tasks.cancel_scope.cancel()
        await server.wait_until_idle()
    assert server.requests[0].client_gone
    assert server.requests[0].answered_at is None


async def test_requests_in_flight_are_counted(client: aiohttp.ClientSession) -> None:
    async with FakeModelServer(default=FakeAnswer("x", delay_s=0.02)) as server, anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(ask, client, server)
        await server.wait_for_requests(3)
        await server.wait_until_idle()
    assert (server.in_flight, server.peak_in_flight) == (0, 3)


async def test_waiting_for_requests_that_do_not_come_times_out() -> None:
    async with FakeModelServer() as server:
        with pytest.raises(TimeoutError):
            await server.wait_for_requests(1, timeout_s=0.01)


async def test_models_are_listed_and_other_routes_are_errors(client: aiohttp.ClientSession) -> None:
    async with FakeModelServer(models=("a", "b")) as server:
        async with client.get(f"{server.base_url}/models") as response:
            assert [model["id"] for model in (await response.json())["data"]] == ["a", "b"]
        async with client.get(f"{server.base_url}/embeddings") as response:
            assert (response.status, (await response.json())["error"]["message"]) == (
                404,
                "no such route: GET /v1/embeddings",
            )
    assert [request.path for request in server.requests] == ["/v1/models", "/v1/embeddings"]
    assert server.chat_requests == ()


async def test_a_mistake_in_a_scripted_answer_is_raised_when_the_server_is_left(client: aiohttp.ClientSession) -> None:
    def broken(request: FakeRequest) -> str:
        raise LookupError("mistake in the test")

    with pytest.raises(LookupError, match="mistake in the test"):
        async with FakeModelServer(broken) as server:
            assert (await ask(client, server))[0] == 500


async def test_leaving_ends_requests_that_hang_and_frees_the_port(client: aiohttp.ClientSession) -> None:
    async with anyio.create_task_group() as tasks, FakeModelServer(FakeAnswer(delay_s=math.inf)) as server:
        tasks.start_soon(_ask_and_lose, client, server)
        await server.wait_for_requests(1)
    assert not server.requests[0].client_gone
    port = int(server.base_url.removesuffix("/v1").rpartition(":")[2])
    with socket.socket() as free, pytest.raises(ConnectionRefusedError):
        free.connect(("127.0.0.1", port))


async def _ask_and_lose(client: aiohttp.ClientSession, server: FakeModelServer) -> None:
    with pytest.raises(aiohttp.ClientError):
        await ask(client, server)


async def test_a_client_that_leaves_while_an_answer_drips_is_noted(client: aiohttp.ClientSession) -> None:
    async with FakeModelServer(FakeAnswer.dripping("Hello", pause_s=30)) as server:
        async with client.post(f"{server.base_url}/chat/completions", json=HELLO) as response:
            await response.content.readexactly(1)
            response.close()
        await server.wait_until_idle()
    assert server.requests[0].ending is Ending.CLIENT_GONE
    assert (server.requests[0].usage, server.requests[0].answered_at) == (None, None)
    assert server.requests[0].n_bytes_sent == 1


@pytest.mark.parametrize("answer", [FakeAnswer.hanging(), FakeAnswer.dripping("x" * 10_000, pause_s=3600)])
async def test_leaving_waits_for_no_answer_that_hangs_or_drips(
    client: aiohttp.ClientSession, answer: FakeAnswer
) -> None:
    async with anyio.create_task_group() as tasks, FakeModelServer(default=answer) as server:
        for _ in range(5):
            tasks.start_soon(_ask_and_lose, client, server)
        await server.wait_for_requests(5)
    assert server.totals.endings == {Ending.SERVER_STOPPED: 5}


async def test_requests_for_completions_are_numbered_and_scripts_can_go_by_the_number(
    client: aiohttp.ClientSession,
) -> None:
    def every_second(request: FakeRequest) -> str | FakeAnswer:
        return FakeAnswer.rate_limited() if request.number % 2 else f"answer {request.number}"

    async with FakeModelServer(default=every_second) as server:
        async with client.get(f"{server.base_url}/models") as response:
            await response.read()
        statuses = [(await ask(client, server))[0] for _ in range(4)]
    assert statuses == [429, 200, 429, 200]
    assert [request.number for request in server.requests] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "path",
    ["/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21", "/openai/v1/chat/completions"],
)
async def test_the_paths_of_azure_are_served(client: aiohttp.ClientSession, path: str) -> None:
    async with (
        FakeModelServer("from Azure") as server,
        client.post(URL(f"{server.azure_endpoint}{path}", encoded=True), json={"messages": []}) as response,
    ):
        answer = await response.json()
    assert answer["choices"][0]["message"]["content"] == "from Azure"
    assert answer["model"] == server.chat_requests[0].model == ("my gpt" if "deployments" in path else "fake")


async def test_azure_wants_a_version_of_its_api_and_nobody_gets_a_stream(client: aiohttp.ClientSession) -> None:
    async with FakeModelServer("unused") as server:
        url = f"{server.azure_endpoint}/openai/deployments/d/chat/completions"
        async with client.post(url, json=HELLO) as response:
            assert (response.status, "api-version" in await response.text()) == (404, True)
        async with client.post(f"{server.base_url}/chat/completions", json={"stream": True}) as response:
            assert (response.status, "without stream" in await response.text()) == (400, True)
        assert await content_of(client, server) == "unused"
    assert [request.number for request in server.chat_requests] == [1]


async def test_usage_is_counted_from_characters_when_asked_for(client: aiohttp.ClientSession) -> None:
    own: Mapping[str, JsonValue] = {
        "prompt_tokens": 7,
        "completion_tokens": 1,
        "prompt_tokens_details": {"cached_tokens": 3},
    }
    answers: tuple[str | FakeAnswer, ...] = ("12345", FakeAnswer("x", usage=own), FakeAnswer("x", usage=None))
    async with FakeModelServer(*answers, count_usage=True) as server:
        said = [json.loads((await ask(client, server))[1])["usage"] for _ in answers]
    # The messages hold "s" and "Hi".
    assert said == [{"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}, own, None]
    assert [request.usage for request in server.requests] == said


async def test_the_totals_say_what_was_sent_and_what_became_of_it(client: aiohttp.ClientSession) -> None:
    script = (
        "whole",
        FakeAnswer.error(500, "broken"),
        FakeAnswer.cut_off("cut", after_bytes=7),
        FakeAnswer("again", usage={"prompt_tokens": 100, "completion_tokens": 20}),
    )
    n_bytes = 0
    async with FakeModelServer(*script) as server:
        for answer in script:
            if isinstance(answer, FakeAnswer) and answer.cut is not None:
                await _ask_and_lose(client, server)
            else:
                n_bytes += len((await ask(client, server))[1])
        await server.wait_until_idle()
    totals = server.totals
    assert (totals.n_requests, totals.prompt_tokens, totals.completion_tokens) == (4, 110, 25)
    assert totals.endings == {Ending.ANSWERED: 3, Ending.CUT: 1}
    assert totals.statuses == {200: 2, 500: 1}
    assert totals.n_bytes_sent == n_bytes + 7


async def test_requests_that_ignore_a_retry_after_are_found(client: aiohttp.ClientSession) -> None:
    async with FakeModelServer(FakeAnswer.rate_limited(0.05), "too early", "in time") as server:
        assert (await ask(client, server))[0] == 429
        await ask(client, server)
        await anyio.sleep(0.06)
        await ask(client, server)
    assert [request.number for request in server.early_requests()] == [2]
    assert server.early_requests(grace_s=0.06) == ()


async def test_long_prompts_are_taken(client: aiohttp.ClientSession) -> None:
    async with FakeModelServer() as server:
        body = json.dumps({"messages": [{"role": "user", "content": "x" * 2_000_000}]}).encode()
        async with client.post(f"{server.base_url}/chat/completions", data=io.BytesIO(body)) as response:
            assert response.status == 200
    assert len(server.requests[0].last_user_text) == 2_000_000


def test_without_an_event_loop_it_serves_on_a_thread_of_its_own() -> None:
    with FakeModelServer(FakeAnswer.error(503, "busy")) as server:
        request = urllib.request.Request(f"{server.base_url}/chat/completions", data=json.dumps(HELLO).encode())
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request)
        with caught.value as answer:
            assert json.load(answer)["error"]["message"] == "busy"
        server.wait_for_requests_sync(1)
        server.wait_until_idle_sync()
    assert caught.value.code == 503


def test_it_says_how_to_be_used_when_it_was_not_started() -> None:
    with pytest.raises(RuntimeError, match="use it as a context manager"):
        _ = FakeModelServer().base_url
