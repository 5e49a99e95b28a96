"""Everything that can go wrong in one call to the assistant."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest

from hairpin.domain.outcome import Stop, StopReason
from hairpin.domain.sut import SutReply
from hairpin.errors import AdapterFaultError, SutConnectionError, SutError
from hairpin.graph.sut_call import call_sut, describe_error

pytestmark = pytest.mark.anyio


class Session:
    def __init__(self, reply: Callable[[str], Awaitable[Any]]) -> None:
        self._reply = reply

    async def send(self, utterance: str) -> Any:
        return await self._reply(utterance)

    async def close(self) -> None:
        return


def raising(error: BaseException) -> Session:
    async def reply(utterance: str) -> str:
        raise error

    return Session(reply)


def returning(value: object) -> Session:
    async def reply(utterance: str) -> object:
        return value

    return Session(reply)


async def call(session: Session, *, replied_before: bool = True, timeout_s: float = 5.0) -> SutReply | Stop:
    return await call_sut(session, "hello", timeout_s=timeout_s, replied_before=replied_before)


async def test_text_and_replies_are_both_fine_and_an_empty_one_is_a_reply() -> None:
    assert await call(returning("hi")) == SutReply(text="hi")
    assert await call(returning("")) == SutReply(text="")
    assert await call(returning(SutReply(text="hi", ended=True))) == SutReply(text="hi", ended=True)


@pytest.mark.parametrize("value", [None, 42, b"bytes", {"text": "hi"}, ["hi"]])
async def test_another_type_breaks_the_adapters_contract(value: object) -> None:
    stop = await call(returning(value))
    assert isinstance(stop, Stop)
    assert stop.reason is StopReason.ADAPTER_FAULT
    assert type(value).__name__ in stop.detail


async def test_a_session_used_after_closing_breaks_the_adapters_contract() -> None:
    stop = await call(raising(AdapterFaultError("the session is closed")))
    assert stop == Stop(reason=StopReason.ADAPTER_FAULT, detail="the session is closed")


@pytest.mark.parametrize("error", [SutConnectionError("nobody at 127.0.0.1:9"), ConnectionRefusedError("refused")])
async def test_no_connection_before_any_reply_means_the_assistant_is_not_there(error: Exception) -> None:
    before = await call(raising(error), replied_before=False)
    after = await call(raising(error), replied_before=True)
    assert isinstance(before, Stop)
    assert isinstance(after, Stop)
    assert (before.reason, after.reason) == (StopReason.SUT_UNREACHABLE, StopReason.SUT_ERROR)


@pytest.mark.parametrize("error", [SutError("500"), ValueError("boom"), TimeoutError("theirs"), SystemExit(3)])
async def test_whatever_the_assistant_raises_is_its_error(error: BaseException) -> None:
    stop = await call(raising(error))
    assert isinstance(stop, Stop)
    assert stop.reason is StopReason.SUT_ERROR
    assert str(error) in stop.detail


async def test_a_hang_is_an_error_that_names_the_time_limit() -> None:
    async def reply(utterance: str) -> str:
        await anyio.sleep_forever()
        raise AssertionError

    stop = await call(Session(reply), timeout_s=0.01)
    assert stop == Stop(reason=StopReason.SUT_ERROR, detail="no answer within 0.01 s")


async def test_a_cancelled_error_out_of_nowhere_is_an_error_not_a_cancellation() -> None:
    stop = await call(raising(asyncio.CancelledError()))
    assert isinstance(stop, Stop)
    assert stop.reason is StopReason.SUT_ERROR


async def test_a_real_cancellation_goes_through() -> None:
    async def reply(utterance: str) -> str:
        await anyio.sleep_forever()
        raise AssertionError

    with anyio.move_on_after(0.01) as scope:
        await call(Session(reply))
    assert scope.cancelled_caught


async def test_a_lone_surrogate_is_replaced_so_that_the_reply_can_be_stored() -> None:
    assert await call(returning("a\ud800b😀")) == SutReply(text="a\ufffdb😀")
    assert await call(returning(SutReply(text="\udc00"))) == SutReply(text="\ufffd")


async def test_an_endless_error_text_is_cut() -> None:
    stop = await call(raising(ValueError("x" * 10_000)))
    assert isinstance(stop, Stop)
    assert len(stop.detail) == 500


def raised(error: BaseException) -> BaseException:
    """Return ``error`` with the place where it was raised."""
    try:
        raise error
    except BaseException as caught:  # noqa: BLE001 - any error
        return caught


def test_an_error_of_user_code_names_the_line_that_raised_it() -> None:
    assert describe_error(raised(ValueError("boom"))).startswith("ValueError: boom (test_graph_sut_call.py:")


def test_an_error_of_ours_needs_no_place_and_one_never_raised_has_none() -> None:
    assert describe_error(raised(SutError("500"))) == "500"
    assert describe_error(ValueError("boom")) == "ValueError: boom"
    assert describe_error(ValueError()) == "ValueError: (no message)"


def test_an_error_from_a_library_names_the_line_of_the_user_that_called_it() -> None:
    with pytest.raises(ValueError, match="Expecting") as caught:
        json.loads("{")
    assert "(test_graph_sut_call.py:" in describe_error(caught.value)


def test_an_error_whose_own_text_raises_is_told_by_its_type() -> None:
    class MuteError(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no text")

    assert describe_error(MuteError()) == "MuteError: (its text cannot be read)"
