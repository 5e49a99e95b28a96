"""Campaigns whose conversations are replayed: follow-ups in the time of their arm, and what happens when it is up."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import anyio
import pytest

from hairpin.campaign.conduct import RunEnd
from hairpin.campaign.job import RunJob
from hairpin.campaign.study import run_campaign
from hairpin.domain.arm import Arm
from hairpin.domain.briefs import ContextBrief
from hairpin.domain.campaign import BaselineSpec, CampaignSpec, SeedPhrase, SeedPool, Split
from hairpin.domain.conversation import Exchange
from hairpin.domain.outcome import StopReason
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import RunStatus
from hairpin.domain.relations import ContextFinding
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import PythonSut
from hairpin.domain.users import Persona
from hairpin.errors import ProviderStoppedError
from tests.campaign.replays import Replays, SmoothChecker, Watcher
from tests.campaign.worlds import Assistant, MemoryStore, job_for, scenario_of, store_of
from tests.virtual_time import VirtualClock, run_virtually

G, B = Arm.GUIDED, Arm.BASELINE
NEUTRAL = Persona(id="neutral", title="Neutral", description="…")


class Slow(Assistant):
    """Takes ten virtual seconds for each reply: a conversation and a follow-up take twenty."""

    async def on_send(self, start: SessionStart, utterance: str) -> Any:
        await anyio.sleep(10)
        return SutReply(text=f"ok {utterance}")


def spec_of(**changes: Any) -> CampaignSpec:
    pool = SeedPool(name="p", phrases=tuple(SeedPhrase(text=f"phrase {n}", task=f"task {n % 4}") for n in range(40)))
    values = {"pools": (pool,), "max_turns": (2,), "baseline": BaselineSpec(persona=NEUTRAL, max_turns=2)}
    return CampaignSpec(**{**values, **changes})


@dataclass
class Played:
    job: RunJob
    end: RunEnd
    watcher: Watcher
    took_s: float

    @property
    def store(self) -> MemoryStore:
        return store_of(self.job)

    def folds(self) -> dict[str, tuple[bool, int]]:
        return {name: (fold.complete, fold.n_follow_ups) for name, fold in self.store.folds.items()}


@dataclass
class Campaign:
    """What a test can change."""

    spec: CampaignSpec
    assistants: tuple[Assistant, ...] = field(default_factory=lambda: (Slow(),))
    replays: Replays = field(default_factory=Replays)
    concurrency: int = 1
    store: MemoryStore = field(default_factory=MemoryStore)
    change: Callable[[RunJob], RunJob] = lambda job: job

    def play(self, meanwhile: Callable[[RunJob], Any] | None = None) -> Played:
        watcher = Watcher()
        scenario = scenario_of(turn_timeout_s=60)
        made = job_for(*self.assistants, concurrency=self.concurrency, scenario=scenario, clock=VirtualClock())
        used = replace(made, listener=watcher, replaying=self.replays, store=self.store, beat_s=5, call_timeout_s=60)
        job = self.change(used)

        async def main() -> tuple[RunEnd, float]:
            begun_s = anyio.current_time()
            async with anyio.create_task_group() as group:
                if meanwhile is not None:
                    group.start_soon(meanwhile, job)
                end = await run_campaign(job, self.spec, self.store.progress())
                group.cancel_scope.cancel()
            return end, anyio.current_time() - begun_s

        end, took_s = run_virtually(main)
        return Played(job, end, watcher, took_s)


@pytest.mark.parametrize(("concurrency", "max_sessions"), [(1, None), (4, None), (8, 1)])
def test_each_conversation_of_a_campaign_is_replayed(concurrency: int, max_sessions: int | None) -> None:
    assistant = Slow(max_sessions=max_sessions)
    played = Campaign(spec_of(conversations=4, arms=(G, B)), (assistant,), concurrency=concurrency).play()
    assert played.end.status is RunStatus.FINISHED
    assert played.end.notes == ()
    names = ["guided-001", "guided-002", "baseline-001", "baseline-002"]
    assert played.folds() == dict.fromkeys(names, (True, 3))
    assert len(played.store.outcomes) == 16
    assert sorted(played.watcher.conversations) == sorted(names)
    assert assistant.most_open <= (max_sessions or concurrency)
    arms = {name: played.store.planned[name].arm for name in played.store.outcomes}
    assert all(arm is (G if name.startswith("guided") else B) for name, arm in arms.items())


def test_follow_ups_go_before_the_next_conversation() -> None:
    played = Campaign(spec_of(conversations=2)).play()
    assert played.watcher.begun == [
        f"guided-00{source}{follow_up}" for source in (1, 2) for follow_up in ("", "-x0", "-x1", "-x2")
    ]


def test_follow_ups_take_the_time_of_their_arm_and_what_does_not_fit_is_not_begun() -> None:
    """Eight times twenty seconds are two families; of the third one a follow-up fits."""
    played = Campaign(spec_of(time_s=205)).play()
    assert played.end.status is RunStatus.FINISHED
    assert played.took_s == pytest.approx(200, abs=1)
    assert played.folds() == {"guided-001": (True, 3), "guided-002": (True, 3), "guided-003": (False, 1)}
    assert "guided-003-x1" not in played.watcher.begun
    assert played.end.notes[0].startswith("the follow-ups of 1 conversation could not be completed")
    assert [each.active_s for each in played.store.activity][-1] == pytest.approx(200, abs=1)


def test_a_follow_up_that_runs_when_time_is_up_is_ended_and_its_family_folded() -> None:
    class Tiring(Slow):
        async def on_send(self, start: SessionStart, utterance: str) -> Any:
            await anyio.sleep(40 if start.conversation_id == "guided-001-x1" else 0)
            return await super().on_send(start, utterance)

    played = Campaign(spec_of(time_s=80), (Tiring(),)).play()
    assert played.store.outcomes["guided-001-x1"].stop.reason is StopReason.DEADLINE
    assert played.store.outcomes["guided-001-x1"].judgement.verdict is None
    assert played.folds() == {"guided-001": (False, 2)}
    assert played.took_s <= 80 + 60


def test_a_context_check_that_takes_too_long_is_cut_one_call_after_the_deadline() -> None:
    class Endless(SmoothChecker):
        async def check(self, brief: ContextBrief) -> ContextFinding:
            await anyio.sleep_forever()
            raise AssertionError

    played = Campaign(spec_of(time_s=100), replays=Replays(checker=Endless())).play()
    assert played.end.status is RunStatus.FINISHED
    assert played.took_s == pytest.approx(160, abs=1)
    assert played.folds() == {"guided-001": (False, 3)}


def test_arms_that_run_side_by_side_each_pay_for_their_own_follow_ups() -> None:
    spec = spec_of(time_s=400, arms=(G, B), split=Split.TIME)
    played = Campaign(spec, concurrency=2).play()
    used_s = {arm: [each.active_s for each in played.store.activity if each.arm is arm][-1] for arm in (G, B)}
    assert used_s[G] == pytest.approx(400, abs=41)
    assert used_s[B] == pytest.approx(400, abs=41)
    n_ended = {arm: sum(played.store.planned[name].arm is arm for name in played.store.outcomes) for arm in (G, B)}
    assert abs(n_ended[G] - n_ended[B]) <= 5


def test_a_follow_up_that_hairpin_broke_is_tried_again() -> None:
    def shaky(job: RunJob) -> RunJob:
        store = store_of(job)
        record, broken = store.record_exchange, list[str]()

        async def once(attempt_id: str, exchange: Exchange) -> None:
            if store.open_attempts.get(attempt_id) == "guided-001-x1" and not broken:
                broken.append(attempt_id)
                raise ValueError("a fault of Hairpin's")
            await record(attempt_id, exchange)

        store.record_exchange = once  # type: ignore[method-assign]
        return job

    played = Campaign(spec_of(conversations=1, retries=1), change=shaky).play()
    assert played.store.aborted == ["guided-001-x1"]
    assert played.store.outcomes["guided-001-x1"].stop.reason is StopReason.SCRIPT_EXHAUSTED
    assert played.folds() == {"guided-001": (True, 3)}


def test_an_assistant_that_breaks_in_follow_ups_stops_the_campaign() -> None:
    class Failing(Slow):
        async def on_send(self, start: SessionStart, utterance: str) -> Any:
            if "-x" in start.conversation_id:
                raise ValueError("no")
            return await super().on_send(start, utterance)

    played = Campaign(spec_of(time_s=3600), (Failing(),), Replays(number=30), concurrency=2).play()
    assert played.end.status is RunStatus.STOPPED
    assert "is broken" in played.end.detail
    assert played.store.open_attempts == {}


def test_a_gate_that_closes_while_a_follow_up_waits_for_money_holds_it_back_in_a_campaign() -> None:
    class FailingFirst(Slow):
        failed = 0

        async def on_send(self, start: SessionStart, utterance: str) -> Any:
            if "-x" in start.conversation_id and self.failed < 5:
                self.failed += 1
                raise ValueError("no")
            return await super().on_send(start, utterance)

    @asynccontextmanager
    async def dear(planned: PlannedConversation) -> Any:
        if planned.id in ("guided-001-x5", "guided-001-x6"):
            await anyio.sleep(10)
        yield True

    spec = spec_of(conversations=1)
    replays = Replays(number=7)
    campaign = Campaign(spec, (FailingFirst(),), replays, concurrency=7)
    campaign.change = lambda job: replace(job, admission=dear)
    played = campaign.play()
    assert played.end.status is RunStatus.FINISHED
    assert played.folds() == {"guided-001": (True, 7)}
    assert played.took_s >= 20 + 30


def test_a_campaign_without_money_for_follow_ups_ends() -> None:
    @asynccontextmanager
    async def sources_alone(planned: PlannedConversation) -> Any:
        yield not planned.is_follow_up

    spec = spec_of(conversations=2)
    played = Campaign(spec, change=lambda job: replace(job, admission=sources_alone)).play()
    assert played.end.status is RunStatus.FINISHED
    assert played.folds() == {"guided-001": (False, 0), "guided-002": (False, 0)}


def test_an_interrupt_in_follow_ups_ends_the_campaign_at_once() -> None:
    async def interrupt(job: RunJob) -> None:
        await anyio.sleep(45)
        job.stop.set(StopReason.INTERRUPTED)

    played = Campaign(spec_of(time_s=3600)).play(interrupt)
    assert played.end.status is RunStatus.INTERRUPTED
    assert played.took_s == pytest.approx(45, abs=0.1)
    assert played.store.aborted == ["guided-001-x1"]
    assert played.folds() == {}


def test_a_model_that_takes_no_call_for_a_context_stops_the_campaign() -> None:
    class Exhausted(SmoothChecker):
        async def check(self, brief: ContextBrief) -> ContextFinding:
            raise ProviderStoppedError("the quota is used up")

    played = Campaign(spec_of(time_s=3600), replays=Replays(checker=Exhausted())).play()
    assert (played.end.status, played.end.detail) == (RunStatus.STOPPED, "the quota is used up")
    assert played.store.open_attempts == {}


def test_a_resumed_campaign_goes_on_with_the_open_families_of_each_cell() -> None:
    """Both cells were under way when the time of the first process was over."""
    spec = spec_of(conversations=4, suts={"sut0": PythonSut(reference="a:b"), "sut1": PythonSut(reference="c:d")})
    store = MemoryStore()

    async def interrupt(job: RunJob) -> None:
        await anyio.sleep(205)
        job.stop.set(StopReason.INTERRUPTED)

    first = Campaign(spec, (Slow(), Slow()), store=store).play(interrupt)
    assert first.end.status is RunStatus.INTERRUPTED
    assert sorted(first.folds()) == ["s1-guided-001", "s1-guided-002"]
    again = Campaign(spec, (Slow(), Slow()), store=store).play()
    assert again.end.status is RunStatus.FINISHED
    assert again.watcher.begun[0] == "s2-guided-001-x1"
    assert set(again.folds().values()) == {(True, 3)}
    assert len(again.folds()) == 4
    assert len(store.outcomes) == 16


def test_families_that_were_left_when_time_was_up_stay_incomplete_until_there_is_more_time() -> None:
    store = MemoryStore()
    Campaign(spec_of(time_s=65), store=store).play()
    again = Campaign(spec_of(time_s=65), store=store).play()
    assert (again.folds(), again.watcher.begun) == ({"guided-001": (False, 2)}, [])
    more = Campaign(spec_of(time_s=90), store=store).play()
    assert more.watcher.begun == ["guided-001-x2"]
    assert more.folds() == {"guided-001": (True, 3)}


class KilledError(Exception):
    """Stands for a process that is gone."""


def test_killed_after_any_row_and_resumed_a_campaign_holds_the_same_conversations_and_follow_ups() -> None:
    """Each gets one accepted outcome: the store of this test refuses a second one."""
    spec = spec_of(conversations=2, arms=(G, B))
    whole = Campaign(spec, replays=Replays(number=2), concurrency=2).play()
    for n_rows in range(0, whole.store.n_written, 2):
        store = MemoryStore(dies_after=n_rows)

        async def kill(_: RunJob, store: MemoryStore = store) -> None:
            died = anyio.Event()
            store.on_death = died.set
            await died.wait()
            raise KilledError

        with pytest.raises(BaseExceptionGroup):
            Campaign(spec, replays=Replays(number=2), concurrency=2, store=store).play(kill)
        store.dies_after = None
        store.open_attempts.clear()
        resumed = Campaign(spec, replays=Replays(number=2), concurrency=2, store=store).play()
        assert resumed.folds() == whole.folds(), f"killed after {n_rows} rows"
        assert set(store.outcomes) == set(whole.store.outcomes), f"killed after {n_rows} rows"
