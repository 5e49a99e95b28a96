"""Sessions of a server: how many, how long, one turn at a time."""

from __future__ import annotations

from itertools import count

import anyio
import pytest

from hairpin.domain.sut import Capabilities, SessionStart
from hairpin.ports import SutAdapter, SutSession
from hairpin.testbed.server.problems import RequestProblem
from hairpin.testbed.server.sessions import SessionLimits, Sessions

pytestmark = pytest.mark.anyio
START = SessionStart(conversation_id="c1")


class Slow(SutAdapter, SutSession):
    """An assistant that answers when it is let; notes what happens to it."""

    def __init__(self, max_sessions: int | None = None) -> None:
        self.capabilities = Capabilities(max_sessions=max_sessions)
        self.events: list[str] = []
        self.let = anyio.Event()
        self.let.set()

    async def open(self, start: SessionStart) -> SutSession:
        return self

    async def send(self, utterance: str) -> str:
        self.events.append(f"asked {utterance}")
        await self.let.wait()
        self.events.append(f"answered {utterance}")
        return utterance.upper()

    async def close(self) -> None:
        self.events.append("closed")


class Hands:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.time_s = 0.0

    def __call__(self) -> float:
        return self.time_s


def sessions_of(adapter: Slow, now_s: Hands | None = None, **limits: float) -> Sessions:
    numbers = count(1)
    values = SessionLimits.model_validate(limits)
    return Sessions(adapter, new_id=lambda: f"s{next(numbers)}", limits=values, now_s=now_s or Hands())


async def test_a_session_that_is_not_used_for_too_long_is_closed() -> None:
    adapter, clock = Slow(), Hands()
    sessions = sessions_of(adapter, clock, idle_s=60)
    first = await sessions.open(START, where="here")
    clock.time_s = 61
    with pytest.raises(RequestProblem, match=f"no session '{first}'"):
        await sessions.say(first, "hi")
    await sessions.open(START, where="here")
    assert (adapter.events, len(sessions)) == (["closed"], 1)


async def test_using_a_session_keeps_it() -> None:
    adapter, clock = Slow(), Hands()
    sessions = sessions_of(adapter, clock, idle_s=60)
    used, unused = [await sessions.open(START, where="here") for _ in range(2)]
    clock.time_s = 50
    await sessions.say(used, "hi")
    clock.time_s = 100
    await sessions.open(START, where="here")
    assert (await sessions.say(used, "still here?")).text == "STILL HERE?"
    with pytest.raises(RequestProblem):
        await sessions.say(unused, "hi")


async def test_a_session_in_the_middle_of_a_turn_is_not_unused() -> None:
    adapter, clock = Slow(), Hands()
    sessions = sessions_of(adapter, clock, idle_s=60)
    session = await sessions.open(START, where="here")
    adapter.let = anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(sessions.say, session, "slow")
        await anyio.wait_all_tasks_blocked()
        clock.time_s = 1000
        await sessions.open(START, where="here")
        adapter.let.set()
    assert adapter.events == ["asked slow", "answered slow"]
    assert len(sessions) == 2


@pytest.mark.parametrize(("own", "limit"), [(1, 5), (None, 1), (3, 1)])
async def test_no_more_are_open_than_the_server_and_the_assistant_allow(own: int | None, limit: int) -> None:
    sessions = sessions_of(Slow(own), max_sessions=limit)
    await sessions.open(START, where="here")
    with pytest.raises(RequestProblem, match="1 sessions are open") as refused:
        await sessions.open(START, where="here")
    assert refused.value.status == 503


async def test_turns_of_a_session_are_taken_one_after_the_other_and_closing_waits() -> None:
    adapter = Slow()
    sessions = sessions_of(adapter)
    session = await sessions.open(START, where="here")
    adapter.let = anyio.Event()
    async with anyio.create_task_group() as group:
        for utterance in ("one", "two"):
            group.start_soon(sessions.say, session, utterance)
            await anyio.wait_all_tasks_blocked()
        assert adapter.events == ["asked one"]
        adapter.let.set()
    assert adapter.events == ["asked one", "answered one", "asked two", "answered two"]


async def test_a_turn_that_waits_when_its_session_is_closed_finds_none() -> None:
    adapter = Slow()
    sessions = sessions_of(adapter)
    session = await sessions.open(START, where="here")
    adapter.let = anyio.Event()
    late: list[int] = []

    async def say_late() -> None:
        with pytest.raises(RequestProblem) as refused:
            await sessions.say(session, "late")
        late.append(refused.value.status)

    async with anyio.create_task_group() as group:
        group.start_soon(sessions.say, session, "first")
        await anyio.wait_all_tasks_blocked()
        group.start_soon(say_late)
        await anyio.wait_all_tasks_blocked()
        group.start_soon(sessions.close, session)
        await anyio.wait_all_tasks_blocked()
        adapter.let.set()
    assert late == [404]
    assert adapter.events == ["asked first", "answered first", "closed"]


async def test_all_are_closed_at_the_end() -> None:
    adapter = Slow()
    sessions = sessions_of(adapter)
    for _ in range(3):
        await sessions.open(START, where="here")
    await sessions.aclose()
    assert (adapter.events, len(sessions)) == (["closed"] * 3, 0)
