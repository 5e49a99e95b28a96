"""Whole campaigns in virtual time: what they hold, how they end, and how they go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import anyio
import pytest

from hairpin.campaign.conduct import RunEnd
from hairpin.campaign.events import CampaignStatus, ConversationEnd, SilentListener
from hairpin.campaign.job import RunJob
from hairpin.campaign.study import run_campaign
from hairpin.campaign.watchdog import Watchdog
from hairpin.domain.arm import Arm
from hairpin.domain.briefs import DimensionBrief, SpeakBrief, StrategyBrief, TurnBrief
from hairpin.domain.campaign import BaselineSpec, CampaignSpec, Pairing, SeedPhrase, SeedPool, Split
from hairpin.domain.checks import CheckResult
from hairpin.domain.conversation import Exchange, Utterance
from hairpin.domain.judgement import ResponseFinding, TurnJudgement
from hairpin.domain.learning_spec import LearningSpec
from hairpin.domain.outcome import Role, Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.progress import Activity, RunProgress
from hairpin.domain.records import Outcome, RunStatus
from hairpin.domain.sampling import place_of, plan_arm
from hairpin.domain.strategies import Strategy
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import PythonSut
from hairpin.domain.trials import ConfirmSpec
from hairpin.domain.users import Persona
from hairpin.errors import StoreError
from hairpin.ports import RoleError
from tests.campaign.worlds import LOGGER, Assistant, SmoothRoles, job_for, scenario_of, store_of
from tests.virtual_time import VirtualClock, run_virtually

G, B = Arm.GUIDED, Arm.BASELINE
START_S = 1000.0
"""When virtual time begins."""
NEUTRAL = Persona(id="neutral", title="Neutral", description="…")


class Slow(Assistant):
    """Takes ``reply_s`` virtual seconds for each reply."""

    def __init__(self, reply_s: float = 10, **options: Any) -> None:
        super().__init__(**options)
        self.reply_s = reply_s
        self.sent: list[float] = []

    async def on_send(self, start: SessionStart, utterance: str) -> Any:
        self.sent.append(anyio.current_time() - START_S)
        await anyio.sleep(self.reply_s)
        return SutReply(text=f"ok {utterance}")


def spec_of(**changes: Any) -> CampaignSpec:
    pool = SeedPool(name="p", phrases=tuple(SeedPhrase(text=f"phrase {n}", task=f"task {n % 4}") for n in range(40)))
    values = {"pools": (pool,), "max_turns": (2,), "baseline": BaselineSpec(persona=NEUTRAL, max_turns=2)}
    return CampaignSpec(**{**values, **changes})


def two_suts() -> dict[str, PythonSut]:
    return {"sut0": PythonSut(reference="a:b"), "sut1": PythonSut(reference="c:d")}


@dataclass
class Watcher(SilentListener):
    ended: list[tuple[PlannedConversation, ConversationEnd | None]] = field(default_factory=list)
    retried: list[Stop] = field(default_factory=list)
    statuses: list[CampaignStatus] = field(default_factory=list)

    def conversation_ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        self.ended.append((planned, end))

    def conversation_retried(self, planned: PlannedConversation, stop: Stop) -> None:
        self.retried.append(stop)

    def ticked(self, status: CampaignStatus) -> None:
        self.statuses.append(status)


@dataclass(frozen=True)
class Played:
    """A campaign that ended, after ``took_s`` virtual seconds."""

    job: RunJob
    end: RunEnd
    watcher: Watcher
    took_s: float

    @property
    def planned(self) -> list[PlannedConversation]:
        return [planned for planned, _ in self.watcher.ended]

    @property
    def outcomes(self) -> dict[str, Outcome]:
        return store_of(self.job).outcomes

    def arms(self) -> Counter[Arm]:
        return Counter(planned.arm for planned in self.planned)

    def used_s(self, arm: Arm) -> float:
        return [each.active_s for each in store_of(self.job).activity if each.arm is arm][-1]


def play(
    spec: CampaignSpec,
    *assistants: Assistant,
    done: RunProgress | None = None,
    concurrency: int = 1,
    roles: SmoothRoles | None = None,
    change: Callable[[RunJob], RunJob] = lambda job: job,
    meanwhile: Callable[[RunJob], Coroutine[Any, Any, None]] | None = None,
) -> Played:
    """Run a campaign with roles and an assistant that take virtual time alone."""
    watcher = Watcher()
    made = job_for(
        *assistants, concurrency=concurrency, scenario=scenario_of(turn_timeout_s=60), clock=VirtualClock(), roles=roles
    )
    job = change(replace(made, listener=watcher, call_timeout_s=60, beat_s=5))

    async def main() -> tuple[RunEnd, float]:
        async with anyio.create_task_group() as group:
            if meanwhile is not None:
                group.start_soon(meanwhile, job)
            end = await run_campaign(job, spec, done or RunProgress())
            group.cancel_scope.cancel()
        return end, anyio.current_time() - START_S

    end, took_s = run_virtually(main)
    return Played(job, end, watcher, took_s)


def test_a_conversation_begins_only_if_it_can_end_in_time_and_none_is_cut() -> None:
    """Conversations take 20 s: five fit into 110 s, and the sixth is not begun."""
    played = play(spec_of(time_s=110), Slow())
    assert played.end.status is RunStatus.FINISHED
    assert len(played.outcomes) == 5
    assert {outcome.stop.reason for outcome in played.outcomes.values()} == {StopReason.TURNS_EXHAUSTED}
    assert played.took_s == pytest.approx(100, abs=1)


def test_four_hours_are_spent_and_not_exceeded() -> None:
    played = play(spec_of(time_s=4 * 3600), Slow(45), concurrency=2)
    assert played.end.status is RunStatus.FINISHED
    assert len(played.outcomes) == 320
    assert played.took_s == pytest.approx(4 * 3600, abs=1)
    assert [outcome.active_s for outcome in played.outcomes.values()] == sorted(
        outcome.active_s or 0 for outcome in played.outcomes.values()
    )


def test_each_arm_gets_all_of_the_time_and_they_run_side_by_side() -> None:
    played = play(spec_of(time_s=400, arms=(G, B)), Slow(), concurrency=2)
    assert played.arms()[G] == played.arms()[B]
    assert 38 <= played.arms()[G] <= 40
    assert [planned.arm for planned in played.planned[:4]].count(G) == 2
    assert played.took_s == pytest.approx(800, abs=41)
    assert played.used_s(G) == pytest.approx(400, abs=21)
    assert played.used_s(B) == pytest.approx(400, abs=21)


def test_with_total_the_time_is_shared_out() -> None:
    played = play(spec_of(time_s=400, arms=(G, B), split=Split.TOTAL), Slow())
    assert played.arms()[G] == played.arms()[B]
    assert 9 <= played.arms()[G] <= 10
    assert played.took_s == pytest.approx(400, abs=21)


def test_with_count_the_numbers_are_equal_though_one_arm_is_slower() -> None:
    spec = spec_of(time_s=200, arms=(G, B), split=Split.COUNT, baseline=BaselineSpec(persona=NEUTRAL, max_turns=6))
    played = play(spec, Slow())
    assert played.arms()[G] == played.arms()[B] == 5
    assert played.took_s <= 400


def test_paired_arms_meet_the_same_users() -> None:
    played = play(spec_of(conversations=12, arms=(G, B), pairing=Pairing.PAIRED), Slow())
    met: dict[Arm, set[tuple[Any, ...]]] = {G: set(), B: set()}
    for planned in played.planned:
        met[planned.arm].add((planned.seed_phrase, planned.persona, planned.max_turns, planned.rng_seed))
    assert met[G] == met[B]
    assert len(met[G]) == 6


def test_conversations_are_shared_evenly_by_runs_assistants_and_arms() -> None:
    spec = spec_of(conversations=26, arms=(G, B), runs=3, suts=two_suts())
    played = play(spec, Slow(), Slow(1))
    cells = Counter((planned.run, planned.sut, planned.arm) for planned in played.planned)
    assert sum(cells.values()) == 26
    assert len(cells) == 12
    assert set(cells.values()) == {2, 3}
    order = list(dict.fromkeys((planned.run, planned.sut) for planned in played.planned))
    assert order == [(run, sut) for run in range(3) for sut in ("sut0", "sut1")]


def test_an_arm_that_has_found_enough_distinct_failures_begins_nothing_new() -> None:
    class Failing(SmoothRoles):
        async def score(self, brief: DimensionBrief) -> Any:
            return (await super().score(brief)).model_copy(update={"score": 0})

    spec = spec_of(conversations=30, max_distinct_failures=1)
    played = play(spec, Slow(), roles=Failing(), change=lambda job: replace(job, checks=(Refusing(),)))
    assert len(played.outcomes) == 1
    assert played.end.status is RunStatus.FINISHED


@dataclass(frozen=True)
class Refusing:
    """A check that no reply passes."""

    name: str = "refusing"

    async def run(self, exchange: Exchange, history: tuple[Exchange, ...]) -> CheckResult:
        return CheckResult(name=self.name, passed=False, detail="no")


class SlowJudges(SmoothRoles):
    def __init__(self, judging_s: float) -> None:
        self.judging_s = judging_s

    async def score(self, brief: DimensionBrief) -> Any:
        await anyio.sleep(self.judging_s)
        return await super().score(brief)


def test_speaking_ends_in_time_for_judging_as_it_was_learnt() -> None:
    """The first conversation teaches that judging takes 40 s; the last one, grown slow, is told to stop that early."""

    class Tiring(Slow):
        async def on_send(self, start: SessionStart, utterance: str) -> Any:
            self.reply_s = 10 if self.opened == 1 else 29
            return await super().on_send(start, utterance)

    spec = spec_of(time_s=150, max_turns=(3,))
    assistant = Tiring()
    played = play(spec, assistant, roles=SlowJudges(40))
    first, last = played.outcomes.values()
    assert first.stop.reason is StopReason.TURNS_EXHAUSTED
    assert (last.stop.reason, last.judgement.verdict) == (StopReason.DEADLINE, Verdict.INCONCLUSIVE)
    assert max(assistant.sent) <= 150 - 40
    assert played.took_s == pytest.approx(99 + 29 + 40, abs=1)
    assert last.judgement.success_score is not None


def test_what_still_runs_one_call_after_the_deadline_is_cut_short() -> None:
    played = play(spec_of(time_s=100), Slow(10), roles=SlowJudges(4000))
    (outcome,) = played.outcomes.values()
    assert (outcome.stop.reason, outcome.judgement.verdict) == (StopReason.DEADLINE, Verdict.INCONCLUSIVE)
    assert outcome.judgement.success_score is None
    assert played.took_s == pytest.approx(100 + 60, abs=1)


def test_a_conversation_that_a_provider_broke_is_tried_again_at_once_and_both_tries_are_kept() -> None:
    class Shaky(SmoothRoles):
        calls = 0

        async def speak(self, brief: SpeakBrief) -> Any:
            self.calls += 1
            if self.calls in (1, 2, 6):
                raise RoleError(StopReason.PROVIDER_ERROR, Role.SIMULATOR, "503")
            return await super().speak(brief)

    played = play(spec_of(conversations=3, retries=1), Slow(), roles=Shaky())
    reasons = [outcome.stop.reason for outcome in played.outcomes.values()]
    assert reasons == [StopReason.PROVIDER_ERROR, StopReason.TURNS_EXHAUSTED, StopReason.TURNS_EXHAUSTED]
    assert [stop.reason for stop in played.watcher.retried] == [StopReason.PROVIDER_ERROR] * 2
    assert len(store_of(played.job).aborted) == 2
    assert len(played.planned) == 3


def test_a_stuck_node_is_ended_and_the_campaign_goes_on() -> None:
    class Stuck(SmoothRoles):
        def __init__(self) -> None:
            self.calls = 0

        async def score(self, brief: DimensionBrief) -> Any:
            self.calls += 1
            if self.calls == 2:
                await anyio.sleep_forever()
            return await super().score(brief)

    played = play(
        spec_of(conversations=4, retries=0),
        Slow(),
        roles=Stuck(),
        change=lambda job: replace(job, watchdog=Watchdog(limit_s=300, logger=LOGGER)),
    )
    reasons = [outcome.stop.reason for outcome in played.outcomes.values()]
    assert reasons.count(StopReason.INTERNAL_ERROR) == 1
    assert "node 'judge_dimension' was stuck" in list(played.outcomes.values())[1].stop.detail
    assert len(reasons) == 4


def test_an_interrupt_ends_everything_and_says_so() -> None:
    async def interrupt(job: RunJob) -> None:
        await anyio.sleep(75)
        job.stop.set(StopReason.INTERRUPTED)

    assistant = Slow()
    played = play(spec_of(time_s=3600), assistant, concurrency=3, meanwhile=interrupt)
    assert played.end.status is RunStatus.INTERRUPTED
    assert played.took_s == pytest.approx(75, abs=1)
    assert len(played.outcomes) == 9
    assert len(store_of(played.job).aborted) == 3
    assert assistant.opened == assistant.closed == 12


def test_an_assistant_that_errs_for_ever_stops_the_campaign() -> None:
    class Broken(Slow):
        async def on_send(self, start: SessionStart, utterance: str) -> Any:
            raise ValueError("no")

    played = play(spec_of(time_s=3600), Broken())
    assert played.end.status is RunStatus.STOPPED
    assert "is broken" in played.end.detail


def test_a_pause_for_an_assistant_in_trouble_counts_as_time() -> None:
    class Recovering(Slow):
        async def on_send(self, start: SessionStart, utterance: str) -> Any:
            if self.opened <= 5:
                raise ValueError("no")
            return await super().on_send(start, utterance)

    played = play(spec_of(time_s=100), Recovering())
    assert played.took_s <= 100
    assert Counter(outcome.stop.reason for outcome in played.outcomes.values()) == {
        StopReason.SUT_ERROR: 5,
        StopReason.TURNS_EXHAUSTED: 3,
    }


def test_no_more_conversations_run_at_once_than_the_adapter_has_sessions() -> None:
    assistant = Slow(max_sessions=2)
    play(spec_of(conversations=9), assistant, concurrency=8)
    assert assistant.most_open == 2


def after(spec: CampaignSpec, job: RunJob, finished: Sequence[str], unfinished: Sequence[str]) -> RunProgress:
    """Return the progress of a campaign of which these conversations were planned."""
    plan: dict[str, PlannedConversation] = {}
    for arm in spec.arms:
        stream = plan_arm(job.scenario, spec, run=0, sut="sut0", sut_number=0, arm=arm)
        plan |= {planned.id: planned for planned, _ in zip(stream, range(20), strict=False)}
    return RunProgress(
        finished=frozenset(plan[name].index for name in finished),
        unfinished=tuple(plan[name] for name in unfinished),
        activity=(Activity(run=0, sut="sut0", arm=G, active_s=60), Activity(run=0, sut="sut0", arm=B, active_s=50)),
    )


def test_a_resumed_campaign_begins_with_what_was_under_way_and_repeats_nothing() -> None:
    spec = spec_of(conversations=12, arms=(G, B))
    job = job_for(Slow())
    done = after(spec, job, ["guided-001", "guided-003", "baseline-001"], ["guided-002", "baseline-002"])
    played = play(spec, Slow(), done=done)
    names = [planned.id for planned in played.planned]
    assert set(names[:2]) == {"guided-002", "baseline-002"}
    assert sorted(names) == sorted(
        [f"guided-{n:03d}" for n in (2, 4, 5, 6)] + [f"baseline-{n:03d}" for n in (2, 3, 4, 5, 6)]
    )
    assert {place_of(spec, planned.index) for planned in played.planned} == {(0, 0), (0, 1)}


def test_a_resumed_campaign_has_the_time_that_was_not_used() -> None:
    spec = spec_of(time_s=100, arms=(G, B))
    done = after(spec, job_for(Slow()), ["guided-001"], [])
    played = play(spec, Slow(), done=done)
    assert played.took_s == pytest.approx(40 + 50, abs=21)
    assert played.used_s(G) == pytest.approx(100, abs=21)


def test_what_was_under_way_when_time_ran_out_still_gets_its_outcome() -> None:
    """A killed process may have used up the time: its conversations are cut, and are not left without an outcome."""
    spec = spec_of(time_s=60, arms=(G, B))
    played = play(spec, Slow(), done=after(spec, job_for(Slow()), [], ["guided-001", "guided-002", "baseline-001"]))
    reasons = {name: outcome.stop.reason for name, outcome in played.outcomes.items()}
    assert set(reasons) == {"guided-001", "guided-002", "baseline-001"}
    assert reasons["guided-001"] is StopReason.DEADLINE
    assert played.end.status is RunStatus.FINISHED


def test_tells_how_it_stands_while_it_runs() -> None:
    played = play(spec_of(time_s=100, arms=(G, B), runs=2), Slow(), concurrency=2)
    middle = played.watcher.statuses[10]
    assert (middle.n_cells, middle.cell, middle.sut) == (2, 0, "sut0")
    assert set(middle.arms) == {G, B}
    assert sum(arm.running for arm in middle.arms.values()) == 2
    assert all(arm.left_s is not None and 0 < arm.left_s < 100 for arm in middle.arms.values())
    assert played.watcher.statuses[-1].run == 1


def test_leases_of_open_attempts_are_renewed() -> None:
    played = play(spec_of(conversations=2), Slow(60))
    assert store_of(played.job).renewed.count(("attempt-0",)) >= 3


def test_a_store_that_fails_to_the_end_stops_the_campaign_with_its_error() -> None:
    """Not with a group of errors, which nobody could tell from a fault of Hairpin's."""

    def full(job: RunJob) -> RunJob:
        store_of(job).fails = True
        return job

    played = play(spec_of(conversations=4), Slow(), change=full)
    assert played.end.status is RunStatus.STOPPED
    assert isinstance(played.end.error, StoreError)
    assert played.end.detail == "run.sqlite: the disk is full"
    assert played.outcomes == {}


