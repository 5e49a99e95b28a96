"""An OpenAI-compatible assistant, against a real server on a real socket."""

from __future__ import annotations

import asyncio
import json
import math
import socket
import traceback
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from pydantic import JsonValue

from hairpin.domain.conversation import Exchange
from hairpin.domain.sut import SessionStart, SutReply, TokenUsage
from hairpin.domain.sut_spec import OpenAiCompatibleSut
from hairpin.domain.users import Context
from hairpin.errors import AdapterFaultError, HairpinError, InvalidInputError, SutConnectionError, SutError, UserError
from hairpin.ports import SutSession
from hairpin.sut import http_client
from hairpin.sut.openai_compatible import OpenAiCompatibleAdapter
from hairpin.testing import FakeAnswer, FakeModelServer, FakeRequest

pytestmark = pytest.mark.anyio

CONTEXT = Context(
    location="Lyon",
    date="2026-11-29",
    time="17:40",
    vehicle={"battery_percent": 40.0, "parked": False},
    reference_text="The museum closes at 18:00.",
)


def adapter_for(base_url: str, environ: Mapping[str, str] | None = None, **fields: Any) -> OpenAiCompatibleAdapter:
    return OpenAiCompatibleAdapter(OpenAiCompatibleSut(base_url=base_url, model="m-1", **fields), environ=environ or {})


def start(conversation_id: str = "c0001", **fields: Any) -> SessionStart:
    return SessionStart(conversation_id=conversation_id, **fields)


@asynccontextmanager
async def session_on(server: FakeModelServer, **fields: Any) -> AsyncIterator[SutSession]:
    adapter = adapter_for(server.base_url, **fields)
    session = await adapter.open(start())
    try:
        yield session
    finally:
        await session.close()
        await adapter.aclose()


def text_of(reply: SutReply | str) -> str:
    assert isinstance(reply, SutReply)
    return reply.text


async def error_for(answer: FakeAnswer) -> str:
    """What the adapter says of one bad answer; also: it asked once, and the next turn works as if nothing was."""
    async with FakeModelServer(answer, "good") as server, session_on(server) as session:
        with pytest.raises(SutError) as caught:
            await session.send("Hi")
        assert len(server.requests) == 1, "no retries"
        assert text_of(await session.send("Again")) == "good"
        assert server.chat_requests[-1].messages == [{"role": "user", "content": "Again"}], (
            "a failed turn leaves no trace"
        )
        assert server.base_url in str(caught.value)
    return str(caught.value)


async def test_a_conversation_grows_as_a_list_of_messages() -> None:
    async with (
        FakeModelServer("Where to?", "Done.") as server,
        session_on(server, system_prompt="Be brief.") as session,
    ):
        assert await session.send("Hello") == SutReply(
            text="Where to?",
            usage=TokenUsage(prompt_tokens=10, completion_tokens=5),
            metadata={"finish_reason": "stop"},
        )
        await session.send("Home")
    assert server.requests[1].body == {
        "model": "m-1",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Where to?"},
            {"role": "user", "content": "Home"},
        ],
    }


async def test_the_context_is_in_the_first_message_of_every_request() -> None:
    async with FakeModelServer() as server:
        adapter = adapter_for(server.base_url, system_prompt="Be brief.")
        session = await adapter.open(start(context=CONTEXT))
        for utterance in ("one", "two", "three"):
            await session.send(utterance)
        await adapter.aclose()
    firsts = {json.dumps(request.messages[0]) for request in server.requests}
    assert [json.loads(first) for first in firsts] == [
        {
            "role": "system",
            "content": "Be brief.\n\nCurrent context\nLocation: Lyon\nDate: 2026-11-29\nTime: 17:40\n"
            "Vehicle battery percent: 40\nVehicle parked: no\n\nReference text:\nThe museum closes at 18:00.",
        }
    ]


