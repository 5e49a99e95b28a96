"""Talking to the testbed in tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import anyio

from hairpin.domain.conversation import Exchange
from hairpin.domain.sut import SessionStart
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
    """A conversation that was held: the replies, and what faults did."""

    replies: tuple[str, ...]
    strikes: tuple[FaultStrike, ...]

    @property
    def struck(self) -> list[tuple[int, str]]:
        """In which exchange which fault struck."""
        return [(strike.t, strike.fault) for strike in self.strikes]


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

    async def talk() -> tuple[str, ...]:
        session = await adapter.open(start)
        replies = []
        for utterance in utterances:
            reply = await session.send(utterance)
            replies.append(reply if isinstance(reply, str) else reply.text)
        await session.close()
        return tuple(replies)

    return Talk(anyio.run(talk), adapter.fault_log)


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