def test_a_store_that_cannot_take_the_time_used_stops_the_campaign() -> None:
    """Whoever goes on with it would get the time again."""

    class Filling(Slow):
        async def on_send(self, start: SessionStart, utterance: str) -> Any:
            return SutReply(text="ok", ended=True)

    def full_at_the_end(job: RunJob) -> RunJob:
        store = store_of(job)

        async def refuse(_: Sequence[Activity]) -> None:
            raise StoreError("run.sqlite: the disk is full")

        store.record_activity = refuse  # type: ignore[method-assign, assignment]
        return job

    played = play(spec_of(conversations=1), Filling(), change=full_at_the_end)
    assert len(played.outcomes) == 1
    assert isinstance(played.end.error, StoreError)


def test_a_resumed_campaign_begins_nothing_that_took_too_long_before() -> None:
    spec = spec_of(time_s=75)
    done = replace(after(spec, job_for(Slow()), ["guided-001"], []), durations={(0, "sut0", G): (20.0,)})
    assert play(spec, Slow(), done=done).outcomes == {}
    assert len(play(spec_of(time_s=85), Slow(), done=done).outcomes) == 1


def test_when_a_model_cannot_be_asked_in_time_nothing_new_begins() -> None:
    """Else every conversation that there is would begin and be cut at once."""

    class Late(SmoothRoles):
        calls = 0

        async def speak(self, brief: SpeakBrief) -> Any:
            self.calls += 1
            if self.calls > 4:
                raise RoleError(StopReason.DEADLINE, Role.SIMULATOR, "no time is left for a request")
            return await super().speak(brief)

    played = play(spec_of(time_s=3600), Slow(), roles=Late())
    reasons = [outcome.stop.reason for outcome in played.outcomes.values()]
    assert reasons == [StopReason.TURNS_EXHAUSTED, StopReason.TURNS_EXHAUSTED, StopReason.DEADLINE]
    assert played.end.status is RunStatus.FINISHED