@pytest.mark.parametrize("prompt", [None, "Be brief."])
async def test_the_context_as_json_is_a_message_of_its_own_before_all_others(prompt: str | None) -> None:
    """A server of states reads out of it which conversation it is in."""
    earlier = (Exchange(t=0, user="u0", assistant="a0"),)
    async with FakeModelServer() as server:
        adapter = adapter_for(server.base_url, system_prompt=prompt, context="json")
        session = await adapter.open(start(context=CONTEXT, rng_seed=7, history=earlier))
        await session.send("one")
        await session.send("two")
        await adapter.aclose()
    for request in server.requests:
        first, *others = request.messages
        assert first["role"] == "system"
        assert json.loads(str(first["content"])) == {
            "conversation_id": "c0001",
            "rng_seed": 7,
            "context": CONTEXT.model_dump(mode="json"),
        }
        said = [str(message["content"]) for message in others]
        assert said[: said.index("one") + 1] == [*([prompt] if prompt else []), "u0", "a0", "one"]


STATE: dict[str, JsonValue] = {"choices": [{"message": {"content": "x"}}], "extra": {"car": {"speed": 3}}}


async def test_the_side_channel_is_read_out_of_the_answer() -> None:
    for path, state in (("extra.car", {"speed": 3}), ("extra.boat", None), (None, None)):
        async with FakeModelServer(FakeAnswer(body=STATE)) as server, session_on(server, state=path) as session:
            assert await session.send("Hi") == SutReply(text="x", state=state)


async def test_a_side_channel_that_is_no_object_is_an_error() -> None:
    async with FakeModelServer(FakeAnswer(body=STATE)) as server, session_on(server, state="choices") as session:
        with pytest.raises(SutError, match="has no object at 'choices', where its state is said to be"):
            await session.send("Hi")


async def test_only_parameters_that_are_set_are_sent_and_all_of_them() -> None:
    parameters: dict[str, JsonValue] = {"temperature": 0, "top_p": 0.5, "metadata": {"a": [1, None]}}
    async with FakeModelServer() as server:
        for fields in ({}, {"parameters": parameters}):
            async with session_on(server, **fields) as session:
                await session.send("Hi")
    plain, full = (request.body for request in server.requests)
    assert isinstance(plain, dict)
    assert set(plain) == {"model", "messages"}
    assert full == {**plain, **parameters}


async def test_a_history_that_is_handed_over_comes_before_the_first_turn() -> None:
    async with FakeModelServer() as server:
        adapter = adapter_for(server.base_url)
        assert adapter.capabilities.accepts_history
        session = await adapter.open(start(history=(Exchange(t=0, user="u0", assistant="a0"),)))
        await session.send("u1")
        await adapter.aclose()
    assert [m["content"] for m in server.requests[0].messages] == ["u0", "a0", "u1"]


async def test_interleaved_sessions_know_nothing_of_each_other() -> None:
    """Nor through cookies, which a server may set to tell its clients apart."""
    cookie = FakeAnswer("x", headers={"Set-Cookie": "conversation=1"})
    async with FakeModelServer(default=cookie) as server:
        adapter = adapter_for(server.base_url)
        one, two = await adapter.open(start("c1")), await adapter.open(start("c2"))
        for utterance in ("first", "second", "third"):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(one.send, f"one {utterance}")
                tasks.start_soon(two.send, f"two {utterance}")
        await adapter.aclose()
    for request in server.requests:
        said = [str(message["content"]).split()[0] for message in request.messages if message["role"] == "user"]
        assert len(set(said)) == 1
        assert "Cookie" not in request.headers


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (FakeAnswer(text=""), ""),
        (FakeAnswer(text=None), ""),
        (FakeAnswer(text=None, refusal="I can't help with that."), "I can't help with that."),
        (FakeAnswer(text="Half an ans", finish_reason="length"), "Half an ans"),
        (FakeAnswer(body={"choices": [{"message": {"content": [{"type": "text", "text": "in parts"}]}}]}), "in parts"),
        (FakeAnswer(body='{"choices": [{"message": {"content": "half \\ud83d"}}]}'), "half �"),
        (FakeAnswer(text="plain", content_type="text/plain"), "plain"),
    ],
)
async def test_an_unusual_reply_is_still_a_reply(answer: FakeAnswer, text: str) -> None:
    async with FakeModelServer(answer) as server, session_on(server) as session:
        assert text_of(await session.send("Hi")) == text


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        (None, None),
        ({}, TokenUsage()),
        ({"prompt_tokens": 0, "completion_tokens": 3}, TokenUsage(prompt_tokens=0, completion_tokens=3)),
    ],
)
async def test_unknown_usage_is_unknown_not_zero(usage: dict[str, int] | None, read: TokenUsage | None) -> None:
    async with FakeModelServer(FakeAnswer("x", usage=usage)) as server, session_on(server) as session:
        reply = await session.send("Hi")
        assert isinstance(reply, SutReply)
        assert reply.usage == read


