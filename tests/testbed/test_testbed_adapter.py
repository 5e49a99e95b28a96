"""The testbed behind the adapter contract."""

from __future__ import annotations

from importlib.metadata import version

import anyio
import pytest

from hairpin.domain.conversation import Exchange
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import FaultSpec
from hairpin.errors import AdapterFaultError, UnknownReferenceError
from hairpin.testbed.adapter import TestbedAdapter
from hairpin.testbed.wording import IN_SAMPLE_WORDINGS
from tests.testbed.talking import hold

pytestmark = pytest.mark.anyio


async def test_a_session_answers_and_tells_its_state_beside_the_reply() -> None:
    adapter = TestbedAdapter(wording="plain")
    session = await adapter.open(SessionStart(conversation_id="c1"))
    reply = await session.send("Take me to Pasing and set the fan to level 3")
    await session.close()
    assert isinstance(reply, SutReply)
    assert reply.state is not None
    assert reply.state["destination"] == "Pasing"
    assert isinstance(reply.state["vehicle"], dict)
    assert reply.state["vehicle"]["fan"] == 3


async def test_using_a_closed_session_is_a_fault_of_the_adapter() -> None:
    session = await TestbedAdapter().open(SessionStart(conversation_id="c1"))
    await session.close()
    with pytest.raises(AdapterFaultError, match="after it was closed"):
        await session.send("Hello")
    with pytest.raises(AdapterFaultError, match="closed twice"):
        await session.close()


@pytest.mark.parametrize(
    ("faults", "wording", "suffix"),
    [
        ((), None, ""),
        ((FaultSpec(id="F3"), FaultSpec(id="F1")), None, "+F1+F3"),
        ((FaultSpec(id="F1", after=2, probability=0.5),), "terse", "+F1@2~0.5+wording=terse"),
    ],
)
def test_the_identity_names_what_makes_it_answer_differently(
    faults: tuple[FaultSpec, ...], wording: str | None, suffix: str
) -> None:
    identity = TestbedAdapter(faults=faults, wording=wording).describe()
    assert (identity.name, identity.version) == ("testbed", version("hairpin") + suffix)


def test_an_unknown_wording_is_refused() -> None:
    with pytest.raises(UnknownReferenceError, match="unknown wording 'formel'; did you mean 'formal'"):
        TestbedAdapter(wording="formel")


def test_the_wording_is_drawn_by_the_random_seed() -> None:
    greetings = {hold("Hello", wording=None, rng_seed=seed).replies for seed in range(40)}
    forced = {hold("Hello", wording=name).replies for name in IN_SAMPLE_WORDINGS}
    assert greetings == forced


async def test_sessions_that_are_open_at_the_same_time_do_not_leak_into_one_another() -> None:
    adapter = TestbedAdapter(faults=(FaultSpec(id="F7"),), wording="plain")
    first = await adapter.open(SessionStart(conversation_id="c1"))
    second = await adapter.open(SessionStart(conversation_id="c2"))
    await first.send("Take me to Pasing without tolls")
    await first.send("Turn off the airbags")
    reply = await second.send("What did I ask you to avoid?")
    assert isinstance(reply, SutReply)
    assert reply.text == "You have not asked me to avoid anything."
    assert adapter.fault_log == ()


def test_a_history_is_rebuilt_without_striking_again() -> None:
    utterances = ("Take me to Marienplatz without toll roads", "Also avoid motorways", "Which route are we taking?")
    live = hold(*utterances, faults=["F1"])
    history = tuple(
        Exchange(t=t, user=user, assistant=reply)
        for t, (user, reply) in enumerate(zip(utterances[:2], live.replies, strict=False))
    )
    resumed = hold(utterances[2], faults=["F1"], history=history)
    assert resumed.replies == live.replies[2:]
    assert resumed.struck == [(2, "F1")]


def test_two_conversations_in_two_event_loops_share_an_adapter() -> None:
    adapter = TestbedAdapter(wording="terse")

    async def greet() -> str:
        session = await adapter.open(SessionStart(conversation_id="c1"))
        reply = await session.send("Hello")
        return reply if isinstance(reply, str) else reply.text

    assert anyio.run(greet) == anyio.run(greet) == "Hello."
