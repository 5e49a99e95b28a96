"""A recorded assistant says again what it said, and nothing else."""

from __future__ import annotations

import pytest

from hairpin.domain.conversation import Exchange
from hairpin.domain.recording import Recording
from hairpin.domain.sut import SessionStart, SutIdentity, SutReply
from hairpin.domain.sut_spec import RecordedSut
from hairpin.errors import AdapterFaultError
from hairpin.sut.build import build_adapter
from hairpin.sut.callables import adapter_of
from hairpin.sut.recorded import RecordedAdapter, RecordedSession

pytestmark = pytest.mark.anyio

EXCHANGES = (
    Exchange(t=0, user="u0", assistant="a0", state={"x": 1}, metadata={"m": "n"}),
    Exchange(t=1, user="u1", assistant="", ended=True),
)


async def test_stored_replies_come_back_in_order_and_whole() -> None:
    session = RecordedSession(EXCHANGES)
    assert await session.send("u0") == SutReply(text="a0", state={"x": 1}, metadata={"m": "n"})
    assert await session.send("u1") == SutReply(text="", ended=True)
    await session.close()


async def test_after_the_last_nothing_is_made_up() -> None:
    session = RecordedSession(EXCHANGES[:1])
    await session.send("u0")
    with pytest.raises(AdapterFaultError, match="no reply is recorded after turn 0"):
        await session.send("u1")


async def test_another_utterance_than_the_recorded_one_is_refused() -> None:
    session = RecordedSession(EXCHANGES)
    with pytest.raises(AdapterFaultError, match="turn 0 was 'u0' but now is 'other'"):
        await session.send("other")


async def test_after_a_prefix_the_live_session_answers_and_is_closed_with_it() -> None:
    adapter = adapter_of(lambda utterance, start, history: f"live, {len(history)} before", name="live")
    live = await adapter.open(SessionStart(conversation_id="c", history=EXCHANGES))
    session = RecordedSession(EXCHANGES, live=live)
    for exchange in EXCHANGES:
        await session.send(exchange.user)
    assert await session.send("u2") == SutReply(text="live, 2 before")
    await session.close()
    with pytest.raises(AdapterFaultError, match="used again"):
        await live.send("u3")


SPEC = RecordedSut(file="logs/chats.jsonl", version="1.2")


async def test_each_session_says_the_conversation_that_was_planned_for_it() -> None:
    recordings = {"c0001": Recording(id="x", exchanges=EXCHANGES), "c0002": Recording(id="y", exchanges=EXCHANGES[:1])}
    adapter = build_adapter(SPEC, default_gguf=None, environ={}, recordings=recordings)
    for planned in ("c0002", "c0001", "c0002"):
        session = await adapter.open(SessionStart(conversation_id=planned))
        assert await session.send("u0") == SutReply(text="a0", state={"x": 1}, metadata={"m": "n"})
        await session.close()


async def test_a_conversation_that_was_not_recorded_has_no_session() -> None:
    adapter = build_adapter(SPEC, default_gguf=None, environ={})
    with pytest.raises(AdapterFaultError, match="chats: no recorded conversation is planned as 'doctor'"):
        await adapter.open(SessionStart(conversation_id="doctor"))


def test_a_recorded_assistant_is_called_as_the_user_says_or_else_like_its_file() -> None:
    assert RecordedAdapter(SPEC, {}).describe() == SutIdentity(name="chats", version="1.2", transport="recorded")
    named = SPEC.model_copy(update={"name": "my bot"})
    assert RecordedAdapter(named, {}).describe().name == "my bot"
