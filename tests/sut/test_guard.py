"""An adapter that a user wrote in full is held to the contract."""

from __future__ import annotations

import asyncio
import logging
import math
import threading

import anyio
import pytest
from pydantic import ValidationError

from hairpin.domain.sut import Capabilities, SessionStart, SutReply
from hairpin.errors import AdapterFaultError
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.callables import adapter_of

pytestmark = pytest.mark.anyio

START = SessionStart(conversation_id="c0001")


class Session:
    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.closed = 0

    async def send(self, utterance: str) -> object:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    async def close(self) -> None:
        self.closed += 1


class Adapter(SutAdapter):
    def __init__(self, session: object) -> None:
        self.session = session
        self.closed = 0

    async def open(self, start: SessionStart) -> SutSession:
        return self.session  # type: ignore[return-value]  # sessions of wrong types are what is tested

    async def aclose(self) -> None:
        self.closed += 1


class Synchronous(SutAdapter):
    """All of it written without ``async``."""

    def __init__(self) -> None:
        self.threads: list[threading.Thread] = []

    def _note(self) -> None:
        self.threads.append(threading.current_thread())

    def open(self, start: SessionStart) -> Synchronous:  # type: ignore[override]  # what is tested
        self._note()
        return self

    def send(self, utterance: str) -> str:
        self._note()
        return utterance.upper()

    def close(self) -> None:
        self._note()

    def aclose(self) -> None:  # type: ignore[override]  # what is tested
        self._note()


@pytest.mark.parametrize(
    ("answer", "text"), [("hi", "hi"), ("", ""), (SutReply(text="x", ended=True), "x"), ("half \ud83d", "half �")]
)
async def test_replies_pass_as_values(answer: object, text: str) -> None:
    session = await adapter_of(Adapter(Session(answer)), name="mine").open(START)
    reply = await session.send("hi")
    assert isinstance(reply, SutReply)
    assert reply.text == text


@pytest.mark.parametrize(("answer", "kind"), [(None, "None"), (3, "type int"), ({}, "type dict")])
async def test_a_reply_of_a_wrong_type_is_the_adapters_fault(answer: object, kind: str) -> None:
    session = await adapter_of(Adapter(Session(answer)), name="mine").open(START)
    with pytest.raises(AdapterFaultError, match=f"mine returned .*{kind}"):
        await session.send("hi")


class Inventive(Session):
    async def send(self, utterance: str) -> object:
        if utterance == "mine":
            return Capabilities.model_validate({"max_sessions": 0})
        return SutReply(text="hi", metadata={"score": math.nan})


async def test_a_reply_that_cannot_be_made_is_the_adapters_fault_and_other_values_its_own_matter() -> None:
    session = await adapter_of(Adapter(Inventive("")), name="mine").open(START)
    with pytest.raises(AdapterFaultError, match=r"mine made a SutReply that is not valid: metadata\.score"):
        await session.send("hi")
    with pytest.raises(ValidationError, match="Capabilities"):
        await session.send("mine")


async def test_an_exception_of_the_assistant_passes_as_it_is() -> None:
    session = await adapter_of(Adapter(Session(ZeroDivisionError("its own bug"))), name="mine").open(START)
    with pytest.raises(ZeroDivisionError, match="its own bug"):
        await session.send("hi")


@pytest.mark.parametrize(("session", "kind"), [(None, "NoneType"), ("text", "str")])
async def test_an_open_that_returns_no_session_is_the_adapters_fault(session: object, kind: str) -> None:
    with pytest.raises(AdapterFaultError, match=f"mine: open returned a {kind}, which has no send method"):
        await adapter_of(Adapter(session), name="mine").open(START)


