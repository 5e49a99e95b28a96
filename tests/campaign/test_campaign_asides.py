"""Trials and canaries in a run: before what is new, beside all figures, and found again after a kill."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import anyio
import pytest

from hairpin.campaign.asides import Asides, WaitingAsides, together
from hairpin.campaign.conduct import RunEnd
from hairpin.campaign.events import ConversationEnd, SilentListener
from hairpin.campaign.job import RunJob
from hairpin.campaign.runner import run_plan
from hairpin.campaign.study import run_campaign
from hairpin.domain.arm import Arm
from hairpin.domain.campaign import BaselineSpec, CampaignSpec, SeedPhrase, SeedPool
from hairpin.domain.conversation import Exchange
from hairpin.domain.outcome import Stop, StopReason
from hairpin.domain.plan import CANARIES_FROM, PlannedConversation, plan_conversations, plan_trial
from hairpin.domain.progress import RunProgress
from hairpin.domain.records import Outcome, RunStatus
from hairpin.domain.scoring import unjudged
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.trials import TrialKind
from hairpin.domain.users import Persona
from hairpin.errors import SutError
from tests.campaign.worlds import Assistant, MemoryStore, job_for, scenario_of, store_of
from tests.virtual_time import VirtualClock, run_virtually

REJUDGE, REPLAY, RESIMULATE = TrialKind
THE_END = Stop(reason=StopReason.TURNS_EXHAUSTED)
ENDED = Outcome(stop=THE_END, judgement=unjudged(THE_END))


class Slow(Assistant):
    """Takes a virtual second for each reply; says how often it was asked in each session."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.starts: list[SessionStart] = []

    async def on_open(self, start: SessionStart) -> None:
        self.starts.append(start)

    async def on_send(self, start: SessionStart, utterance: str) -> Any:
        await anyio.sleep(1)
        return SutReply(text=f"ok {utterance}", state={"asked": utterance})


@dataclass
class Watcher(SilentListener):
    begun: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def conversation_started(self, planned: PlannedConversation) -> None:
        self.begun.append(planned.id)

    def aside_started(self, planned: PlannedConversation) -> None:
        self.begun.append(planned.id)

    def aside_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        self.told.append(planned.id)


def trials(*kinds: TrialKind) -> Asides:
    """Every conversation gets one trial of each kind."""

    def after(planned: PlannedConversation, _: Outcome) -> tuple[PlannedConversation, ...]:
        return tuple(plan_trial(planned, kind, 0) for kind in kinds)

    return Asides(after=after)


@dataclass
class Run:
    assistants: tuple[Assistant, ...] = field(default_factory=lambda: (Slow(),))
    asides: Asides = field(default_factory=lambda: trials(REJUDGE, REPLAY))
    n_phrases: int = 2
    concurrency: int = 1
    store: MemoryStore | None = None
    watcher: Watcher = field(default_factory=Watcher)

    def play(self, meanwhile: Callable[[RunJob], Any] | None = None) -> tuple[RunJob, RunEnd]:
        scenario = scenario_of(n_phrases=self.n_phrases, turn_timeout_s=60)
        made = job_for(*self.assistants, concurrency=self.concurrency, scenario=scenario, clock=VirtualClock())
        job = replace(made, listener=self.watcher, asides=self.asides, store=self.store or made.store, beat_s=5)
        done = store_of(job).progress()
        left = [each for each in plan_conversations(scenario, tuple(job.adapters)) if each.index not in done.finished]

        async def main() -> RunEnd:
            async with anyio.create_task_group() as group:
                if meanwhile is not None:
                    group.start_soon(meanwhile, job)
                missing = tuple(job.asides.missing(job.store.ended(), done.finished_asides))
                end = await run_plan(job, left, asides=missing)
                group.cancel_scope.cancel()
            return end

        return job, run_virtually(main)


def test_asides_go_before_new_conversations_and_are_told_of_apart() -> None:
    run = Run()
    _, end = run.play()
    assert end.status is RunStatus.FINISHED
    assert run.watcher.begun == ["c0001", "c0001~rejudge1", "c0001~replay1", "c0002", "c0002~rejudge1", "c0002~replay1"]
    assert run.watcher.told == [name for name in run.watcher.begun if "~" in name]