STRATEGIES = tuple(
    Strategy(id=name, title=name, target_mode=f"mode {name}") for name in ("one", "two", "three", "four")
)


class Finding(SmoothRoles):
    """Uses what is offered first and finds the same failure at every turn."""

    async def choose(self, brief: StrategyBrief) -> Any:
        return brief.available[0]

    async def speak(self, brief: SpeakBrief) -> Utterance:
        name = brief.strategy.id if brief.strategy else None
        return Utterance(text=f"{brief.seed_phrase} {brief.t}", strategy=name)

    async def judge(self, brief: TurnBrief) -> TurnJudgement:
        return TurnJudgement(response=(ResponseFinding(mode="forgot", evidence="e"),))


def learning(job: RunJob) -> RunJob:
    return replace(job, scenario=job.scenario.model_copy(update={"strategies": STRATEGIES}))


def learned(played: Played) -> list[PlannedConversation]:
    return [planned for planned in played.planned if planned.arm is Arm.LEARNED]


def test_strategies_that_found_what_was_known_are_left_for_those_that_were_not_tried() -> None:
    spec = spec_of(conversations=40, arms=(G, Arm.LEARNED), learning=LearningSpec(epsilon=0, share=0.25, optimism=20))
    played = play(spec, Slow(), roles=Finding(), change=learning)
    preferences = [planned.preference for planned in learned(played) if planned.preference is not None]
    assert [preference.n_lessons for preference in preferences] == list(range(20))
    assert {preference.strategies[0] for preference in preferences} == {strategy.id for strategy in STRATEGIES}


