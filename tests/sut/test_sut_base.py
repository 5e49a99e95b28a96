"""The base classes: an adapter of one method, and what it can rely on."""

from __future__ import annotations

import math
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.conversation import Exchange, well_formed
from hairpin.domain.sut import SessionStart, SutIdentity, SutReply, TokenUsage
from hairpin.domain.users import Context
from hairpin.errors import AdapterFaultError
from hairpin.sut.base import TextAdapter, as_reply

pytestmark = pytest.mark.anyio

START = SessionStart(conversation_id="c0001", context=Context(location="Lyon"), rng_seed=5)


class Remembering(TextAdapter):
    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        said = ", ".join(exchange.user for exchange in history)
        return f"In {start.context.location} you said {utterance} after [{said}]"


class Synchronous(TextAdapter):
    def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> SutReply:
        ended = threading.current_thread() is not threading.main_thread()
        return SutReply(text=utterance.upper(), ended=ended)


class Failing(TextAdapter):
    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        if utterance == "fail":
            raise ConnectionResetError("the modem is off")
        return str(len(history))


async def test_one_method_is_a_whole_adapter_and_sees_start_and_history() -> None:
    session = await Remembering().open(START)
    await session.send("one")
    await session.send("two")
    assert await session.send("three") == SutReply(text="In Lyon you said three after [one, two]")
    await session.close()


async def test_sessions_of_one_adapter_keep_their_histories_apart() -> None:
    adapter = Remembering()
    one, two = await adapter.open(START), await adapter.open(START)
    await one.send("mine")
    assert await two.send("yours") == SutReply(text="In Lyon you said yours after []")


async def test_a_plain_def_runs_in_a_thread_beside_the_loop() -> None:
    session = await Synchronous().open(START)
    assert await session.send("hi") == SutReply(text="HI", ended=True)


async def test_a_history_that_is_handed_over_is_the_beginning_of_the_history() -> None:
    start = START.model_copy(update={"history": (Exchange(t=0, user="before", assistant="…"),)})
    session = await Remembering().open(start)
    assert await session.send("now") == SutReply(text="In Lyon you said now after [before]")


async def test_a_failing_turn_passes_its_error_on_and_leaves_no_trace() -> None:
    session = await Failing().open(START)
    await session.send("fine")
    with pytest.raises(ConnectionResetError, match="the modem is off"):
        await session.send("fail")
    assert await session.send("fine") == SutReply(text="1")
    await session.close()


async def test_forgetting_to_override_reply_is_said() -> None:
    class Empty(TextAdapter):
        pass

    session = await Empty().open(START)
    with pytest.raises(AdapterFaultError, match="Empty does not override reply"):
        await session.send("hi")


@pytest.mark.parametrize(
    ("value", "said"),
    [(None, "returned None"), (7, "of type int"), ({"text": "hi"}, "of type dict"), (b"hi", "of type bytes")],
)
async def test_a_reply_of_a_wrong_type_is_the_adapters_fault(value: object, said: str) -> None:
    class Wrong(TextAdapter):
        def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
            return value  # type: ignore[return-value]  # that is what is tested

    session = await Wrong().open(START)
    with pytest.raises(AdapterFaultError, match=f"Wrong returned.*{said.removeprefix('returned ')}"):
        await session.send("hi")


class Wider(SutReply):
    confidence: float = 0.5


def test_a_reply_passes_with_all_that_it_holds() -> None:
    reply = SutReply(
        text="half \ud83d",
        ended=True,
        state={"a": [1, None, {"b": 0.5}]},
        usage=TokenUsage(prompt_tokens=3),
        metadata={"m": "x"},
    )
    assert as_reply(reply, adapter="mine") == reply
    assert as_reply(Wider(text="hi"), adapter="mine") == SutReply(text="hi")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"text": b"x"}, "text: Input should be a valid string"),
        ({"text": None}, "text: Input should be a valid string"),
        ({}, "text: Field required"),
        ({"text": "x", "metadata": {"score": math.nan}}, r"metadata\.score.*: Input should be a finite number"),
        ({"text": "x", "state": {"speed": [math.inf]}}, r"state\.speed.*: Input should be a finite number"),
        ({"text": "x", "metadata": {"big": 10**5000}}, "ValueError: Exceeds the limit"),
        ({"text": "x", "metadata": {"o": object()}}, "metadata.o: "),
        ({"text": "x", "ended": "no"}, "ended: Input should be a valid boolean"),
    ],
)
def test_a_reply_made_past_its_validation_is_the_adapters_fault(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(AdapterFaultError, match=f"mine returned a SutReply that is not valid: .*{said}"):
        as_reply(SutReply.model_construct(**fields), adapter="mine")


async def test_a_closed_session_is_neither_used_nor_closed_again() -> None:
    session = await Remembering().open(START)
    await session.close()
    with pytest.raises(AdapterFaultError, match="Remembering: a closed session was used again"):
        await session.send("hi")
    with pytest.raises(AdapterFaultError, match="Remembering: a session was closed twice"):
        await session.close()


def test_by_default_an_adapter_is_called_by_its_class() -> None:
    assert Remembering().describe() == SutIdentity(name="Remembering")


@given(st.text(st.characters(codec=None)))
def test_any_text_becomes_text_that_can_be_stored(text: str) -> None:
    stored = well_formed(text)
    stored.encode("utf-8")
    assert well_formed(stored) == stored
    assert as_reply(text, adapter="a").text == stored


@given(st.text())
def test_valid_text_is_left_as_it_is(text: str) -> None:
    assert well_formed(text) == text