async def test_a_session_is_closed_once_and_then_no_longer_used() -> None:
    inner = Session("hi")
    adapter = Adapter(inner)
    guarded = adapter_of(adapter, name="mine")
    session = await guarded.open(START)
    await session.close()
    with pytest.raises(AdapterFaultError, match="mine: a session was closed twice"):
        await session.close()
    with pytest.raises(AdapterFaultError, match="mine: a closed session was used again"):
        await session.send("hi")
    await guarded.aclose()
    assert (inner.closed, adapter.closed) == (1, 1)


async def test_an_adapter_without_async_works_in_threads_beside_the_loop() -> None:
    inner = Synchronous()
    guarded = adapter_of(inner, name="mine")
    session = await guarded.open(START)
    assert await session.send("hi") == SutReply(text="HI")
    await session.close()
    await guarded.aclose()
    assert len(inner.threads) == 4
    assert threading.main_thread() not in inner.threads


class LateSession(Session):
    """Written either way; notes how it was closed."""

    def __init__(self, adapter: LateAdapter) -> None:
        super().__init__("hi")
        self.adapter = adapter

    def note(self) -> None:
        self.closed += 1
        if self.adapter.fails:
            raise OSError("the line is dead")


class PlainClose(LateSession):
    def close(self) -> None:  # type: ignore[override]  # what is tested
        self.note()


class AsyncClose(LateSession):
    async def close(self) -> None:
        await asyncio.sleep(0)
        self.note()


class LateAdapter(Synchronous):
    """Opens when the gate is opened."""

    def __init__(self, kind: type[LateSession], *, fails: bool = False) -> None:
        super().__init__()
        self.kind = kind
        self.fails = fails
        self.gate = threading.Event()
        self.opening = threading.Semaphore(0)
        self.opened: list[LateSession] = []

    def open(self, start: SessionStart) -> LateSession:  # type: ignore[override]  # what is tested
        self.opening.release()
        self.gate.wait(30)
        self.opened.append(self.kind(self))
        return self.opened[-1]


def join_calls() -> None:
    for thread in threading.enumerate():
        if thread.name.startswith("hairpin-call"):
            thread.join()


@pytest.mark.parametrize("kind", [PlainClose, AsyncClose])
async def test_a_session_that_opens_after_it_was_given_up_is_closed_once(kind: type[LateSession]) -> None:
    adapter = LateAdapter(kind)
    guarded = adapter_of(adapter, name="mine")
    async with anyio.create_task_group() as tasks:
        for _ in range(5):
            tasks.start_soon(guarded.open, START)
        for _ in range(5):
            await anyio.to_thread.run_sync(adapter.opening.acquire)
        tasks.cancel_scope.cancel()
    adapter.gate.set()
    join_calls()
    assert [session.closed for session in adapter.opened] == [1] * 5


async def test_a_session_that_opens_at_the_moment_of_its_cancellation_is_closed_once() -> None:
    """The thread has ended, but the task is cancelled before it hears of it."""
    adapter = LateAdapter(PlainClose)
    guarded = adapter_of(adapter, name="mine")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(guarded.open, START)
        await anyio.to_thread.run_sync(adapter.opening.acquire)
        adapter.gate.set()
        join_calls()
        tasks.cancel_scope.cancel()
    join_calls()
    assert [session.closed for session in adapter.opened] == [1]


async def test_a_session_that_is_given_up_and_cannot_be_closed_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    adapter = LateAdapter(AsyncClose, fails=True)
    with caplog.at_level(logging.WARNING):
        with anyio.move_on_after(0.01):
            await adapter_of(adapter, name="mine").open(START)
        adapter.gate.set()
        join_calls()
    assert "mine: closing a session opened too late raised OSError: the line is dead" in caplog.text


async def test_a_session_that_is_handed_over_is_not_closed_behind_its_users_back() -> None:
    adapter = LateAdapter(PlainClose)
    adapter.gate.set()
    session = await adapter_of(adapter, name="mine").open(START)
    join_calls()
    assert adapter.opened[0].closed == 0
    await session.close()
    assert adapter.opened[0].closed == 1