def test_a_resumed_campaign_chooses_as_the_one_before_would_have_and_never_again_what_was_chosen() -> None:
    """Nothing but the rows is known: what was under way keeps its choice, what comes is chosen of the same lessons."""
    spec = spec_of(conversations=24, arms=(G, Arm.LEARNED), learning=LearningSpec(epsilon=0.3))
    whole = play(spec, Slow(), roles=Finding(), change=learning)
    begun = learned(whole)[:6]
    ended = {planned.id: end for planned, end in whole.watcher.ended if end is not None}
    lessons = tuple(ended[planned.id].lesson(planned) for planned in begun[:5])
    progress = RunProgress(
        finished=frozenset(planned.index for planned in (*begun[:5], *(p for p in whole.planned if p.arm is G))),
        unfinished=(begun[5],),
        lessons={(0, "sut0"): lessons},
    )
    rest = play(spec, Slow(), roles=Finding(), change=learning, done=progress)
    assert rest.planned == learned(whole)[5:]


def test_where_failures_are_confirmed_a_conversation_teaches_nothing_before_a_replay_of_it_ended() -> None:
    def confirming(job: RunJob) -> RunJob:
        return replace(learning(job), scenario=learning(job).scenario.model_copy(update={"confirm": ConfirmSpec()}))

    spec = spec_of(conversations=24, arms=(G, Arm.LEARNED), learning=LearningSpec(epsilon=0, share=0.25, optimism=0.01))
    plain = play(spec, Slow(), roles=Finding(), change=learning)
    unconfirmed = play(spec, Slow(), roles=Finding(), change=confirming)
    assert learned(plain)[0] == learned(unconfirmed)[0]
    assert [planned.preference for planned in learned(plain)] != [p.preference for p in learned(unconfirmed)]
