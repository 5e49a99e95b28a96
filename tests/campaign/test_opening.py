"""Sessions of stored replies first and live ones after them: handed over as history, or said again and noted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import anyio

from hairpin.campaign.job import RunJob
from hairpin.campaign.opening import Opened, open_played
from hairpin.campaign.playing import playing_of
from hairpin.campaign.runner import run_plan
from hairpin.domain.outcome import Stop, StopReason
from hairpin.domain.plan import PlannedConversation, plan_conversations, plan_trial
from hairpin.domain.sut import Capabilities, SessionStart, SutReply
from hairpin.domain.trials import TrialKind
from hairpin.errors import AdapterFaultError
from hairpin.graph.state import SutContact
from hairpin.graph.stopping import StopToken
from tests.campaign.worlds import Assistant, job_for, scenario_of, store_of
from tests.virtual_time import VirtualClock, run_virtually


class Counting(Assistant):
    """Says what it is asked, and in which of its turns; may answer another way after the first conversation."""

    def __init__(self, *, accepts_history: bool, later: Callable[[], Any] = lambda: None) -> None:
        super().__init__()
        self.capabilities = Capabilities(accepts_history=accepts_history)
        self.heard: dict[str, list[str]] = {}
        self.starts: dict[str, SessionStart] = {}
        self.later = later

    async def on_open(self, start: SessionStart) -> None:
        self.starts[start.conversation_id] = start
        self.heard[start.conversation_id] = []

    async def on_send(self, start: SessionStart, utterance: str) -> Any:
        self.heard[start.conversation_id].append(utterance)
        if "~" in start.conversation_id and (said := self.later()) is not None:
            return said
        return SutReply(text=f"{len(self.heard)}: {utterance}")


def replayed(assistant: Assistant, *, from_turn: int) -> RunJob:
    """Run a conversation of three exchanges, and then replay it from that turn on."""
    scenario = scenario_of(n_phrases=1, max_turns=3)
    job = job_for(assistant, scenario=scenario, clock=VirtualClock())
    (planned,) = plan_conversations(scenario, ["sut0"])
    trial = plan_trial(planned, TrialKind.REPLAY, 0, from_turn=from_turn)

    async def main() -> None:
        await run_plan(job, [planned])
        await run_plan(job, (), asides=[trial])

    run_virtually(main)
    return job


def test_replies_that_stand_are_handed_to_an_assistant_that_takes_a_history() -> None:
    assistant = Counting(accepts_history=True)
    store = store_of(replayed(assistant, from_turn=2))
    source, again = store.said["c0001"], store.said["c0001~replay1"]
    assert assistant.starts["c0001~replay1"].history == tuple(source[:2])
    assert assistant.heard["c0001~replay1"] == [source[2].user]
    assert [each.assistant for each in again] == ["1: phrase 0 0", "1: phrase 0 1", "2: phrase 0 2"]
    assert again[0].notes == ()


def test_to_any_other_the_earlier_turns_are_said_again_and_that_is_noted() -> None:
    """Its own replies to them are not shown: those that stand are."""
    assistant = Counting(accepts_history=False)
    store = store_of(replayed(assistant, from_turn=2))
    assert assistant.heard["c0001~replay1"] == [each.user for each in store.said["c0001"]]
    again = store.said["c0001~replay1"]
    assert [each.assistant for each in again] == ["1: phrase 0 0", "1: phrase 0 1", "2: phrase 0 2"]
    assert again[0].notes == (
        "the assistant takes no history: before turn 2 the user's earlier turns were said to it again,"
        " and 0 of its 2 replies were those that stand here",
    )


def test_an_assistant_that_fails_while_it_is_told_is_closed_and_blamed() -> None:
    def broken() -> Any:
        raise AdapterFaultError("closed twice")

    assistant = Counting(accepts_history=False, later=broken)
    store = store_of(replayed(assistant, from_turn=1))
    assert store.outcomes["c0001~replay1"].stop.reason is StopReason.ADAPTER_FAULT
    assert assistant.open_now == 0


def test_a_conversation_may_end_while_an_assistant_is_told() -> None:
    """Nothing is left open then."""
    stop, assistant = StopToken(), Counting(accepts_history=False)
    job = replayed(assistant, from_turn=0)
    (planned,) = plan_conversations(job.scenario, ["sut0"])
    trial = plan_trial(planned, TrialKind.REPLAY, 1, from_turn=1)
    opened: list[Opened | Stop] = []

    async def main() -> None:
        assistant.on_send = never  # type: ignore[method-assign]
        async with anyio.create_task_group() as group:
            group.start_soon(begin, trial)
            await anyio.sleep(1)
            stop.set(StopReason.INTERRUPTED)

    async def never(start: SessionStart, utterance: str) -> Any:
        await anyio.sleep_forever()

    async def begin(planned: PlannedConversation) -> None:
        opened.append(await open_played(job, planned, playing_of(job, planned), SutContact(), stop))

    run_virtually(main)
    assert opened == [Stop(reason=StopReason.INTERRUPTED)]
    assert assistant.open_now == 0


def test_an_assistant_that_cannot_be_reached_for_a_replay_says_why() -> None:
    assistant = Counting(accepts_history=True)
    job = replayed(assistant, from_turn=0)
    (planned,) = plan_conversations(job.scenario, ["sut0"])
    trial = plan_trial(planned, TrialKind.REPLAY, 1)

    async def refuse(start: SessionStart) -> None:
        raise ConnectionError("nobody listens")

    assistant.on_open = refuse  # type: ignore[method-assign]
    met = run_virtually(lambda: open_played(job, trial, playing_of(job, trial), SutContact(), StopToken()))
    assert isinstance(met, Stop)
    assert (met.reason, replace(job).stop.reason) == (StopReason.SUT_UNREACHABLE, None)
