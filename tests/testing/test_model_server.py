"""The fake model server: what users of ``hairpin.testing`` can rely on."""

from __future__ import annotations

import json
import math
import socket
import urllib.error
import urllib.request
from collections.abc import AsyncIterator

import aiohttp
import anyio
import anyio.lowlevel
import pytest
from pydantic import JsonValue

from hairpin.testing import FakeAnswer, FakeModelServer, FakeRequest

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
    with pytest.raises(aiohttp.ClientConnectionError):
        await ask(client, server)


def test_without_an_event_loop_it_serves_on_a_thread_of_its_own() -> None:
    with FakeModelServer(FakeAnswer.error(503, "busy")) as server:
        request = urllib.request.Request(f"{server.base_url}/chat/completions", data=json.dumps(HELLO).encode())
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request)
        with caught.value as answer:
            assert json.load(answer)["error"]["message"] == "busy"
        server.wait_for_requests_sync(1)
    assert caught.value.code == 503


def test_it_says_how_to_be_used_when_it_was_not_started() -> None:
    with pytest.raises(RuntimeError, match="use it as a context manager"):
        _ = FakeModelServer().base_url