def test_the_last_conversations_asides_are_run_however_many_workers_wait() -> None:
    run = Run(n_phrases=1, concurrency=4)
    job, _ = run.play()
    assert sorted(store_of(job).outcomes) == ["c0001", "c0001~rejudge1", "c0001~replay1"]


def test_what_is_only_judged_again_asks_the_assistant_nothing_and_says_the_same_words() -> None:
    assistant = Slow()
    job, _ = Run(assistants=(assistant,), asides=trials(REJUDGE), n_phrases=1).play()
    said, again = (store_of(job).said[name] for name in ("c0001", "c0001~rejudge1"))
    assert assistant.opened == 1
    words = ("user", "assistant", "state", "latency_ms", "strategy", "ended")
    assert [[getattr(each, name) for name in words] for each in again] == [
        [getattr(each, name) for name in words] for each in said
    ]


def test_a_replay_says_the_users_words_and_a_simulation_gets_another_random_seed() -> None:
    assistant = Slow()
    job, _ = Run(assistants=(assistant,), asides=trials(REPLAY, RESIMULATE), n_phrases=1).play()
    source, replay, anew = assistant.starts
    assert [each.user for each in store_of(job).said["c0001~replay1"]] == [
        each.user for each in store_of(job).said["c0001"]
    ]
    assert replay.rng_seed == source.rng_seed != anew.rng_seed


def test_judging_again_needs_no_free_session() -> None:
    """The assistant has one, and a conversation holds it."""
    run = Run(assistants=(Slow(max_sessions=1),), asides=trials(REJUDGE), concurrency=3)
    run.play()
    assert run.watcher.begun == ["c0001", "c0001~rejudge1", "c0002", "c0002~rejudge1"]


class Breaking(Slow):
    """Answers one conversation and is gone."""

    async def on_send(self, start: SessionStart, utterance: str) -> Any:
        if start.conversation_id != "c0001":
            raise SutError("gone")
        return await super().on_send(start, utterance)


def test_a_broken_assistant_is_not_asked_again_and_what_it_said_is_still_judged() -> None:
    def after(planned: PlannedConversation, _: Outcome) -> tuple[PlannedConversation, ...]:
        if planned.id != "c0001":
            return ()
        return (*(plan_trial(planned, REPLAY, number) for number in range(30)), plan_trial(planned, REJUDGE, 0))

    job, end = Run(assistants=(Breaking(), Slow()), asides=Asides(after=after)).play()
    assert end.status is RunStatus.STOPPED
    outcomes = store_of(job).outcomes
    assert 0 < sum("replay" in name for name in outcomes) < 30
    assert outcomes["c0001~rejudge1"].stop.reason is StopReason.SCRIPT_EXHAUSTED


def test_canaries_say_their_transcript_again_to_nobody() -> None:
    exchanges = (Exchange(t=0, user="Hi", assistant="Yo", strategy="recall"), Exchange(t=1, user="Bye", assistant="Ta"))

    def after(planned: PlannedConversation, _: Outcome) -> tuple[PlannedConversation, ...]:
        canary = {"index": CANARIES_FROM + planned.index, "id": f"{planned.id}~canary", "canary": "pair"}
        return (planned.model_copy(update=canary),)

    assistant = Slow()
    asides = Asides(after=after, transcripts={"pair": exchanges})
    job, _ = Run(assistants=(assistant,), asides=asides, n_phrases=1).play()
    said = store_of(job).said["c0001~canary"]
    assert [(each.user, each.assistant, each.strategy) for each in said] == [
        ("Hi", "Yo", "recall"),
        ("Bye", "Ta", None),
    ]
    assert assistant.opened == 1


def test_a_canary_without_its_transcript_stops_the_run_and_says_what_to_do() -> None:
    def after(planned: PlannedConversation, _: Outcome) -> tuple[PlannedConversation, ...]:
        return (planned.model_copy(update={"index": CANARIES_FROM, "id": "x~canary", "canary": "lost"}),)

    _, end = Run(asides=Asides(after=after), n_phrases=1).play()
    assert end.error is not None
    assert "the transcript 'lost' is not among those of this run" in str(end.error)


def test_a_trial_is_followed_by_nothing() -> None:
    """Else there would be no end."""
    asides = trials(REPLAY)
    (planned,) = plan_conversations(scenario_of(n_phrases=1), ["ica"])
    (trial,) = asides.following(planned, ENDED)
    assert asides.following(trial, ENDED) == ()