UPSTREAM_BUSY: JsonValue = {
    "id": None,
    "object": None,
    "choices": None,
    "usage": None,
    "error": {"code": 429, "message": "upstream busy"},
}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (FakeAnswer.error(503, "busy"), "status 503: (invalid_request_error) busy"),
        (
            FakeAnswer.error(400, "too many tokens: 9012 > 8192", code="context_length_exceeded"),
            "status 400: (context_length_exceeded) too many tokens: 9012 > 8192",
        ),
        (FakeAnswer(status=422, body={"detail": [{"msg": "bad"}]}), 'status 422: [{"msg": "bad"}]'),
        (FakeAnswer(status=500, body="out of memory", content_type="text/plain"), "status 500: out of memory"),
        (FakeAnswer(status=500, body="", content_type="text/plain"), "status 500: nothing"),
        (FakeAnswer(body=UPSTREAM_BUSY), "an error inside status 200: (429) upstream busy"),
        (FakeAnswer(body={"choices": None}), "no choices: null"),
        (FakeAnswer(body={"choices": []}), "no choices: []"),
        (FakeAnswer(body={}), "no choices: null"),
        (FakeAnswer(body={"choices": ["x"]}), "the first choice is no object"),
        (FakeAnswer(body={"choices": [{"finish_reason": "stop"}]}), "the first choice has no message"),
        (FakeAnswer(body={"choices": [{"message": {"content": 7}}]}), "the message's content is a int, not text"),
        (
            FakeAnswer(body="<html><head><title>Sign\nin</title></head></html>", content_type="text/html"),
            "no JSON object but text/html: a page titled 'Sign\\nin'",
        ),
        (FakeAnswer(body="[1, 2]"), "no JSON object but application/json: [1, 2]"),
        (FakeAnswer(body="[" * 100_000), "no JSON object but application/json: [["),
        (FakeAnswer(body=b"\xff\xfe"), "no JSON object but application/json: ��"),
        (FakeAnswer(status=307, headers={"Location": "http://elsewhere.example/"}), "redirects are not followed"),
    ],
)
async def test_what_is_no_reply_is_an_error_in_the_providers_words(answer: FakeAnswer, said: str) -> None:
    assert said in await error_for(answer)


async def test_an_error_text_is_cut_to_one_short_line() -> None:
    message = await error_for(FakeAnswer(status=500, body="long\nwords " * 5_000, content_type="text/plain"))
    assert len(message) < 450
    assert "\n" not in message


async def test_an_oversized_answer_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "MAX_ANSWER_BYTES", 1024**2)
    assert "more than 1 MiB" in await error_for(FakeAnswer("x" * 1024**2))


async def test_a_server_that_is_down_cannot_be_connected_to() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        adapter = adapter_for(f"http://127.0.0.1:{taken.getsockname()[1]}/v1")
        session = await adapter.open(start())
        with pytest.raises(
            SutConnectionError, match=r"cannot connect to http://127\.0\.0\.1:\d+/v1/chat/completions: "
        ):
            await session.send("Hi")
        await adapter.aclose()


