"""The testbed as an OpenAI-compatible model, on a real socket."""

from __future__ import annotations

import json
from typing import Any

import openai
import pytest

from hairpin.domain.sut_spec import FaultSpec
from hairpin.testbed.adapter import TestbedAdapter
from hairpin.testbed.parsing.parser import MAX_CHARS
from hairpin.testbed.server.chat import ChatMessage, conversation
from tests.testbed.own_servers import client_of, in_process

pytestmark = pytest.mark.anyio
FIRST, SECOND = "Take me to Pasing", "Set the fan to level 3"


def user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def asking(*messages: dict[str, Any], **more: object) -> dict[str, object]:
    return {"model": "testbed", "messages": list(messages), **more}


async def test_the_state_is_rebuilt_from_the_messages_of_each_request() -> None:
    messages = [user(FIRST)]
    async with client_of() as client:
        first = await (await client.post("/v1/chat/completions", json=asking(*messages))).json()
        messages += [first["choices"][0]["message"], user(SECOND)]
        second = await (await client.post("/v1/chat/completions", json=asking(*messages))).json()
    got = [
        {"text": a["choices"][0]["message"]["content"], "ended": a["ended"], "state": a["state"]}
        for a in (first, second)
    ]
    assert got == await in_process(FIRST, SECOND)


async def test_conversation_context_and_random_seed_travel_in_the_first_system_message() -> None:
    adapter = TestbedAdapter(faults=(FaultSpec(id="F6"),))
    start = {"conversation_id": "c7", "rng_seed": 3, "context": {"vehicle": {"moving": True}}}
    system = {"role": "system", "content": json.dumps(start)}
    async with client_of(adapter) as client:
        await client.post("/v1/chat/completions", json=asking(system, user("Turn off the airbag")))
    assert [(strike.conversation_id, strike.fault) for strike in adapter.fault_log] == [("c7", "F6")]


async def test_faults_of_earlier_turns_are_not_logged_again() -> None:
    adapter = TestbedAdapter(faults=(FaultSpec(id="F6"),))
    said = [user("Turn off the airbag"), {"role": "assistant", "content": "Done."}, user("Thanks")]
    async with client_of(adapter) as client:
        await client.post("/v1/chat/completions", json=asking(*said))
    assert adapter.fault_log == ()


async def test_an_utterance_that_nobody_says_is_refused() -> None:
    async with client_of() as client:
        answer = await client.post("/v1/chat/completions", json=asking(user(FIRST), user("a" * (MAX_CHARS + 1))))
        error = (await answer.json())["error"]
    assert (answer.status, error["type"], error["where"]) == (413, "too_large", "body.messages.1.content")


@pytest.mark.parametrize("prompt", ["You are a car.", "[1]", "{not json", ""])
async def test_any_other_system_message_is_a_prompt_that_changes_nothing(prompt: str) -> None:
    told = (ChatMessage(role="system", content=prompt), ChatMessage(role="user", content="Hi"))
    start, utterance = conversation(told)
    assert (start.conversation_id, start.rng_seed, start.history, utterance) == ("chat", 0, (), "Hi")


async def test_openais_own_client_can_talk_to_it() -> None:
    async with client_of() as client:
        health = await client.get("/health")
        async with openai.AsyncOpenAI(base_url=str(health.url.with_path("/v1")), api_key="none") as model:
            names = [entry.id async for entry in await model.models.list()]
            whole = await model.chat.completions.create(
                model="testbed", messages=[{"role": "user", "content": FIRST}], temperature=0.2
            )
            stream = await model.chat.completions.create(
                model="testbed", messages=[{"role": "user", "content": [{"type": "text", "text": FIRST}]}], stream=True
            )
            chunks = [chunk async for chunk in stream]
    assert names == ["testbed"]
    text = whole.choices[0].message.content
    assert text == (await in_process(FIRST))[0]["text"]
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == text
    assert chunks[-1].choices[0].finish_reason == "stop"
    assert chunks[-1].model_extra == {"ended": False, "state": (await in_process(FIRST))[0]["state"]}


@pytest.mark.parametrize(
    ("body", "status", "where"),
    [
        (asking(), 422, "body.messages"),
        (asking(user("Hi"), {"role": "assistant", "content": "Hi"}), 422, "body.messages.1"),
        (asking({"role": "assistant", "content": "Hi"}, user("Hi")), 422, "body.messages.0"),
        (asking({"role": "tool", "content": "Hi"}, user("Hi")), 422, "body.messages.0.role"),
        (asking({"role": "system", "content": '{"seed": 1}'}, user("Hi")), 422, "body.messages.0.content.seed"),
        (asking({"role": "system", "content": '{"context": {"time": "x"}}'}, user("Hi")), 422, "context time"),
        ({"model": "gpt", "messages": [user("Hi")]}, 404, "body.model"),
    ],
)
async def test_a_wrong_request_is_told_what_and_where(body: dict[str, object], status: int, where: str) -> None:
    async with client_of() as client:
        answer = await client.post("/v1/chat/completions", json=body)
        assert answer.status == status
        assert where in (await answer.json())["error"]["where"]
