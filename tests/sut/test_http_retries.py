"""When a turn is sent again, and that it never is without leave."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import anyio
import pytest
from aiohttp import web

from hairpin.domain.sut import SutReply
from hairpin.domain.sut_spec import HttpRequest, HttpStream, HttpSut
from hairpin.errors import SutConnectionError, SutError
from hairpin.sut.http_client import LostConnectionError
from hairpin.sut.http_retries import BusyError, Retries
from tests.sut.http_servers import Heard, Streamed, asked, http_sut, serving, session_with, status

pytestmark = pytest.mark.anyio

AGAIN: dict[str, Any] = {"idempotent_turns": True, "retries": 2}


def hang_up(heard: Heard) -> Any:
    async def drop(request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    return heard.raw(drop)


def first_then(first: Callable[[Heard], Any], then: Any, *, n_first: int = 1) -> Callable[[Heard], Any]:
    n_heard = 0

    def answer(heard: Heard) -> Any:
        nonlocal n_heard
        n_heard += 1
        found = first if n_heard <= n_first else then
        return found(heard) if callable(found) else found

    return answer


@pytest.mark.parametrize("code", [429, 502, 503, 504])
async def test_an_idempotent_turn_is_sent_again_after_a_status_that_says_later(code: int) -> None:
    async with serving(first_then(lambda heard: status(code, "busy"), {"reply": "ok"}, n_first=2)) as server:
        reply = await asked(http_sut(server, body={"m": "{utterance}", "id": "{turn_id}"}, **AGAIN))
    assert (reply.text, reply.metadata) == ("ok", {"sent_again": 2})
    assert reply.retry_wait_ms > 0
    assert server.bodies == [server.bodies[0]] * 3, "the same turn, not another one"


async def test_an_idempotent_turn_is_sent_again_after_a_lost_connection() -> None:
    async with serving(first_then(hang_up, {"reply": "ok"})) as server:
        assert (await asked(http_sut(server, **AGAIN))).text == "ok"


async def test_a_stream_that_broke_off_is_asked_for_again() -> None:
    broken, whole = Streamed([b"data: ha\n\n"], broken=True), Streamed([b"data: whole\n\ndata: [DONE]\n\n"])
    async with serving(first_then(lambda heard: broken, whole)) as server:
        assert (await asked(http_sut(server, stream=HttpStream(), **AGAIN))).text == "whole"


async def test_a_turn_that_went_well_says_nothing_of_retries() -> None:
    async with serving(lambda heard: {"reply": "ok"}) as server:
        assert await asked(http_sut(server, **AGAIN)) == SutReply(text="ok")


async def test_no_turn_is_sent_more_often_than_configured() -> None:
    async with serving(lambda heard: status(503, "busy")) as server:
        with pytest.raises(SutError, match="answered with status 503: busy"):
            await asked(http_sut(server, **AGAIN))
    assert len(server.heard) == 3


@pytest.mark.parametrize("code", [400, 401, 404, 409, 422, 500, 501])
async def test_a_status_that_will_not_pass_is_not_tried_again(code: int) -> None:
    async with serving(lambda heard: status(code, "no")) as server:
        with pytest.raises(SutError, match=f"status {code}"):
            await asked(http_sut(server, **AGAIN))
    assert len(server.heard) == 1


@pytest.mark.parametrize("wait", ["86400", "Sun, 06 Nov 2094 08:49:37 GMT"])
async def test_a_wait_that_outlasts_any_turn_is_not_begun(wait: str) -> None:
    async with serving(lambda heard: status(429, "slow down", Retry_After=wait)) as server:
        with pytest.raises(SutError, match=r"status 429: slow down; it asks to wait \d+"):
            await asked(http_sut(server, **AGAIN))
    assert len(server.heard) == 1


async def test_a_server_that_asks_for_a_wait_gets_it() -> None:
    async with serving(first_then(lambda heard: status(429, "x", Retry_After="0.05"), {"reply": "ok"})) as server:
        reply = await asked(http_sut(server, **AGAIN))
    assert reply.retry_wait_ms >= 50


@pytest.mark.parametrize("retries", [0, 2])
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "POST", "PATCH"])
async def test_without_leave_a_turn_is_heard_once_whatever_happens(method: str, retries: int) -> None:
    """By itself aiohttp sends GET, PUT and DELETE again when a connection is lost."""
    async with serving(hang_up) as server:
        spec = http_sut(server, method=method, retries=retries, idempotent_turns=False)
        with pytest.raises(LostConnectionError, match="was lost: it hung up before it answered"):
            await asked(spec)
    assert len(server.heard) == 1


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_kept_connection_that_the_server_drops_with_the_next_turn_is_no_reason_to_send_it_twice(
    method: str,
) -> None:
    answer = first_then(lambda heard: {"reply": "ok"}, hang_up)
    async with serving(answer) as server, session_with(http_sut(server, method=method)) as session:
        await session.send("one")
        with pytest.raises(LostConnectionError):
            await session.send("two")
    assert len(server.heard) == 2


async def test_an_assistant_that_stays_down_is_unreachable_after_all_tries() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        spec = HttpSut(request=HttpRequest(url=f"http://127.0.0.1:{taken.getsockname()[1]}"), **AGAIN)
        with pytest.raises(SutConnectionError):
            await asked(spec)


async def test_the_time_of_earlier_tries_is_told_apart_from_that_of_the_last() -> None:
    retries = Retries(1, back_off_s=0.001)
    n_tries = 0

    async def send() -> str:
        nonlocal n_tries
        n_tries += 1
        if n_tries == 1:
            await anyio.sleep(0.02)
            raise BusyError("busy", retry_after_s=None)
        await anyio.sleep(0.2)
        return "ok"

    assert await retries.of(send) == "ok"
    assert 20 <= retries.waited_ms < 200
    assert await retries.of(send) == "ok"
    assert retries.waited_ms < 200, "a request that went well at once adds nothing"
