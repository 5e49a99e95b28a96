"""Runs whose conversations are replayed: order, limits, what ends them, and how they go on after a kill."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import anyio
import pytest

from hairpin.campaign.conduct import RunEnd
from hairpin.campaign.families import PER_WORKER
from hairpin.campaign.job import RunJob
from hairpin.campaign.runner import run_plan
from hairpin.domain.briefs import ContextBrief
from hairpin.domain.families import Family
from hairpin.domain.outcome import Role, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation, plan_conversations, plan_test_seeds
from hairpin.domain.records import ConversationRecord, RunStatus
from hairpin.domain.relations import ContextFinding, ContextReason
from hairpin.domain.replay import HistoryTurn
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.errors import EncoderError, ProviderStoppedError, StoreError, UserError
from hairpin.graph.family_state import Derived
from hairpin.ports import RoleError
from tests.campaign.replays import Replays, SmoothChecker, Watcher, seeds
from tests.campaign.worlds import Assistant, MemoryStore, job_for, scenario_of, store_of
from tests.virtual_time import VirtualClock, run_virtually


class Slow(Assistant):
    """Takes a virtual second for each reply; a deadlock is an error in virtual time."""

    async def on_send(self, start: SessionStart, utterance: str) -> Any:
        await anyio.sleep(1)
        return SutReply(text=f"ok {utterance}")


@dataclass
class Played:
    job: RunJob
    end: RunEnd
    watcher: Watcher
    took_s: float = 0.0

    @property
    def store(self) -> MemoryStore:
        return store_of(self.job)

    @property
    def follow_ups(self) -> list[str]:
        return sorted(name for name in self.store.outcomes if "-x" in name)


@dataclass
class Run:
    """What a test can change about a run of test seeds."""

    assistants: tuple[Assistant, ...] = field(default_factory=lambda: (Slow(),))
    replays: Replays = field(default_factory=Replays)
    n_seeds: int = 3
    concurrency: int = 2
    free: bool = False
    max_turns: int = 2
    store: MemoryStore | None = None
    change: Callable[[RunJob], RunJob] = lambda job: job

    def play(self, meanwhile: Callable[[RunJob], Any] | None = None) -> Played:
        watcher = Watcher()
        scenario = scenario_of(n_phrases=self.n_seeds, turn_timeout_s=60, max_turns=self.max_turns)
        made = job_for(*self.assistants, concurrency=self.concurrency, scenario=scenario, clock=VirtualClock())
        test_seeds = seeds(self.n_seeds)
        replaying = replace(self.replays, test_seeds={seed.id: seed for seed in test_seeds})
        job = self.change(
            replace(made, listener=watcher, replaying=replaying, store=self.store or made.store, beat_s=5)
        )
        suts = tuple(job.adapters)
        plan = plan_conversations(scenario, suts) if self.free else plan_test_seeds(scenario, suts, test_seeds)
        done = store_of(job).progress()
        left = [planned for planned in plan if planned.index not in done.finished]

        async def main() -> tuple[RunEnd, float]:
            begun_s = anyio.current_time()
            async with anyio.create_task_group() as group:
                if meanwhile is not None:
                    group.start_soon(meanwhile, job)
                end = await run_plan(job, left, open_families=done.open_families)
                group.cancel_scope.cancel()
            return end, anyio.current_time() - begun_s

        end, took_s = run_virtually(main)
        return Played(job, end, watcher, took_s)


def after(seconds: float, reason: StopReason) -> Callable[[RunJob], Any]:
    async def stop(job: RunJob) -> None:
        await anyio.sleep(seconds)
        job.stop.set(reason)

    return stop


@pytest.mark.parametrize("concurrency", [1, 2, 7])
@pytest.mark.parametrize("max_sessions", [None, 1])
def test_every_source_and_every_follow_up_runs_once_in_a_session_of_its_own(
    concurrency: int, max_sessions: int | None
) -> None:
    assistant = Slow(max_sessions=max_sessions)
    played = Run((assistant,), concurrency=concurrency).play()
    assert played.end.status is RunStatus.FINISHED
    assert played.end.notes == ()
    assert played.follow_ups == [f"c000{source}-x{number}" for source in (1, 2, 3) for number in range(3)]
    assert assistant.opened == assistant.closed == 12
    assert assistant.most_open <= (max_sessions or concurrency)
    assert {name: (fold.complete, fold.n_follow_ups) for name, fold in played.store.folds.items()} == {
        f"c000{source}": (True, 3) for source in (1, 2, 3)
    }
    outcome = played.store.outcomes["c0001-x0"]
    assert (outcome.stop.reason, outcome.judgement.verdict) == (StopReason.SCRIPT_EXHAUSTED, None)
    assert [exchange.user for exchange in played.store.said["c0001-x0"]] == ["question 0.1", "question 0.0"]


def test_follow_ups_go_before_new_sources() -> None:
    played = Run(concurrency=1).play()
    assert played.watcher.begun == [
        name for source in ("c0001", "c0002", "c0003") for name in (source, *(f"{source}-x{n}" for n in range(3)))
    ]


def test_follow_ups_go_first_although_an_assistant_has_one_session_and_many_workers_wait_for_it() -> None:
    played = Run((Slow(max_sessions=1),), concurrency=5).play()
    assert played.watcher.begun[:5] == ["c0001", "c0001-x0", "c0001-x1", "c0001-x2", "c0002"]


def test_while_many_families_are_open_no_new_source_begins() -> None:
    """Contexts that take long to check must not pile families up."""

    class Patient(SmoothChecker):
        async def check(self, brief: ContextBrief) -> ContextFinding:
            await anyio.sleep(100)
            return await super().check(brief)

    played = Run(replays=Replays(checker=Patient()), n_seeds=16, concurrency=2).play()
    assert played.end.status is RunStatus.FINISHED
    assert played.watcher.most_open <= PER_WORKER * 2 + 2
    assert len(played.store.folds) == 16


def test_follow_ups_are_not_told_of_as_planned_conversations() -> None:
    watcher = Run().play().watcher
    assert sorted(watcher.conversations) == ["c0001", "c0002", "c0003"]
    assert (len(watcher.follow_ups), watcher.known) == (9, 9)
    assert sorted(end.source for end in watcher.families) == ["c0001", "c0002", "c0003"]


def test_conversations_held_freely_are_replayed_if_they_went_to_their_end() -> None:
    class Moody(Slow):
        async def on_send(self, start: SessionStart, utterance: str) -> Any:
            if start.conversation_id == "c0002":
                raise ValueError("not today")
            reply = await super().on_send(start, utterance)
            return reply.model_copy(update={"ended": start.conversation_id == "c0003"})

    played = Run((Moody(),), free=True).play()
    assert set(played.store.folds) == {"c0001"}
    assert [exchange.user for exchange in played.store.said["c0001-x2"]] == ["phrase 0 1", "phrase 0 0"]
    assert played.store.outcomes["c0001"].judgement.verdict is Verdict.PASS


def test_a_test_seed_is_replayed_if_anything_was_answered() -> None:
    class Moody(Slow):
        async def on_send(self, start: SessionStart, utterance: str) -> Any:
            if utterance in ("question 0.1", "question 1.0") and "-x" not in start.conversation_id:
                raise ValueError("not today")
            return await super().on_send(start, utterance)

    played = Run((Moody(),)).play()
    assert set(played.store.folds) == {"c0001", "c0003"}


def test_without_replaying_test_seeds_are_only_asked() -> None:
    played = Run(change=lambda job: replace(job, replaying=None)).play()
    assert sorted(played.store.outcomes) == ["c0001", "c0002", "c0003"]
    assert played.store.derivations == {}


def test_a_history_is_handed_to_the_session() -> None:
    starts: list[SessionStart] = []

    class Noting(Slow):
        async def on_open(self, start: SessionStart) -> None:
            starts.append(start)

    @dataclass(frozen=True)
    class WithHistory(Replays):
        async def derive(self, source: ConversationRecord, *, accepts_history: bool) -> Derived:
            assert accepts_history
            derivation, (first, *_) = await super().derive(source, accepts_history=accepts_history)
            assert first.replay is not None
            replay = first.replay.model_copy(update={"history": (HistoryTurn(user="hello", assistant="hi"),)})
            changed = first.model_copy(update={"replay": replay})
            return derivation.model_copy(update={"follow_ups": (first.id,)}), (changed,)

    assistant = Noting()
    assistant.capabilities = assistant.capabilities.model_copy(update={"accepts_history": True})
    Run((assistant,), WithHistory(), n_seeds=1).play()
    assert [(turn.t, turn.user, turn.assistant) for turn in starts[1].history] == [(0, "hello", "hi")]
    assert starts[0].history == ()


class Failing(Slow):
    """Fails in follow-ups."""

    async def on_send(self, start: SessionStart, utterance: str) -> Any:
        if "-x" in start.conversation_id:
            await anyio.sleep(1)
            raise ValueError("no")
        return await super().on_send(start, utterance)


@pytest.mark.parametrize("concurrency", [1, 3])
def test_an_assistant_that_breaks_in_follow_ups_ends_the_run_and_nothing_hangs(concurrency: int) -> None:
    played = Run((Failing(),), Replays(number=20), n_seeds=5, concurrency=concurrency).play()
    assert played.end.status is RunStatus.STOPPED
    assert "is broken" in played.end.detail
    assert 6 <= len(played.follow_ups) < 20


def test_one_broken_assistant_does_not_keep_the_others_families_from_ending() -> None:
    class Broken(Failing):
        pass

    sound = Slow()
    played = Run((Broken(), sound), Replays(number=10), concurrency=3).play()
    assert played.end.status is RunStatus.STOPPED
    assert "'sut0' is broken" in played.end.detail
    folds = {name: fold.complete for name, fold in played.store.folds.items()}
    assert {name for name, complete in folds.items() if complete} >= {"c0004", "c0005", "c0006"}
    assert False in folds.values()
    assert sound.opened == 33
    assert "could not be completed" in played.end.notes[0]


def test_a_pause_of_the_assistant_holds_follow_ups_up_and_does_not_lose_them() -> None:
    class Recovering(Slow):
        failed = 0

        async def on_send(self, start: SessionStart, utterance: str) -> Any:
            if "-x" in start.conversation_id and self.failed < 5:
                self.failed += 1
                raise ValueError("no")
            return await super().on_send(start, utterance)

    played = Run((Recovering(),), Replays(number=9), n_seeds=1, concurrency=1).play()
    assert played.end.status is RunStatus.FINISHED
    assert len(played.follow_ups) == 9
    assert played.took_s >= 30


@pytest.mark.parametrize("seconds", [0.5, 2.5, 3.5, 6.5])
def test_an_interrupt_ends_promptly_and_leaves_families_open(seconds: float) -> None:
    played = Run(concurrency=1).play(after(seconds, StopReason.INTERRUPTED))
    assert played.end.status is RunStatus.INTERRUPTED
    assert played.took_s == pytest.approx(seconds, abs=0.1)
    assert played.store.folds == {}
    assert len(played.store.aborted) == 1
    assert played.store.open_attempts == {}


def test_an_interrupt_is_noticed_while_workers_wait_for_families() -> None:
    class Endless(SmoothChecker):
        async def check(self, brief: ContextBrief) -> ContextFinding:
            await anyio.sleep_forever()
            raise AssertionError

    played = Run(replays=Replays(checker=Endless()), n_seeds=1).play(after(100, StopReason.INTERRUPTED))
    assert played.end.status is RunStatus.INTERRUPTED
    assert played.took_s == pytest.approx(100, abs=0.1)
    assert played.store.folds == {}


def test_a_budget_that_is_spent_ends_what_runs_and_folds_what_is_there() -> None:
    played = Run(concurrency=1).play(after(4.5, StopReason.BUDGET))
    assert played.follow_ups == ["c0001-x0", "c0001-x1"]
    assert played.store.outcomes["c0001-x1"].stop.reason is StopReason.BUDGET
    assert {name: (fold.complete, fold.n_follow_ups) for name, fold in played.store.folds.items()} == {
        "c0001": (False, 2)
    }
    (note,) = played.end.notes
    assert note.startswith("the follow-ups of 1 conversation could not be completed: not every follow-up was run")


def test_when_there_is_no_money_for_follow_ups_their_families_end_incomplete() -> None:
    @asynccontextmanager
    async def sources_alone(planned: PlannedConversation) -> AsyncIterator[bool]:
        yield not planned.is_follow_up

    played = Run(change=lambda job: replace(job, admission=sources_alone)).play()
    assert played.end.status is RunStatus.FINISHED
    assert (len(played.follow_ups), len(played.store.folds)) == (0, 3)
    assert played.end.notes[0].startswith("the follow-ups of 3 conversations could not be completed")


class FailingFirst(Slow):
    """Its first five conversations, or follow-ups, fail."""

    def __init__(self, marks: str) -> None:
        super().__init__()
        self.marks = marks
        self.failed = 0

    async def on_send(self, start: SessionStart, utterance: str) -> Any:
        if self.marks in start.conversation_id and self.failed < 5:
            self.failed += 1
            raise ValueError("no")
        return await super().on_send(start, utterance)


@asynccontextmanager
async def dear(planned: PlannedConversation) -> AsyncIterator[bool]:
    """Money for the sixth and the seventh comes late."""
    if planned.id in ("c0001-x5", "c0001-x6", "c0006", "c0007"):
        await anyio.sleep(10)
    yield True


def test_a_gate_that_closes_while_a_follow_up_waits_for_money_holds_it_back() -> None:
    """Its family must not be told that it is not run."""
    run = Run((FailingFirst("-x"),), Replays(number=7), n_seeds=1, concurrency=7)
    run.change = lambda job: replace(job, admission=dear)
    played = run.play()
    assert played.end.status is RunStatus.FINISHED
    assert (len(played.follow_ups), played.watcher.begun.count("c0001-x6")) == (7, 1)
    assert played.store.folds["c0001"].complete
    assert played.took_s >= 30


def test_a_gate_that_closes_while_a_source_waits_for_money_holds_it_back() -> None:
    run = Run((FailingFirst("c"),), Replays(number=1), n_seeds=7, concurrency=7)
    run.change = lambda job: replace(job, admission=dear)
    played = run.play()
    assert played.end.status is RunStatus.FINISHED
    assert sorted(played.store.folds) == ["c0006", "c0007"]
    assert len(played.store.outcomes) == 9
    assert played.took_s >= 30


def test_a_source_that_ends_last_still_has_its_family_told_that_nothing_more_is_run() -> None:
    """Money runs out between a source and what is derived from it: nobody is left to take follow-ups."""

    @dataclass(frozen=True)
    class Thoughtful(Replays):
        writer: Any = field(default_factory=object)

        async def derive(self, source: ConversationRecord, *, accepts_history: bool) -> Derived:
            await anyio.sleep(20)
            return await super().derive(source, accepts_history=accepts_history)

    played = Run(replays=Thoughtful(), n_seeds=1).play(after(10, StopReason.BUDGET))
    assert played.follow_ups == []
    assert played.store.folds["c0001"].complete is False
    assert played.took_s == pytest.approx(22, abs=1)


def test_a_model_that_takes_no_call_for_a_context_ends_the_run_with_its_message() -> None:
    class Exhausted(SmoothChecker):
        async def check(self, brief: ContextBrief) -> ContextFinding:
            raise ProviderStoppedError("the quota is used up")

    played = Run(replays=Replays(checker=Exhausted())).play()
    assert (played.end.status, played.end.detail) == (RunStatus.STOPPED, "the quota is used up")
    assert isinstance(played.end.error, ProviderStoppedError)
    assert played.store.folds == {}
    assert played.store.open_attempts == {}


@dataclass(frozen=True)
class Unwritten(Replays):
    """Raises where follow-ups are derived."""

    error: Exception = field(default_factory=lambda: RoleError(StopReason.REFUSED, Role.QUESTION_WRITER, "no"))

    async def derive(self, source: ConversationRecord, *, accepts_history: bool) -> Derived:
        raise self.error


def test_a_writer_that_breaks_leaves_that_family_open_and_the_run_goes_on() -> None:
    played = Run(replays=Unwritten()).play()
    assert played.end.status is RunStatus.FINISHED
    assert len(played.store.outcomes) == 3
    (note,) = played.end.notes
    assert note.startswith("the follow-ups of 3 conversations could not be completed; the first: c000")
    assert note.endswith("metamorphic: question_writer: refused: no")


def test_what_the_user_must_mend_to_derive_follow_ups_stops_the_run() -> None:
    played = Run(replays=Unwritten(error=UserError("offline writers speak English only"))).play()
    assert (played.end.status, str(played.end.error)) == (RunStatus.STOPPED, "offline writers speak English only")


def test_answers_that_cannot_be_encoded_are_told_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    @dataclass(frozen=True)
    class Unencoded(Replays):
        async def relate(self, family: Family) -> Any:
            raise EncoderError("the model 'x' is not there")

    played = Run(replays=Unencoded()).play()
    assert played.end.status is RunStatus.FINISHED
    assert len(played.follow_ups) == 9
    assert "the model 'x' is not there" in played.end.notes[0]
    assert "family_incomplete" in capsys.readouterr().out


def test_contexts_of_which_nobody_could_say_anything_are_told_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    class Silent(SmoothChecker):
        async def check(self, brief: ContextBrief) -> ContextFinding:
            await super().check(brief)
            return ContextFinding(equivalent=None, reason=ContextReason.ROLE_FAILED, detail="refused")

    played = Run(replays=Replays(checker=Silent())).play()
    n_contexts = len(played.store.checks)
    (note,) = played.end.notes
    assert note.startswith(f"nobody could say of {n_contexts} contexts whether they are equivalent")
    assert note.endswith(": refused")
    assert "contexts_untold" in capsys.readouterr().out


def test_a_store_that_fails_in_a_family_stops_the_run() -> None:
    def full(job: RunJob) -> RunJob:
        async def refuse(*_: Any) -> None:
            raise StoreError("run.sqlite: the disk is full")

        store_of(job).record_fold = refuse  # type: ignore[method-assign, assignment]
        return job

    played = Run(change=full).play()
    assert (played.end.status, played.end.detail) == (RunStatus.STOPPED, "run.sqlite: the disk is full")


def test_cancelling_the_run_ends_every_family_and_aborts_every_attempt() -> None:
    assistant = Slow()
    run = Run((assistant,), concurrency=2)

    async def main(job: RunJob) -> None:
        await anyio.sleep(3.5)
        raise KeyError("cancelled")

    with pytest.raises(BaseExceptionGroup):
        run.play(main)
    assert assistant.opened == assistant.closed > 2


def rows_of(store: MemoryStore) -> tuple[Any, ...]:
    outcomes = {name: outcome.stop.reason for name, outcome in store.outcomes.items()}
    derived = {name: derivation.follow_ups for name, (derivation, _) in store.derivations.items()}
    return outcomes, derived, {name: (fold.complete, fold.n_follow_ups) for name, fold in store.folds.items()}


@pytest.mark.parametrize(("concurrency", "step"), [(1, 1), (3, 3)])
def test_killed_after_any_row_and_resumed_a_run_comes_to_the_same_end(concurrency: int, step: int) -> None:
    """Each follow-up gets one accepted outcome: the store of this test refuses a second one."""
    whole = Run(n_seeds=2, concurrency=concurrency, replays=Replays(number=2)).play().store
    for n_rows in range(0, whole.n_written, step):
        store = MemoryStore(dies_after=n_rows)

        async def kill(job: RunJob, store: MemoryStore = store) -> None:
            died = anyio.Event()
            store.on_death = died.set
            await died.wait()
            raise KilledError

        with pytest.raises(BaseExceptionGroup):
            Run(n_seeds=2, concurrency=concurrency, replays=Replays(number=2), store=store).play(kill)
        store.dies_after = None
        store.open_attempts.clear()
        resumed = Run(n_seeds=2, concurrency=concurrency, replays=Replays(number=2), store=store).play()
        assert resumed.end.status is RunStatus.FINISHED
        assert rows_of(store) == rows_of(whole), f"killed after {n_rows} rows"
        checked = Counter((check.conversation, check.position) for check in store.checks)
        assert len(checked) == 8


class KilledError(Exception):
    """Stands for a process that is gone."""


def test_a_resumed_run_goes_on_with_open_families_before_anything_new() -> None:
    store = MemoryStore()
    first = Run(concurrency=1, store=store).play(after(6.5, StopReason.INTERRUPTED))
    assert first.follow_ups == ["c0001-x0", "c0001-x1"]
    again = Run(concurrency=1, store=store).play()
    assert again.watcher.begun[:2] == ["c0001-x2", "c0002"]
    assert again.end.status is RunStatus.FINISHED
    assert len(again.follow_ups) == 9


def test_what_was_no_source_is_none_after_a_restart() -> None:
    class Broken(Slow):
        async def on_send(self, start: SessionStart, utterance: str) -> Any:
            raise ValueError("no")

    store = MemoryStore()
    Run((Broken(),), store=store).play()
    assert store.progress().open_families == ("c0001", "c0002", "c0003")
    again = Run((Broken(),), store=store).play()
    assert (again.end.status, again.watcher.begun) == (RunStatus.FINISHED, [])
