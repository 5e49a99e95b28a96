"""The testbed over REST, on a real socket."""

from __future__ import annotations

from importlib.metadata import version
from io import BytesIO

import anyio
import pytest

from hairpin.testbed.parsing.parser import MAX_CHARS
from hairpin.testbed.server.serving import MAX_REQUEST_BYTES
from hairpin.testbed.server.sessions import SessionLimits
from tests.testbed.own_servers import client_of, in_process

pytestmark = pytest.mark.anyio
TALK = ("Take me to Pasing", "Set the fan to level 3")


async def test_a_session_answers_what_the_testbed_answers_in_process() -> None:
    async with client_of() as client:
        opened = await client.post("/sessions", json={"conversation_id": "c1"})
        assert opened.status == 201
        session_id = (await opened.json())["session_id"]
        replies = [
            await (await client.post(f"/sessions/{session_id}/turns", json={"utterance": utterance})).json()
            for utterance in TALK
        ]
        assert (await client.delete(f"/sessions/{session_id}")).status == 204
    assert replies == await in_process(*TALK)


async def test_a_session_goes_on_after_a_history() -> None:
    history = [{"role": "user", "content": TALK[0]}, {"role": "assistant", "content": "As you like."}]
    async with client_of() as client:
        session_id = (await (await client.post("/sessions", json={"history": history})).json())["session_id"]
        reply = await client.post(f"/sessions/{session_id}/turns", json={"utterance": TALK[1]})
        assert await reply.json() == (await in_process(*TALK))[1]


async def test_opening_needs_nothing_at_all() -> None:
    async with client_of() as client:
        assert (await client.post("/sessions")).status == 201


async def test_sessions_do_not_know_of_each_other() -> None:
    async with client_of() as client:
        ids = [(await (await client.post("/sessions", json={})).json())["session_id"] for _ in range(2)]
        for session_id, place in zip(ids, ("Pasing", "Sendling"), strict=True):
            await client.post(f"/sessions/{session_id}/turns", json={"utterance": f"Take me to {place}"})
        asked = await client.post(f"/sessions/{ids[0]}/turns", json={"utterance": "Turn on the wipers"})
        assert (await asked.json())["state"]["destination"] == "Pasing"


async def test_health_names_the_assistant_and_counts_sessions() -> None:
    async with client_of() as client:
        await client.post("/sessions", json={})
        answer = await (await client.get("/health")).json()
    known = {"status": "ok", "name": "testbed", "version": f"{version('hairpin')}+wording=plain", "sessions": 1}
    assert answer == known


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "where", "hint"),
    [
        ("POST", "/sessions", b"{", 400, "body", "JSON object"),
        ("POST", "/sessions", b'"text"', 422, "body", "mend"),
        ("POST", "/sessions", b'{"contxt": {}}', 422, "body.contxt", "remove"),
        ("POST", "/sessions", b'{"rng_seed": "7"}', 422, "body.rng_seed", "mend"),
        ("POST", "/sessions", b'{"context": {"time": "noon"}}', 422, "context time", "HH:MM"),
        ("POST", "/sessions", b'{"history": [{"role": "assistant", "content": "Hi"}]}', 422, "body.history.0", "user"),
        ("POST", "/sessions/nobody/turns", b'{"utterance": "Hi"}', 404, "session", "POST /sessions"),
        ("POST", "/sessions/nobody/turns", b"{}", 422, "body.utterance", "mend"),
        ("DELETE", "/sessions/nobody", b"", 404, "session", "POST /sessions"),
        ("GET", "/sessions", b"", 405, "GET /sessions", "POST /sessions"),
        ("GET", "/", b"", 404, "GET /", "GET /health"),
    ],
)
async def test_a_wrong_request_is_told_what_where_and_the_way_out(
    method: str, path: str, body: bytes, status: int, where: str, hint: str
) -> None:
    async with client_of() as client:
        answer = await client.request(method, path, data=body)
        error = (await answer.json())["error"]
    assert answer.status == status
    assert where in error["where"]
    assert hint in error["message"]
    assert error["what"] in error["message"]


async def test_a_request_that_is_too_long_is_refused() -> None:
    async with client_of() as client:
        answer = await client.post("/sessions", data=BytesIO(b" " * (MAX_REQUEST_BYTES + 1)))
        assert answer.status == 413
        assert "too long" in (await answer.json())["error"]["message"]


async def test_an_utterance_that_nobody_says_is_refused_and_the_session_goes_on() -> None:
    async with client_of() as client:
        session_id = (await (await client.post("/sessions", json={})).json())["session_id"]
        path = f"/sessions/{session_id}/turns"
        refused = await client.post(path, json={"utterance": "a" * (MAX_CHARS + 1)})
        assert refused.status == 413
        error = (await refused.json())["error"]
        assert (error["type"], error["where"]) == ("too_large", "body.utterance")
        assert "20001 characters" in error["what"]
        assert (await client.post(path, json={"utterance": "a" * 10_000})).status == 200


async def test_a_body_that_is_not_in_the_encoding_it_names_is_the_clients_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with client_of() as client:
        answer = await client.post("/sessions", data=b"\x1f\x8bxx", headers={"Content-Encoding": "gzip"})
        assert answer.status == 400
        assert (await answer.json())["error"]["where"] == "body"
    assert "a request failed" not in caplog.text


@pytest.mark.parametrize("path", ["/sessions", "/v1/chat/completions"])
@pytest.mark.parametrize("framing", ["Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n5\r\n{"])
async def test_a_client_that_goes_away_in_mid_body_is_no_failure(
    path: str, framing: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with client_of() as client:
        address = (await client.get("/health")).url
        for _ in range(3):
            async with await anyio.connect_tcp(str(address.host), int(address.port or 0)) as stream:
                await stream.send(f"POST {path} HTTP/1.1\r\nHost: a\r\n{framing}".encode())
                await anyio.sleep(0.02)
        await anyio.sleep(0.1)
        assert (await client.get("/health")).status == 200
    assert caplog.text == ""


async def test_a_full_server_says_so_and_takes_a_session_when_one_is_closed() -> None:
    async with client_of(limits=SessionLimits(max_sessions=1)) as client:
        first = (await (await client.post("/sessions", json={})).json())["session_id"]
        refused = await client.post("/sessions", json={})
        assert refused.status == 503
        assert refused.headers["Retry-After"] == "1"
        assert "1 sessions are open" in (await refused.json())["error"]["message"]
        await client.delete(f"/sessions/{first}")
        assert (await client.post("/sessions", json={})).status == 201
