"""An adapter that a user wrote in full is held to the contract."""

from __future__ import annotations

import threading

import pytest

from hairpin.domain.sut import SessionStart, SutReply
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
