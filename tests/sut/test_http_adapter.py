"""An assistant behind HTTP, by configuration alone, against real servers on real sockets."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from typing import Any

import anyio
import pytest

from hairpin.domain.conversation import Exchange
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import HttpRequest, HttpSession, HttpStream, HttpSut, ReplyPaths
from hairpin.errors import SutConnectionError
from hairpin.sut.conformance.kit import check_adapter
from hairpin.sut.conformance.report import CheckStatus
from hairpin.sut.http_adapter import HttpAdapter
from hairpin.testing import FakeModelServer
from tests.sut.http_servers import Heard, Server, Streamed, asked, http_sut, serving, status

pytestmark = pytest.mark.anyio


def say(text: Any) -> Any:
    return lambda heard: {"reply": text}


def echo(heard: Heard) -> dict[str, Any]:
    return {"reply": f"You said: {heard.json['message']}"}


async def test_an_utterance_goes_out_and_its_reply_comes_back() -> None:
    async with serving(echo) as server:
        assert await asked(http_sut(server), "Hello\n“you” 👍") == SutReply(text="You said: Hello\n“you” 👍")
    (heard,) = server.heard
    assert (heard.method, heard.path, heard.headers["Content-Type"]) == ("POST", "/chat", "application/json")
    assert heard.headers["User-Agent"] == "hairpin"


@pytest.mark.parametrize(
    ("fields", "accepts_history", "takes_reference_text"),
    [
        ({"body": {"m": "{utterance}"}}, False, False),
        ({"body": {"m": "{messages}", "c": "{context}"}}, True, True),
        ({"body": {"h": "{history}", "c": "{context.reference_text}"}}, True, True),
        ({"body": {"m": "{utterance}", "c": "{context.location}"}}, False, False),
    ],
)
def test_what_an_assistant_can_be_given_follows_from_its_templates(
    fields: dict[str, Any], accepts_history: bool, takes_reference_text: bool
) -> None:
    spec = HttpSut(request=HttpRequest(url="http://h/", **fields), idempotent_turns=True, max_sessions=2)
    found = HttpAdapter(spec, environ={}).capabilities
    assert (found.accepts_history, found.takes_reference_text) == (accepts_history, takes_reference_text)
    assert (found.idempotent_turns, found.max_sessions) == (True, 2)


def test_what_is_given_when_a_session_opens_counts_too() -> None:
    opening = HttpSession(open=HttpRequest(url="http://h/s", body={"context": "{context}", "history": "{history}"}))
    adapter = HttpAdapter(HttpSut(request=HttpRequest(url="http://h/"), session=opening), environ={})
    assert adapter.capabilities.accepts_history
    assert adapter.capabilities.takes_reference_text


def test_the_identity_is_the_name_given_else_the_address_and_the_version_the_templates() -> None:
    def identity(url: str = "http://h:1/chat", **fields: Any) -> Any:
        headers = {"X-Key": "{env." + fields.pop("variable", "A") + "}"}
        body = fields.pop("body", {"m": "{utterance}"})
        request = HttpRequest(url=url, headers=headers, body=body)
        return HttpAdapter(HttpSut(request=request, **fields), environ={}).describe()

    base = identity()
    assert (base.name, base.transport) == ("h:1/chat", "http")
    assert identity(url="https://{env.U}:{env.P}@h/c?k={env.K}").name == "h/c"
    assert identity(url="http://other:2/chat", variable="B").version == base.version
    assert identity(body={"m": "{messages}"}).version != base.version
    assert (identity(name="Bot", version="7").name, identity(name="Bot", version="7").version) == ("Bot", "7")


async def test_a_history_that_is_handed_over_comes_before_the_first_turn() -> None:
    start = SessionStart(conversation_id="c", history=(Exchange(t=0, user="u0", assistant="a0"),))
    async with serving(say("x")) as server:
        await asked(http_sut(server, body={"m": "{messages}", "t": "{t}"}), "u1", start=start)
    assert [message["content"] for message in server.bodies[0]["m"]] == ["u0", "a0", "u1"]
    assert server.bodies[0]["t"] == 1


async def test_an_assistant_that_is_down_cannot_be_connected_to() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(SutConnectionError, match=f"cannot connect to {url}/sessions: "):
            await asked(
                HttpSut(request=HttpRequest(url=url), session=HttpSession(open=HttpRequest(url=url + "/sessions")))
            )
        with pytest.raises(SutConnectionError, match=f"cannot connect to {url}: "):
            await asked(HttpSut(request=HttpRequest(url=url)))


def test_one_adapter_serves_two_event_loops_in_sequence() -> None:
    with FakeModelServer() as server:
        body: dict[str, Any] = {"model": "m", "messages": "{messages}"}
        request = HttpRequest(url=f"{server.base_url}/chat/completions", body=body)
        reply = ReplyPaths(text="choices[0].message.content")
        adapter = HttpAdapter(HttpSut(request=request, reply=reply), environ={})

        async def talk() -> SutReply | str:
            session = await adapter.open(SessionStart(conversation_id="c"))
            said = await session.send("Hi")
            await adapter.aclose()
            return said

        said = SutReply(text="You said: Hi")
        assert [anyio.run(talk), anyio.run(talk)] == [said, said]


def with_sessions(server: Server) -> HttpSut:
    session = HttpSession(
        open=HttpRequest(url=server.url + "/sessions"),
        id="id",
        close=HttpRequest(url=server.url + "/sessions/{session_id}", method="DELETE"),
    )
    return http_sut(server, "/sessions/{session_id}/turns", session=session)


def without_sessions(server: Server) -> HttpSut:
    body = {"messages": "{messages}", "about": "{context.reference_text}"}
    return http_sut(server, body=body, stream=HttpStream(text="d"), reply=ReplyPaths())


def remembering() -> Callable[[Heard], Any]:
    """Return an assistant with sessions that repeats what it hears, with its number."""
    heard_in: dict[str, int] = {}

    def answer(heard: Heard) -> Any:
        if heard.path == "/sessions":
            heard_in[name := f"s{len(heard_in)}"] = 0
            return {"id": name}
        name = heard.path.split("/")[2]
        if heard.method == "DELETE":
            del heard_in[name]
            heard_in[f"closed {name}"] = 0
            return status(204)
        heard_in[name] += 1
        return {"reply": f"{heard_in[name]}: {heard.json['message']}"}

    return answer


def repeating(heard: Heard) -> Streamed:
    """Stream what was said so far, and what the reference text is."""
    said = [message["content"] for message in heard.json["messages"] if message["role"] == "user"]
    words = f"{' / '.join(reversed(said))} ({heard.json['about']})"
    return Streamed([f"data: {json.dumps({'d': word})}\n\n".encode() for word in (words, "")] + [b"data: [DONE]\n\n"])


@pytest.mark.parametrize(("answer", "spec_of"), [(remembering(), with_sessions), (repeating, without_sessions)])
async def test_the_adapter_conforms(answer: Callable[[Heard], Any], spec_of: Callable[[Server], HttpSut]) -> None:
    async with serving(answer) as server:
        report = await check_adapter(HttpAdapter(spec_of(server), environ={}))
    wrong = [finding for finding in report.findings if finding.status is CheckStatus.FAILED]
    assert wrong == []
    assert report.finding("cancellation").status is CheckStatus.OK
