"""Talking to the testbed in tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import anyio
from pydantic import JsonValue

from hairpin.domain.conversation import Exchange
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import FaultSpec
from hairpin.domain.users import Context
from hairpin.testbed.adapter import TestbedAdapter
from hairpin.testbed.assistant import respond
from hairpin.testbed.faults.base import FaultStrike
from hairpin.testbed.faults.chain import Faults
from hairpin.testbed.handling.step import Scene
from hairpin.testbed.situation import read_situation
from hairpin.testbed.state import DialogueState
from hairpin.testbed.world import load_city


@dataclass(frozen=True)
class Talk:
    """A conversation that was held: the replies, what faults did, and the states told beside the replies."""

    replies: tuple[str, ...]
    strikes: tuple[FaultStrike, ...]
    states: tuple[Mapping[str, JsonValue], ...] = field(default=(), compare=False)

    @property
    def struck(self) -> list[tuple[int, str]]:
        """In which exchange which fault struck."""
        return [(strike.t, strike.fault) for strike in self.strikes]

    def history(self, utterances: Sequence[str]) -> tuple[Exchange, ...]:
        """Return the exchanges in which these first utterances were said."""
        pairs = zip(utterances, self.replies, strict=False)
        return tuple(Exchange(t=t, user=user, assistant=reply) for t, (user, reply) in enumerate(pairs))


def hold(
    *utterances: str,
    faults: Sequence[FaultSpec | str] = (),
    wording: str | None = "plain",
    context: Context | None = None,
    rng_seed: int = 1,
    history: tuple[Exchange, ...] = (),
) -> Talk:
    """Hold a conversation through the adapter and return it."""
    specs = tuple(FaultSpec(id=fault) if isinstance(fault, str) else fault for fault in faults)
    adapter = TestbedAdapter(faults=specs, wording=wording)
    start = SessionStart(conversation_id="c1", context=context or Context(), rng_seed=rng_seed, history=history)

    async def talk() -> list[SutReply]:
        session = await adapter.open(start)
        replies = []
        for utterance in utterances:
            reply = await session.send(utterance)
            assert isinstance(reply, SutReply)
            replies.append(reply)
        await session.close()
        return replies

    replies = anyio.run(talk)
    states = tuple(reply.state or {} for reply in replies)
    return Talk(tuple(reply.text for reply in replies), adapter.fault_log, states)


@dataclass(frozen=True)
class Walk:
    """The states a conversation without faults goes through, and the keys of what is said."""

    states: tuple[DialogueState, ...]
    keys: tuple[tuple[str, ...], ...]

    @property
    def last(self) -> DialogueState:
        """The state at the end."""
        return self.states[-1]


def walk(*utterances: str, context: Context | None = None) -> Walk:
    """Hold a conversation without faults and return its states: what is known, not what is said."""
    city = load_city()
    situation, vehicle = read_situation(context or Context(), city)
    state = DialogueState(situation=situation, vehicle=vehicle)
    states, keys = [], []
    for utterance in utterances:
        state, said = respond(Scene(city, Faults()), state, utterance)
        states.append(state)
        keys.append(tuple(phrase.key for phrase in said))
    return Walk(tuple(states), tuple(keys))
