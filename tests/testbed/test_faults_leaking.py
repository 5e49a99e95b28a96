"""F12: what one session established turns up in another session of the same adapter."""

from __future__ import annotations

import pytest

from hairpin.domain.conversation import Exchange
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import FaultSpec
from hairpin.ports import SutSession
from hairpin.testbed.adapter import TestbedAdapter

pytestmark = pytest.mark.anyio


def leaky() -> TestbedAdapter:
    return TestbedAdapter(faults=(FaultSpec(id="F12"),), wording="plain")


async def say(session: SutSession, utterance: str) -> SutReply:
    reply = await session.send(utterance)
    assert isinstance(reply, SutReply)
    return reply


async def test_destination_constraints_and_results_leak_into_another_session() -> None:
    adapter = leaky()
    first = await adapter.open(SessionStart(conversation_id="c1"))
    second = await adapter.open(SessionStart(conversation_id="c2"))
    await say(first, "Take me to Pasing without toll roads")
    await say(first, "Find a pharmacy near me")
    reply = await say(second, "Where are we going and what did I ask you to avoid?")
    assert reply.text == "The destination is Pasing. You asked for no toll roads."
    assert (await say(second, "Take me to the second one")).state is not None
    (strike,) = adapter.fault_log
    assert (strike.conversation_id, strike.t, strike.fault, strike.mode) == ("c2", 0, "F12", None)
    assert strike.detail == "took over destination, established, results of conversation c1"


async def test_what_a_session_has_of_its_own_is_not_replaced() -> None:
    adapter = leaky()
    first = await adapter.open(SessionStart(conversation_id="c1"))
    second = await adapter.open(SessionStart(conversation_id="c2"))
    await say(second, "Take me to Riem")
    await say(first, "Take me to Pasing")
    assert (await say(second, "Where are we going?")).text == "The destination is Riem."
    assert {strike.conversation_id for strike in adapter.fault_log} == {"c1"}


async def test_sessions_of_two_adapters_share_nothing() -> None:
    await say(await leaky().open(SessionStart(conversation_id="c1")), "Take me to Pasing")
    other = leaky()
    reply = await say(await other.open(SessionStart(conversation_id="c2")), "Where are we going?")
    assert "Pasing" not in reply.text
    assert other.fault_log == ()


async def test_a_history_neither_leaks_nor_is_leaked_to() -> None:
    adapter = leaky()
    past = (Exchange(t=0, user="Take me to Riem", assistant=""), Exchange(t=1, user="Cancel the route", assistant=""))
    first = await adapter.open(SessionStart(conversation_id="c1", history=past[:1]))
    second = await adapter.open(SessionStart(conversation_id="c2"))
    assert "Riem" not in (await say(second, "Where are we going?")).text
    await say(first, "Where are we going?")
    third = await adapter.open(SessionStart(conversation_id="c3", history=past))
    assert adapter.fault_log == ()
    assert (await say(third, "Where are we going?")).text == "The destination is Riem."


async def test_a_session_that_is_rebuilt_does_not_leak_into_itself() -> None:
    """A server without sessions opens one per turn, always under the same id."""
    adapter = leaky()
    await say(await adapter.open(SessionStart(conversation_id="c1")), "Take me to Pasing")
    history = (
        Exchange(t=0, user="Take me to Pasing", assistant=""),
        Exchange(t=1, user="Cancel the route", assistant=""),
    )
    again = await adapter.open(SessionStart(conversation_id="c1", history=history))
    assert "Pasing" not in (await say(again, "Where are we going?")).text
    assert adapter.fault_log == ()
