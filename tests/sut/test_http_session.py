"""Sessions at an assistant behind HTTP: opened, kept apart, closed."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from aiohttp import web

from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import HttpRequest, HttpSession, HttpStream
from hairpin.errors import AdapterFaultError, SutError
from hairpin.sut.http_adapter import HttpAdapter
from tests.sut.http_servers import Heard, asked, http_sut, serving, session_with, status

pytestmark = pytest.mark.anyio


def say(text: Any) -> Any:
    return lambda heard: {"reply": text}


async def test_a_session_has_an_id_of_its_own_even_for_the_same_conversation() -> None:
    async with serving(say("x")) as server:
        spec = http_sut(server, body={"session": "{session_id}"})
        await asked(spec)
        await asked(spec)
    one, two = (body["session"] for body in server.bodies)
    assert one != two
    assert "c1" not in (one, two)


def sessions(heard: Heard) -> Any:
    if heard.path == "/sessions":
        return status(201, {"data": {"id": f"s/{heard.json['seed']}"}})
    return {"reply": "ok"} if heard.method == "POST" else status(204)


def session_spec(url: str, **fields: Any) -> HttpSession:
    opening = HttpRequest(url=f"{url}/sessions", body={"seed": "{rng_seed}", "ours": "{session_id}"})
    closing = HttpRequest(url=url + "/sessions/{session_id}", method="DELETE")
    return HttpSession(**{"open": opening, "id": "data.id", "close": closing} | fields)


async def test_a_session_is_opened_used_and_closed_at_the_assistant() -> None:
    async with serving(sessions) as server:
        spec = http_sut(server, "/sessions/{session_id}/turns", session=session_spec(server.url))
        await asked(spec, start=SessionStart(conversation_id="c", rng_seed=5))
    assert [(heard.method, heard.path) for heard in server.heard] == [
        ("POST", "/sessions"),
        ("POST", "/sessions/s/5/turns"),
        ("DELETE", "/sessions/s/5"),
    ]


async def test_without_a_path_of_an_id_the_session_keeps_the_one_that_it_was_opened_with() -> None:
    async with serving(sessions) as server:
        spec = http_sut(server, body={"s": "{session_id}"}, session=session_spec(server.url, id=None, close=None))
        await asked(spec)
    assert server.bodies[0]["ours"] == server.bodies[1]["s"]


@pytest.mark.parametrize(
    ("answer", "path", "used"),
    [({"id": 7}, "id", "7"), ("plain-1\n", "", "plain-1"), (status(200, "json-1"), "", "json-1")],
)
async def test_an_id_may_be_a_number_or_the_whole_answer(answer: Any, path: str, used: str) -> None:
    async with serving(lambda heard: answer if heard.path == "/sessions" else {"reply": "x"}) as server:
        opening = HttpRequest(url=server.url + "/sessions")
        await asked(http_sut(server, body={"s": "{session_id}"}, session=HttpSession(open=opening, id=path)))
    assert server.bodies[-1]["s"] == used


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (status(503, {"detail": "full"}), "/sessions answered with status 503: full"),
        ({"id": None}, "told no id of the session at 'data.id'"),
        ({"data": {"id": True}}, "told no id of the session at 'data.id'"),
        ({"data": {"id": " "}}, "told no id of the session at 'data.id'"),
        ("no JSON", "answered with no JSON but text/plain: no JSON"),
    ],
)
async def test_a_session_that_cannot_be_opened_is_an_error_in_the_assistants_words(answer: Any, said: str) -> None:
    async with serving(lambda heard: answer) as server:
        with pytest.raises(SutError, match=said):
            await asked(http_sut(server, session=session_spec(server.url)))


async def test_a_session_that_cannot_be_closed_is_told_and_closed_all_the_same() -> None:
    async with serving(lambda heard: status(500, "no") if heard.method == "DELETE" else sessions(heard)) as server:
        adapter = HttpAdapter(http_sut(server, session=session_spec(server.url)), environ={})
        session = await adapter.open(SessionStart(conversation_id="c"))
        with pytest.raises(SutError, match="answered with status 500: no"):
            await session.close()
        with pytest.raises(AdapterFaultError, match="closed twice"):
            await session.close()
        with pytest.raises(AdapterFaultError, match="used again"):
            await session.send("Hi")
        await adapter.aclose()
    assert [heard.method for heard in server.heard] == ["POST", "DELETE"]


async def test_cookies_belong_to_the_session_that_they_were_set_in() -> None:
    def answer(heard: Heard) -> web.Response:
        response = web.json_response({"reply": heard.headers.get("Cookie", "none")})
        if "Cookie" not in heard.headers:
            response.set_cookie("sid", heard.json["message"])
        return response

    async with serving(answer) as server:
        adapter = HttpAdapter(http_sut(server), environ={})
        one, two = [await adapter.open(SessionStart(conversation_id="c")) for _ in range(2)]
        said = [await session.send(text) for text in ("a", "b") for session in (one, two)]
        await adapter.aclose()
    assert [reply.text for reply in said if isinstance(reply, SutReply)] == ["none", "none", "sid=a", "sid=a"]


async def test_interleaved_sessions_know_nothing_of_each_other() -> None:
    async with serving(say("ok")) as server:
        adapter = HttpAdapter(http_sut(server, body={"m": "{messages}"}), environ={})
        sessions = [await adapter.open(SessionStart(conversation_id=name)) for name in ("a", "b")]
        for n in range(3):
            async with anyio.create_task_group() as tasks:
                for name, session in zip("ab", sessions, strict=True):
                    tasks.start_soon(session.send, f"{name} {n}")
        await adapter.aclose()
    for body in server.bodies:
        said = {message["content"][0] for message in body["m"] if message["role"] == "user"}
        assert len(said) == 1


async def test_a_turn_that_is_cancelled_closes_its_connection_and_leaves_no_trace() -> None:
    arrived, given_up = anyio.Event(), anyio.Event()

    async def answer(heard: Heard) -> dict[str, str]:
        if heard.json["m"][-1]["content"] == "slow":
            arrived.set()
            try:
                await anyio.sleep_forever()
            finally:
                given_up.set()
        return {"reply": "ok"}

    async with serving(answer) as server, session_with(http_sut(server, body={"m": "{messages}"})) as session:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(session.send, "slow")
            await arrived.wait()
            tasks.cancel_scope.cancel()
        await given_up.wait()
        await session.send("quick")
    assert [message["content"] for message in server.bodies[-1]["m"]] == ["quick"]


def naming(heard: Heard) -> Any:
    """Answer as an assistant that makes up a session when it is told none, and tells its id with the reply."""
    if heard.method == "DELETE":
        return status(204)
    return {"reply": "ok", "conversation": heard.json["conversation"] or "new-1"}


async def test_an_id_that_comes_with_the_first_reply_is_sent_from_the_second_turn_on() -> None:
    async with serving(naming) as server:
        closing = HttpRequest(url=server.url + "/{session_id}", method="DELETE")
        session = HttpSession(id="conversation", close=closing)
        spec = http_sut(server, body={"conversation": "{session_id}"}, session=session)
        for said in (["Hi", "And now?", "Well?"], []):
            async with session_with(spec) as talk:
                for utterance in said:
                    await talk.send(utterance)
    assert [heard.json["conversation"] for heard in server.heard[:3]] == [None, "new-1", "new-1"]
    assert [(heard.method, heard.path) for heard in server.heard[3:]] == [("DELETE", "/new-1")]


async def test_a_first_reply_that_tells_no_id_is_no_reply() -> None:
    async with serving(say("x")) as server:
        spec = http_sut(server, body={"s": "{session_id}"}, session=HttpSession(id="conversation"))
        with pytest.raises(SutError, match=r"told no id of the session at 'conversation', where 'session.id' looks"):
            await asked(spec)


async def test_an_id_may_come_with_any_piece_of_a_streamed_reply() -> None:
    events = 'data: {"id": null, "text": "a"}\n\ndata: {"id": 7, "text": "b"}\n\ndata: [DONE]\n\n'

    def stream(heard: Heard) -> Any:
        return web.Response(text=events, content_type="text/event-stream")

    async with serving(stream) as server:
        fields: dict[str, Any] = {"stream": HttpStream(text="text"), "body": {"s": "{session_id}"}}
        async with session_with(http_sut(server, session=HttpSession(id="id"), **fields)) as talk:
            assert [await talk.send("Hi"), await talk.send("Hi")] == [SutReply(text="ab")] * 2
        assert [heard.json["s"] for heard in server.heard] == [None, "7"]
        async with session_with(http_sut(server, session=HttpSession(id="name"), **fields)) as talk:
            with pytest.raises(SutError, match="no piece with an id of the session at 'name'"):
                await talk.send("Hi")
