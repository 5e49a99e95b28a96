from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import pytest
from pydantic import JsonValue

from hairpin.testing import FakeAnswer, FakeModelServer, FakeRequest, embed_texts, text_vector, vectors_answer

pytestmark = pytest.mark.anyio


@pytest.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def post(client: aiohttp.ClientSession, server: FakeModelServer, texts: JsonValue) -> tuple[int, JsonValue]:
    body = {"model": "m", "input": texts}
    async with client.post(f"{server.base_url}/embeddings", json=body) as response:
        return response.status, await response.json()


async def test_each_text_has_a_vector_of_its_own_in_order(client: aiohttp.ClientSession) -> None:
    async with FakeModelServer() as server:
        status, answer = await post(client, server, ["a", "b", "a"])
        assert await post(client, server, "a") == (200, vectors_answer([text_vector("a")], model="m").body)
    assert isinstance(answer, dict)
    assert isinstance(answer["data"], list)
    found = [(item["index"], item["embedding"]) for item in answer["data"] if isinstance(item, dict)]
    assert (status, found) == (200, [(0, text_vector("a")), (1, text_vector("b")), (2, text_vector("a"))])
    assert text_vector("a") != text_vector("b")
    assert [request.body for request in server.embedding_requests] == [
        {"model": "m", "input": ["a", "b", "a"]},
        {"model": "m", "input": "a"},
    ]
    assert server.chat_requests == ()


@pytest.mark.parametrize("texts", [[""], ["a", ""], [], None])
async def test_empty_texts_are_refused_like_openai_does(client: aiohttp.ClientSession, texts: JsonValue) -> None:
    async with FakeModelServer() as server:
        status, answer = await post(client, server, texts)
    assert status == 400
    assert "an empty string is no input" in str(answer)


async def test_scripts_of_vectors_and_completions_do_not_meet(client: aiohttp.ClientSession) -> None:
    def counted(request: FakeRequest) -> FakeAnswer:
        return FakeAnswer(body={"n": len(server.embedding_requests)})

    async with FakeModelServer("a completion", embed=counted) as server:
        server.script_embeddings(FakeAnswer.rate_limited(1), embed_texts)
        statuses = [(await post(client, server, ["a"]))[0] for _ in range(2)]
        assert statuses == [429, 200]
        assert await post(client, server, ["a"]) == (200, {"n": 3})