def test_several_ways_to_follow_go_together_and_none_is_none() -> None:
    (planned,) = plan_conversations(scenario_of(n_phrases=1), ["ica"])
    both = Asides(after=together(trials(REPLAY).after, trials(REJUDGE).after))
    assert [each.id for each in both.following(planned, ENDED)] == [
        "c0001~replay1",
        "c0001~rejudge1",
    ]
    assert both.any
    assert not Asides(after=together()).any


def test_what_waits_is_taken_in_order_given_back_first_and_can_be_dropped() -> None:
    (planned,) = plan_conversations(scenario_of(n_phrases=1), ["ica"])
    first, second = (plan_trial(planned, REPLAY, number) for number in range(2))
    waiting = WaitingAsides([first])
    waiting.add([second])
    assert waiting.take(lambda each: each is second) is second
    waiting.put_back(second)
    assert waiting.take(lambda _: True) is second
    waiting.refuse(lambda each: each is first)
    assert waiting.idle
    assert waiting.take(lambda _: True) is None


class KilledError(Exception):
    """Stands for a process that is gone."""


@pytest.mark.parametrize(("concurrency", "step"), [(1, 1), (3, 3)])
def test_killed_after_any_row_and_resumed_every_aside_gets_one_outcome(concurrency: int, step: int) -> None:
    """The store of this test refuses a second outcome."""
    job, _ = Run(concurrency=concurrency).play()
    whole = store_of(job)
    for n_rows in range(0, whole.n_written, step):
        store = MemoryStore(dies_after=n_rows)

        async def kill(_: RunJob, store: MemoryStore = store) -> None:
            died = anyio.Event()
            store.on_death = died.set
            await died.wait()
            raise KilledError

        with pytest.raises(BaseExceptionGroup):
            Run(concurrency=concurrency, store=store).play(kill)
        store.dies_after = None
        store.open_attempts.clear()
        _, end = Run(concurrency=concurrency, store=store).play()
        assert end.status is RunStatus.FINISHED
        assert store.outcomes.keys() == whole.outcomes.keys(), f"killed after {n_rows} rows"


def a_campaign(**changes: Any) -> CampaignSpec:
    pool = SeedPool(name="p", phrases=tuple(SeedPhrase(text=f"phrase {n}", task=f"task {n % 4}") for n in range(40)))
    baseline = BaselineSpec(persona=Persona(id="neutral", title="Neutral", description="…"), max_turns=2)
    return CampaignSpec(**{"pools": (pool,), "max_turns": (2,), "baseline": baseline, **changes})


def play_campaign(spec: CampaignSpec, done: RunProgress, **changes: Any) -> tuple[RunJob, Watcher]:
    watcher = Watcher()
    made = job_for(Slow(), concurrency=2, scenario=scenario_of(turn_timeout_s=60), clock=VirtualClock())
    job = replace(made, listener=watcher, call_timeout_s=60, beat_s=5, asides=trials(REJUDGE, REPLAY), **changes)
    missing = tuple(job.asides.missing(job.store.ended(), done.finished_asides))
    run_virtually(lambda: run_campaign(job, spec, done, asides=missing))
    return job, watcher


def test_in_a_campaign_asides_are_run_too_and_count_as_no_conversation() -> None:
    job, watcher = play_campaign(a_campaign(conversations=3), RunProgress())
    own = [name for name in store_of(job).outcomes if "~" not in name]
    assert len(own) == 3
    assert sorted(watcher.told) == sorted(f"{name}~{kind}1" for name in own for kind in ("rejudge", "replay"))


def test_in_a_campaign_asides_stay_within_its_time_and_the_missing_ones_come_first_when_there_is_more() -> None:
    job, _ = play_campaign(a_campaign(time_s=11), RunProgress())
    store = store_of(job)
    assert max(each.active_s for each in store.activity) <= 11
    done = store.progress()
    missing = [each.id for each in job.asides.missing(store.ended(), done.finished_asides)]
    assert missing
    store.activity.clear()
    _, watcher = play_campaign(a_campaign(time_s=30), done, store=store)
    assert watcher.begun[: len(missing)] == missing
    assert all(planned.arm is Arm.GUIDED for planned in store.planned.values())
