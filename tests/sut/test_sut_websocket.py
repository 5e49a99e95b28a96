"""Assistants behind a WebSocket, against a real server on a real socket."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.conversation import Exchange
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import Match, ReplyPaths, WebSocketSut
from hairpin.domain.users import Context
from hairpin.errors import AdapterFaultError, HairpinError, SutConnectionError, SutError, UserError
from hairpin.ports import SutSession
from hairpin.sut.message_reply import MessageReply
from hairpin.sut.redaction import Redactor
from hairpin.sut.websocket import WebSocketAdapter

pytestmark = pytest.mark.anyio

Handler = Callable[[web.WebSocketResponse, web.Request], Awaitable[None]]
JSON_REPLY = ReplyPaths(text="text", ended="end", state="state", error="error")


class Server:
    """A WebSocket server; ``heard`` are the messages that came, ``closed`` how each connection ended."""

    def __init__(self, handler: Handler) -> None:
        self.url = ""
        self.heard: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.queries: list[dict[str, str]] = []
        self.closed: list[int | None] = []
        self.one_closed = anyio.Event()
        self._handler = handler

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        ws = web.WebSocketResponse(protocols=("chat.v1",))
        await ws.prepare(request)
        self.headers.append(dict(request.headers))
        self.queries.append(dict(request.query))
        try:
            await self._handler(ws, request)
        finally:
            self.closed.append(ws.close_code)
            self.one_closed.set()
        return ws


@asynccontextmanager
async def running(app: web.Application) -> AsyncIterator[str]:
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"ws://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[Server]:
    server = Server(handler)
    app = web.Application()
    app.router.add_get("/chat", server.handle)
    async with running(app) as origin:
        server.url = f"{origin}/chat"
        yield server


def answering(*messages: str | bytes, record: list[str] | None = None) -> Handler:
    """Send these messages after each one that comes."""

    async def handler(ws: web.WebSocketResponse, request: web.Request) -> None:
        async for message in ws:
            if record is not None:
                record.append(message.data)
            for answer in messages:
                await (ws.send_str(answer) if isinstance(answer, str) else ws.send_bytes(answer))

    return handler


async def echo(ws: web.WebSocketResponse, request: web.Request) -> None:
    async for message in ws:
        await ws.send_str(f"You said: {message.data}")


@asynccontextmanager
async def session_at(url: str, *, environ: dict[str, str] | None = None, **fields: Any) -> AsyncIterator[SutSession]:
    adapter = WebSocketAdapter(WebSocketSut(url=url, **fields), environ=environ or {})
    try:
        session = await adapter.open(
            SessionStart(conversation_id="c0001", context=Context(location="Lyon"), rng_seed=7)
        )
        try:
            yield session
        finally:
            await session.close()
    finally:
        await adapter.aclose()


async def reply_to(handler: Handler, utterance: str = "Hi", **fields: Any) -> SutReply:
    async with serving(handler) as server, session_at(server.url, **fields) as session:
        reply = await session.send(utterance)
        assert isinstance(reply, SutReply)
        return reply


async def error_of(handler: Handler, **fields: Any) -> str:
    with pytest.raises(SutError) as caught:
        await reply_to(handler, **fields)
    return str(caught.value)


async def test_a_text_is_sent_as_it_is_and_answered_as_it_is() -> None:
    assert (await reply_to(echo, "Grüß Gott 🚗\n„ok“")).text == "You said: Grüß Gott 🚗\n„ok“"


async def test_one_connection_serves_all_turns_of_a_session_and_another_the_next_session() -> None:
    async def counting(ws: web.WebSocketResponse, request: web.Request) -> None:
        n = 0
        async for _ in ws:
            n += 1
            await ws.send_str(str(n))

    async with serving(counting) as server, session_at(server.url) as one, session_at(server.url) as other:
        replies = [await session.send("go") for session in (one, other, one, one, other)]
        assert [reply.text for reply in replies if isinstance(reply, SutReply)] == ["1", "1", "2", "3", "2"]


async def test_what_is_no_text_is_sent_as_json_with_all_that_a_turn_has() -> None:
    heard: list[str] = []
    send = {"q": "{utterance}", "n": "{t}", "where": "{context.location}", "seed": "{rng_seed}", "all": "{messages}"}
    async with serving(answering("ok", record=heard)) as server, session_at(server.url, send=send) as session:
        await session.send("one")
        await session.send("two")
    first, second = (json.loads(text) for text in heard)
    assert first == {
        "q": "one", "n": 0, "where": "Lyon", "seed": 7, "all": [{"role": "user", "content": "one"}],
    }  # fmt: skip
    assert [message["content"] for message in second["all"]] == ["one", "ok", "two"]


async def test_a_history_handed_over_is_part_of_what_is_sent() -> None:
    heard: list[str] = []
    async with serving(answering("ok", record=heard)) as server:
        adapter = WebSocketAdapter(WebSocketSut(url=server.url, send="{history}"), environ={})
        assert adapter.capabilities.accepts_history
        history = (Exchange(t=0, user="a", assistant="b"),)
        session = await adapter.open(SessionStart(conversation_id="c1", history=history))
        await session.send("c")
        await session.close()
        await adapter.aclose()
    assert json.loads(heard[0]) == [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]


async def test_says_hello_and_waits_until_the_assistant_is_ready() -> None:
    async def handler(ws: web.WebSocketResponse, request: web.Request) -> None:
        await ws.send_str('{"type": "welcome"}')
        hello = await ws.receive_json()
        await ws.send_str('{"type": "ready"}')
        async for message in ws:
            await ws.send_str(f"{hello['place']}: {message.data}")

    ready = Match(path="type", equals=("ready",))
    assert (await reply_to(handler, hello={"place": "{context.location}"}, ready=ready)).text == "Lyon: Hi"


async def test_an_assistant_that_hangs_up_instead_of_getting_ready_is_no_session() -> None:
    async def handler(ws: web.WebSocketResponse, request: web.Request) -> None:
        await ws.close(code=1008, message=b"no more seats")

    said = await error_of(handler, ready=Match(path="type"))
    assert "before the first turn" in said
    assert "1008: no more seats" in said


@pytest.mark.parametrize(
    ("greeting", "came"),
    [('{"type": "welcome", "key": "s3cretPW"}', '{"type": "welcome", "key": "'), (None, "nothing")],
)
async def test_an_assistant_that_never_gets_ready_is_told_before_the_time_out(greeting: str | None, came: str) -> None:
    async def handler(ws: web.WebSocketResponse, request: web.Request) -> None:
        if greeting is not None:
            await ws.send_str(greeting)
        await ws.receive()

    async with serving(handler) as server:
        spec = WebSocketSut(
            url=server.url, headers={"X-Key": "{env.KEY}"}, ready=Match(path="type", equals=("redy", "go"))
        )
        adapter = WebSocketAdapter(spec, environ={"KEY": "s3cretPW"})
        with anyio.fail_after(1), pytest.raises(SutError) as caught:
            await adapter.open(SessionStart(conversation_id="c1"))
        await adapter.aclose()
    said = str(caught.value)
    assert "which 'ready' waits for ('type' is \"redy\" or \"go\"); last came: " + came in said
    assert "s3cretPW" not in said


async def test_an_error_in_place_of_ready_is_the_assistants_error() -> None:
    said = await error_of(answering('{"error": "bad hello"}'), hello="x", ready=Match(path="type"), reply=JSON_REPLY)
    assert "answered with an error: bad hello" in said


async def test_the_parts_of_a_reply_are_found_by_their_paths() -> None:
    answer = '{"text": "Bye.", "end": true, "state": {"parked": true}, "error": null}'
    reply = await reply_to(answering(answer), reply=JSON_REPLY)
    assert reply == SutReply(text="Bye.", ended=True, state={"parked": True})


async def test_pieces_are_joined_up_to_the_last_and_other_messages_passed_over() -> None:
    messages: list[str | bytes] = [
        '{"type": "typing"}',
        '{"type": "piece", "text": "Turn "}',
        b'{"type": "piece", "text": "left."}',
        b"\xff\x00 audio",
        '{"type": "done", "state": {"x": 1}}',
    ]
    fields: dict[str, Any] = {
        "only": Match(path="type", equals=("piece",)),
        "until": Match(path="type", equals=("done",)),
    }
    reply = await reply_to(answering(*messages), reply=JSON_REPLY, **fields)
    assert reply == SutReply(text="Turn left.", state={"x": 1})


async def test_of_pieces_that_repeat_all_so_far_the_last_counts() -> None:
    messages = ['{"text": "Turn"}', '{"text": "Turn left."}', '{"done": true}']
    assert (await reply_to(answering(*messages), reply=JSON_REPLY, until=Match(path="done"), full=True)).text == (
        "Turn left."
    )


async def test_a_word_that_ends_a_reply_of_plain_texts_is_no_part_of_it() -> None:
    assert (await reply_to(answering("Turn ", "left.", "[END]"), until=Match(path="", equals=("[END]",)))).text == (
        "Turn left."
    )


async def test_an_error_amid_the_pieces_ends_the_turn_and_the_next_turn_works() -> None:
    async def handler(ws: web.WebSocketResponse, request: web.Request) -> None:
        await ws.receive()
        await ws.send_str('{"text": "Tu"}')
        await ws.send_str('{"error": {"code": 7}}')
        await ws.receive()
        await ws.send_str('{"text": "good", "done": true}')
        await ws.receive()

    fields: dict[str, Any] = {"reply": JSON_REPLY, "until": Match(path="done")}
    async with serving(handler) as server, session_at(server.url, **fields) as session:
        with pytest.raises(SutError, match=r'answered with an error: \{"code": 7\}'):
            await session.send("Hi")
        assert await session.send("Again") == SutReply(text="good")


@pytest.mark.parametrize(
    ("answer", "reply", "said"),
    [
        ('{"other": 1}', ReplyPaths(text="text"), "without 'text'"),
        ('{"text": ["a"]}', ReplyPaths(text="text"), "has a list instead of a text at 'text'"),
        ('{"text": "a", "n": 1e999}', ReplyPaths(text="text"), "unreadable JSON (1e999 is too large a number): {"),
        ("Traceback …", ReplyPaths(text="text"), "no JSON: Traceback …"),
        ('{"state": 3}', ReplyPaths(state="state"), "no object at 'state'"),
        (b"\xff\xfe", ReplyPaths(), "not UTF-8"),
    ],
)
async def test_what_is_no_reply_is_the_assistants_error_and_says_why(
    answer: str | bytes, reply: ReplyPaths, said: str
) -> None:
    assert said in await error_of(answering(answer), reply=reply)


async def test_pieces_without_any_text_are_no_reply() -> None:
    assert "without any text at 'text'" in await error_of(
        answering('{"words": "a"}', '{"done": 1}'), reply=JSON_REPLY, until=Match(path="done")
    )


async def test_hanging_up_in_mid_turn_is_an_error_with_code_and_reason() -> None:
    async def handler(ws: web.WebSocketResponse, request: web.Request) -> None:
        await ws.receive()
        await ws.send_str('{"text": "Tu"}')
        await ws.close(code=1011, message=b"out of memory")

    said = await error_of(handler, reply=JSON_REPLY, until=Match(path="done"))
    assert "gave no whole reply: it closed the connection with code 1011: out of memory" in said


async def test_a_lost_connection_is_an_error_and_stays_one() -> None:
    async def handler(ws: web.WebSocketResponse, request: web.Request) -> None:
        await ws.receive()
        assert request.transport is not None
        request.transport.abort()

    async with serving(handler) as server, session_at(server.url) as session:
        with pytest.raises(SutError, match="the connection was lost"):
            await session.send("Hi")
        with pytest.raises(SutError, match="the connection has ended; open a new session"):
            await session.send("Again")


@pytest.mark.parametrize(("code", "ended"), [(1000, True), (1001, False), (1011, False)])
async def test_hanging_up_normally_right_behind_a_reply_ends_the_conversation(code: int, ended: bool) -> None:
    async def handler(ws: web.WebSocketResponse, request: web.Request) -> None:
        await ws.receive()
        await ws.send_str("Bye.")
        await ws.close(code=code)

    assert await reply_to(handler) == SutReply(text="Bye.", ended=ended)


async def test_hanging_up_without_a_code_is_normal_too() -> None:
    async def handler(ws: web.WebSocketResponse, request: web.Request) -> None:
        await ws.receive()
        await ws.send_str("Bye.")
        assert request.transport is not None
        request.transport.write(b"\x88\x00")
        await ws.receive()

    assert await reply_to(handler) == SutReply(text="Bye.", ended=True)


async def test_a_reply_of_just_the_limit_is_taken_and_a_longer_one_refused() -> None:
    assert len((await reply_to(answering("x" * 1000), max_reply_bytes=1000)).text) == 1000
    assert "more than 1000 bytes" in await error_of(answering("x" * 1001), max_reply_bytes=1000)


async def test_pieces_count_together_against_the_limit() -> None:
    said = await error_of(answering(*["x" * 300] * 4), until=Match(path="", equals=("end",)), max_reply_bytes=1000)
    assert "more than 1000 bytes in one reply" in said


async def test_a_late_answer_to_a_cancelled_turn_is_never_that_of_the_next() -> None:
    release = anyio.Event()

    async def handler(ws: web.WebSocketResponse, request: web.Request) -> None:
        async for message in ws:
            await release.wait()
            await ws.send_str(f"answer to {message.data}")

    async with serving(handler) as server, session_at(server.url) as session:
        with anyio.move_on_after(0.05) as scope:
            await session.send("one")
        assert scope.cancelled_caught
        release.set()
        with pytest.raises(SutError, match="an earlier turn was cut off, so the connection was closed; open a new"):
            await session.send("two")
        await server.one_closed.wait()


async def test_a_cancelled_opening_leaves_no_connection() -> None:
    async with serving(echo) as server:
        adapter = WebSocketAdapter(WebSocketSut(url=server.url, ready=Match(path="never")), environ={})
        with anyio.CancelScope() as scope:
            asyncio.get_running_loop().call_later(0.05, scope.cancel)
            await adapter.open(SessionStart(conversation_id="c1"))
        assert scope.cancelled_caught
        await server.one_closed.wait()
        assert server.closed == [1000]
        await adapter.aclose()


async def test_closing_a_session_closes_its_connection_normally() -> None:
    async with serving(echo) as server:
        async with session_at(server.url) as session:
            await session.send("Hi")
        await server.one_closed.wait()
        assert server.closed == [1000]


async def test_messages_between_turns_are_no_answers_and_not_lost_silently(caplog: pytest.LogCaptureFixture) -> None:
    more = anyio.Event()

    async def handler(ws: web.WebSocketResponse, request: web.Request) -> None:
        await ws.receive()
        await ws.send_str("first")
        await more.wait()
        await ws.send_str("an advertisement")
        await ws.ping()
        await ws.receive()
        await ws.send_str("second")
        await ws.receive()

    async with serving(handler) as server, session_at(server.url) as session:
        assert await session.send("one") == SutReply(text="first")
        more.set()
        await asyncio.sleep(0.05)
        reply = await session.send("two")
    assert reply == SutReply(text="second", metadata={"messages_between_turns": 1})
    assert "1 messages came between two turns" in caplog.text


async def test_pings_of_the_server_are_answered_while_nobody_speaks() -> None:
    async def prepare(request: web.Request) -> web.WebSocketResponse:
        ws = web.WebSocketResponse(autoping=False)
        await ws.prepare(request)
        await ws.receive()
        await ws.send_str("first")
        await ws.ping(b"there?")
        pong = await ws.receive()
        answered.append(f"{pong.type.name} {bytes(pong.data)!r}")
        done.set()
        return ws

    answered: list[str] = []
    done = anyio.Event()
    app = web.Application()
    app.router.add_get("/", prepare)
    async with running(app) as origin, session_at(origin) as session:
        await session.send("one")
        await done.wait()
    assert answered == ["PONG b'there?'"]


async def test_headers_and_address_are_templates_with_secrets_from_the_environment() -> None:
    fields: dict[str, Any] = {
        "headers": {"Authorization": "Bearer {env.BOT_KEY}", "X-Conversation": "{conversation_id}"},
        "subprotocols": ("chat.v1",),
    }
    async with serving(echo) as server:
        url = f"{server.url}?place={{context.location}}&key={{env.OTHER}}"
        async with session_at(url, environ={"BOT_KEY": "s3cr3t-key", "OTHER": "a b&c"}, **fields) as session:
            await session.send("Hi")
        assert server.headers[0]["Authorization"] == "Bearer s3cr3t-key"
        assert server.headers[0]["X-Conversation"] == "c0001"
        assert server.headers[0]["Sec-WebSocket-Protocol"] == "chat.v1"
        assert server.queries == [{"place": "Lyon", "key": "a b&c"}]


async def test_a_variable_that_is_not_set_is_told_before_anything_is_sent() -> None:
    async with serving(echo) as server:
        with pytest.raises(UserError, match="environment variable BOT_KEY is not set"):
            async with session_at(server.url, headers={"X-Key": "{env.BOT_KEY}"}):
                raise AssertionError
        assert server.headers == []


async def test_no_message_and_no_reply_shows_a_secret() -> None:
    environ = {"BOT_KEY": "s3cr3t-key-77"}
    fields: dict[str, Any] = {"environ": environ, "headers": {"X-Key": "{env.BOT_KEY}"}, "reply": JSON_REPLY}
    reply = await reply_to(answering('{"text": "key s3cr3t-key-77", "state": {"k": "s3cr3t-key-77"}}'), **fields)
    assert reply == SutReply(text="key ***", state={"k": "***"})
    assert "bad key ***" in await error_of(answering('{"error": "bad key s3cr3t-key-77"}'), **fields)

    async def handler(ws: web.WebSocketResponse, request: web.Request) -> None:
        await ws.receive()
        await ws.close(code=4001, message=b"s3cr3t-key-77 expired")

    assert "4001: *** expired" in await error_of(handler, **fields)
    with pytest.raises(SutConnectionError) as caught:
        async with session_at("ws://user:hunter22@127.0.0.1:9/{env.BOT_KEY}/x", environ=environ):
            raise AssertionError
    assert "cannot connect to ws://127.0.0.1:9/***/x" in str(caught.value)
    assert "hunter22" not in str(caught.value)


async def error_of_opening(app: web.Application) -> HairpinError:
    async with running(app) as origin:
        with pytest.raises(HairpinError) as caught:
            async with session_at(f"{origin}/chat", headers={"X-Key": "k"}):
                raise AssertionError
        return caught.value


@pytest.mark.parametrize(
    ("status", "kind"),
    [(200, SutConnectionError), (401, SutConnectionError), (404, SutConnectionError), (503, SutError)],
)
async def test_a_refused_handshake_is_told_with_its_status(status: int, kind: type[HairpinError]) -> None:
    async def refuse(request: web.Request) -> web.Response:
        return web.Response(status=status)

    app = web.Application()
    app.router.add_get("/chat", refuse)
    error = await error_of_opening(app)
    assert type(error) is kind
    assert f"answered the WebSocket handshake with status {status}" in str(error)


async def test_a_redirect_is_followed_on_the_same_host_only() -> None:
    async def move(request: web.Request) -> web.Response:
        raise web.HTTPTemporaryRedirect(target)

    target = "/other"
    server = Server(echo)
    app = web.Application()
    app.router.add_get("/chat", move)
    app.router.add_get("/other", server.handle)
    async with running(app) as origin, session_at(f"{origin}/chat") as session:
        assert await session.send("Hi") == SutReply(text="You said: Hi")
    for target in ("ws://elsewhere.example/x", "http://127.0.0.1:1/chat"):
        error = await error_of_opening(_redirecting(target))
        assert isinstance(error, SutConnectionError)
        assert "is another host" in str(error)


def _redirecting(target: str) -> web.Application:
    async def move(request: web.Request) -> web.Response:
        raise web.HTTPTemporaryRedirect(target)

    app = web.Application()
    app.router.add_get("/chat", move)
    return app


async def test_nobody_there_is_told_as_such() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(SutConnectionError, match=rf"cannot connect to ws://127.0.0.1:{port}/chat: .*refused"):
        async with session_at(f"ws://127.0.0.1:{port}/chat"):
            raise AssertionError


async def test_an_address_that_is_none_and_a_header_with_a_line_break_are_the_users_to_mend() -> None:
    for url, environ in (("{env.URL}", {"URL": "ftp://x"}), ("{env.URL}", {"URL": "nonsense"})):
        with pytest.raises(UserError, match="not a WebSocket address"):
            async with session_at(url, environ=environ):
                raise AssertionError
    with pytest.raises(UserError, match="the header X-A would hold a line break"):
        async with session_at("ws://127.0.0.1:9", headers={"X-A": "{env.A}"}, environ={"A": "a\nb"}):
            raise AssertionError


async def test_a_closed_session_is_not_used_again() -> None:
    async with serving(echo) as server:
        adapter = WebSocketAdapter(WebSocketSut(url=server.url), environ={})
        session = await adapter.open(SessionStart(conversation_id="c1"))
        await session.close()
        with pytest.raises(AdapterFaultError, match="used again"):
            await session.send("Hi")
        with pytest.raises(AdapterFaultError, match="closed twice"):
            await session.close()
        await adapter.aclose()


async def test_many_sessions_at_once_each_hear_their_own_answers() -> None:
    async def one(url: str, name: str) -> None:
        async with session_at(url) as session:
            for t in range(5):
                assert await session.send(f"{name}/{t}") == SutReply(text=f"You said: {name}/{t}")

    async with serving(echo) as server, anyio.create_task_group() as group:
        for n in range(20):
            group.start_soon(one, server.url, str(n))


def test_says_who_it_is_and_what_it_can_be_given() -> None:
    plain = WebSocketAdapter(WebSocketSut(url="wss://bot.example/chat?v=1"), environ={})
    assert plain.describe().name == "wss://bot.example/chat"
    assert plain.describe().transport == "websocket"
    assert not plain.capabilities.accepts_history
    named = WebSocketAdapter(
        WebSocketSut(url="wss://b.example", name="bot", version="2", hello="{context}", max_sessions=3), environ={}
    )
    assert (named.describe().name, named.describe().version) == ("bot", "2")
    assert named.capabilities.takes_reference_text
    assert named.capabilities.max_sessions == 3
    changed = WebSocketAdapter(WebSocketSut(url="wss://bot.example/chat?v=1", full=True), environ={})
    assert changed.describe().version != plain.describe().version


@given(st.lists(st.text(), min_size=1))
def test_however_a_reply_is_cut_into_pieces_it_comes_out_whole(pieces: list[str]) -> None:
    spec = WebSocketSut(url="ws://x", reply=ReplyPaths(text="w"), until=Match(path="done"))
    parts = MessageReply(spec, where="it", redactor=Redactor(()))
    for piece in pieces:
        assert parts.take(json.dumps({"w": piece})) is None
    assert parts.take('{"done": true}') == SutReply(text="".join(pieces))
