"""Replies that are fetched: asked for until an answer says that they are there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import anyio
import pytest

from hairpin.domain.sut import SutReply
from hairpin.domain.sut_spec import HttpPolling, HttpRequest, HttpSut, Match, ReplyPaths
from hairpin.errors import SutError
from tests.sut.http_servers import Heard, Server, asked, http_sut, serving, session_with, status

pytestmark = pytest.mark.anyio

ACCEPTED: dict[str, Any] = {"job": {"id": "j/1"}}


def polled(server: Server, url: str = "/jobs/{answer.job.id}?t={t}", **fields: Any) -> HttpSut:
    until = fields.pop("until", Match(path="status", equals=("done", "failed")))
    request = HttpRequest(url=server.url + url, method="GET")
    fields.setdefault("reply", ReplyPaths(text="result.text", error="failure", state="result.car"))
    return http_sut(server, poll=HttpPolling(request=request, until=until, interval_s=0.001), **fields)


def job(*answers: Any, first: Any = None) -> Callable[[Heard], Any]:
    left = list(answers)

    def answer(heard: Heard) -> Any:
        if heard.path == "/chat":
            return ACCEPTED if first is None else first
        found = left.pop(0) if len(left) > 1 else left[0]
        return found(heard) if callable(found) else found

    return answer


DONE: Mapping[str, Any] = {"status": "done", "result": {"text": "Here.", "car": {"v": 1}}}


async def test_a_reply_is_asked_for_until_it_is_there() -> None:
    async with serving(job({"status": "queued"}, {"status": "running"}, DONE)) as server:
        assert await asked(polled(server)) == SutReply(text="Here.", state={"v": 1})
    assert [(heard.method, heard.path) for heard in server.heard] == [("POST", "/chat"), *[("GET", "/jobs/j/1")] * 3]
    assert server.heard[1].query == {"t": "0"}


@pytest.mark.parametrize("code", [202, 204])
async def test_an_empty_answer_is_not_yet(code: int) -> None:
    async with serving(job(lambda heard: status(code), DONE)) as server:
        assert (await asked(polled(server))).text == "Here."


async def test_what_counts_as_there_is_any_value_unless_one_is_named() -> None:
    until = Match(path="result.text")
    async with serving(job({}, {"result": None}, {"result": {"text": None}}, DONE)) as server:
        assert (await asked(polled(server, until=until))).text == "Here."
    assert len(server.heard) == 5


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (job(lambda heard: status(404, {"detail": "no such job"})), "answered with status 404: no such job"),
        (job({"status": "running", "failure": "out of memory"}), "answered with an error: out of memory"),
        (job({"status": "failed"}), "answered without 'result.text'"),
        (job("soon"), "answered with no JSON but text/plain: soon"),
        (job(DONE, first={"id": 1}), "/chat answered without 'job.id', which 'poll' takes from it: {\"id\": 1}"),
        (job(DONE, first={"job": {"id": None}}), "/chat answered without 'job.id'"),
        (job(DONE, first="started"), "/chat answered with no JSON but text/plain: started"),
        (job(DONE, first={"failure": "busy"}), "/chat answered with an error: busy"),
    ],
)
async def test_an_answer_that_will_never_be_a_reply_is_an_error(answer: Any, said: str) -> None:
    async with serving(answer) as server:
        with pytest.raises(SutError) as caught:
            await asked(polled(server))
    assert said in str(caught.value)


async def test_without_placeholders_of_it_the_first_answer_may_be_anything() -> None:
    async with serving(job(DONE, first="started")) as server:
        assert (await asked(polled(server, url="/latest?session={session_id}"))).text == "Here."


async def test_a_fetch_that_fails_for_the_moment_is_tried_again_and_the_turn_is_not() -> None:
    busy = job(lambda heard: status(503, "busy"), DONE)
    async with serving(busy) as server:
        reply = await asked(polled(server, idempotent_turns=True, retries=1))
    assert (reply.text, reply.metadata) == ("Here.", {"sent_again": 1})
    assert [heard.path for heard in server.heard].count("/chat") == 1


async def test_a_turn_whose_time_is_up_stops_asking_and_leaves_no_trace() -> None:
    begun = anyio.Event()

    def running(heard: Heard) -> dict[str, str]:
        begun.set()
        return {"status": "running"}

    async with serving(job(running, DONE)) as server:
        spec = polled(server, body={"m": "{messages}"})
        assert spec.poll is not None
        slow = spec.model_copy(update={"poll": spec.poll.model_copy(update={"interval_s": 3600.0})})
        async with session_with(slow) as session:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(session.send, "first")
                await begun.wait()
                tasks.cancel_scope.cancel()
            await session.send("second")
    assert [heard.path for heard in server.heard] == ["/chat", "/jobs/j/1"] * 2
    assert [message["content"] for message in server.heard[2].json["m"]] == ["second"]