@asynccontextmanager
async def cut_off(payload: bytes) -> AsyncIterator[str]:
    """A raw server that sends ``payload`` to whoever asks and hangs up."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(payload)
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1?key=KEY-abc123"


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        (b"", "was lost"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", "was lost"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "not HTTP"),
        (b"KEY-abc123 is no HTTP\r\n\r\n", "not HTTP"),
    ],
)
async def test_a_connection_lost_on_the_way_is_an_error_not_an_unreachable_server(payload: bytes, said: str) -> None:
    async with cut_off(payload) as base_url:
        adapter = adapter_for(base_url)
        session = await adapter.open(start())
        with pytest.raises(SutError, match=said) as caught:
            await session.send("Hi")
        await adapter.aclose()
    assert "KEY-abc123" not in shown(caught.value)


async def test_cancelling_in_mid_turn_closes_the_request_and_the_session_stays_closable() -> None:
    async with FakeModelServer(FakeAnswer(delay_s=math.inf)) as server:
        adapter = adapter_for(server.base_url)
        session = await adapter.open(start())
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(session.send, "Hi")
            await server.wait_for_requests(1)
            tasks.cancel_scope.cancel()
        await server.wait_until_idle()
        assert server.requests[0].client_gone
        await session.close()
        await adapter.aclose()
        assert len(server.requests) == 1


async def test_a_closed_session_is_neither_used_nor_closed_again() -> None:
    session = await adapter_for("http://127.0.0.1:9/v1").open(start())
    await session.close()
    with pytest.raises(AdapterFaultError, match="used again"):
        await session.send("Hi")
    with pytest.raises(AdapterFaultError, match="closed twice"):
        await session.close()


def test_one_adapter_serves_two_event_loops_in_sequence() -> None:
    """Nothing is bound to the loop in which the adapter was made (B12)."""
    with FakeModelServer() as server:
        adapter = adapter_for(server.base_url)

        async def talk() -> str:
            session: SutSession = await adapter.open(start())
            reply = await session.send("Hi")
            await adapter.aclose()
            return text_of(reply)

        assert [anyio.run(talk), anyio.run(talk)] == ["You said: Hi", "You said: Hi"]


async def test_the_key_is_read_from_the_variable_named() -> None:
    async with FakeModelServer() as server:
        adapter = adapter_for(server.base_url, {"MY_KEY": " sk-1\n"}, api_key_env="MY_KEY")
        await (await adapter.open(start())).send("Hi")
        await adapter.aclose()
    assert server.requests[0].headers["Authorization"] == "Bearer sk-1"


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({}, "environment variable MY_KEY is not set"),
        ({"MY_KEY": " "}, "environment variable MY_KEY is not set"),
        ({"MY_KEY": "sk-1\r\nX-Evil: 1"}, "MY_KEY holds characters that no key has"),
    ],
)
async def test_a_missing_or_broken_key_is_the_users_to_mend(environ: dict[str, str], said: str) -> None:
    with pytest.raises(UserError, match=said) as caught:
        await adapter_for("http://127.0.0.1:9/v1", environ, api_key_env="MY_KEY").open(start())
    assert "sk-1" not in shown(caught.value)


async def test_a_login_in_the_address_and_a_key_together_are_refused() -> None:
    adapter = adapter_for("http://bot:s3cretPW@127.0.0.1:9/v1", {"MY_KEY": "sk-1"}, api_key_env="MY_KEY")
    with pytest.raises(UserError, match="both a user name in base_url and a key in MY_KEY") as caught:
        await adapter.open(start())
    assert "s3cretPW" not in shown(caught.value)


@pytest.mark.parametrize(
    "base_url", ["", "localhost:8000/v1", "javascript:alert(5)", "http://", "ftp://x/y", "http://[::1"]
)
def test_what_is_no_http_address_is_refused(base_url: str) -> None:
    with pytest.raises(InvalidInputError, match="base_url: not an HTTP address"):
        adapter_for(base_url)


@pytest.mark.parametrize("name", ["messages", "model", "stream"])
def test_parameters_that_hairpin_sets_are_refused(name: str) -> None:
    with pytest.raises(InvalidInputError, match=f"parameters: '{name}' cannot be set"):
        adapter_for("http://127.0.0.1:9/v1", parameters={name: True})


async def test_the_address_keeps_its_query_and_its_login_becomes_basic_authentication() -> None:
    async with FakeModelServer() as server:
        url = server.base_url.replace("://", "://bot:s3cret%2FPW@") + "/?api-version=3"
        adapter = adapter_for(url)
        await (await adapter.open(start())).send("Hi")
        await adapter.aclose()
    (request,) = server.requests
    assert (request.path, request.query) == ("/v1/chat/completions", "api-version=3")
    assert request.headers["Authorization"] == "Basic Ym90OnMzY3JldC9QVw=="


SECRETS = ("s3cretPW", "KEY-abc123", "TOK-zzz999", "sk-test-000111", "Ym90OnMzY3JldFBX")


def echo_everything(request: FakeRequest) -> FakeAnswer:
    told = {"headers": dict(request.headers), "query": request.query, "body": request.body}
    return FakeAnswer(status=422, body={"error": {"message": json.dumps(told)}})


@pytest.mark.parametrize("login", ["", "bot:s3cretPW@"])
async def test_credentials_never_come_back_in_a_message(login: str) -> None:
    """A server that echoes the whole request in its error, and one that cannot be reached (B19)."""
    key = {} if login else {"api_key_env": "OPENAI_API_KEY"}
    async with FakeModelServer(default=echo_everything) as server:
        url = server.base_url.replace("://", f"://{login}") + "?api_key=KEY-abc123"
        adapter = adapter_for(url, {"OPENAI_API_KEY": "sk-test-000111"}, **key)
        session = await adapter.open(start())
        errors: list[HairpinError] = []
        with pytest.raises(SutError) as answered:
            await session.send("Hi")
        await adapter.aclose()
    with pytest.raises(SutConnectionError) as unreachable:
        await session.send("Hi")
    await adapter.aclose()
    errors += [answered.value, unreachable.value]
    texts = [shown(error) for error in errors] + [repr(adapter), repr(session), str(adapter.describe())]
    assert [secret for secret in SECRETS for text in texts if secret in text] == []
    assert "127.0.0.1" in str(errors[0])
    assert "/v1/chat/completions" in str(errors[0])


def echo_everything_in_a_reply(request: FakeRequest) -> FakeAnswer:
    told = json.dumps({"headers": dict(request.headers), "query": request.query})
    message: dict[str, JsonValue] = {"content": told, "tool_calls": [{"function": {"name": "f", "arguments": told}}]}
    return FakeAnswer(body={"choices": [{"message": message, "finish_reason": told}]})


@pytest.mark.parametrize("login", ["", "bot:s3cretPW@"])
async def test_credentials_never_come_back_in_a_reply(login: str) -> None:
    key = {} if login else {"api_key_env": "OPENAI_API_KEY"}
    async with FakeModelServer(default=echo_everything_in_a_reply) as server:
        url = server.base_url.replace("://", f"://{login}") + "?api_key=KEY-abc123&region=Paris"
        adapter = adapter_for(url, {"OPENAI_API_KEY": "sk-test-000111"}, **key)
        reply = await (await adapter.open(start())).send("Hi")
        await adapter.aclose()
    assert isinstance(reply, SutReply)
    assert set(reply.metadata) == {"tool_calls", "finish_reason"}
    assert [secret for secret in SECRETS if secret in reply.model_dump_json()] == []
    assert "***" in reply.text
    assert "region=Paris" in reply.text, "what is no credential is left as the server said it"


async def test_credentials_never_come_back_in_a_content_type() -> None:
    def echo(request: FakeRequest) -> FakeAnswer:
        _, _, credentials = request.headers["Authorization"].partition(" ")
        return FakeAnswer(body="no", content_type=f"text/{credentials}")

    async with FakeModelServer(default=echo) as server:
        adapter = adapter_for(server.base_url.replace("://", "://bot:s3cretPW@"))
        with pytest.raises(SutError, match=r"no JSON object but text/\*\*\*") as caught:
            await (await adapter.open(start())).send("Hi")
        await adapter.aclose()
    assert "ym90onmzy3jldfbx" not in shown(caught.value)


def shown(error: BaseException) -> str:
    """Everything that a log with tracebacks would show of an error."""
    return "".join(traceback.format_exception(error))


def test_name_version_and_number_of_sessions_can_be_given() -> None:
    adapter = adapter_for("http://127.0.0.1:1/v1", name="Bot", version="7", max_sessions=3)
    assert (adapter.describe().name, adapter.describe().version) == ("Bot", "7")
    assert adapter.capabilities.max_sessions == 3


def test_the_identity_changes_with_prompt_and_parameters_but_not_with_the_address() -> None:
    base = adapter_for("http://127.0.0.1:1/v1").describe()
    assert base.name == "m-1"
    assert adapter_for("http://127.0.0.1:2/v1").describe() == base
    assert adapter_for("http://127.0.0.1:1/v1", system_prompt="x").describe() != base
    assert adapter_for("http://127.0.0.1:1/v1", parameters={"top_p": 1}).describe() != base
    assert adapter_for("http://127.0.0.1:1/v1", context="json").describe() != base
