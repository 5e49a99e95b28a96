"""Runs of many conversations: workers, sessions, what stops a run and what does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from hairpin.campaign.conduct import RunEnd
from hairpin.campaign.job import RunJob
from hairpin.campaign.runner import run_plan
from hairpin.campaign.sut_health import BreakerRules
from hairpin.domain.outcome import Blame, StopReason, Verdict
from hairpin.domain.plan import plan_conversations
from hairpin.domain.records import RunStatus
from hairpin.domain.sut import SessionStart
from hairpin.errors import StoreError, SutConnectionError, SutError, UserError
from tests.campaign.worlds import Assistant, FrozenClock, job_for, store_of
from tests.patience import SLOWNESS

pytestmark = pytest.mark.anyio


async def run(job: RunJob) -> RunEnd:
    with anyio.fail_after(10 * SLOWNESS):
        return await run_plan(job, plan_conversations(job.scenario, tuple(job.adapters)))


async def test_every_planned_conversation_gets_one_outcome_and_its_session_is_closed() -> None:
    assistant = Assistant()
    job = job_for(assistant)
    assert (await run(job)).status is RunStatus.FINISHED
    assert sorted(store_of(job).outcomes) == [f"c{number:04d}" for number in range(1, 7)]
    assert {outcome.judgement.verdict for outcome in store_of(job).outcomes.values()} == {Verdict.PASS}
    assert (assistant.opened, assistant.closed) == (6, 6)


async def test_as_many_conversations_run_at_once_as_asked_for_and_no_more() -> None:
    assistant = Assistant()
    await run(job_for(assistant, n_phrases=9, concurrency=4))
    assert assistant.most_open == 4


async def test_a_limit_of_sessions_that_the_adapter_declares_is_kept_for_that_assistant_alone() -> None:
    limited, free = Assistant(max_sessions=1), Assistant()
    await run(job_for(limited, free, concurrency=4))
    assert limited.most_open == 1
    assert limited.opened == free.opened == 6


async def test_an_assistant_that_breaks_in_one_conversation_leaves_the_others_alone() -> None:
    class Moody(Assistant):
        async def on_send(self, start: SessionStart, utterance: str) -> Any:
            if start.conversation_id == "c0002":
                raise ValueError("not today")
            return "ok"

    assistant = Moody()
    job = job_for(assistant)
    assert (await run(job)).status is RunStatus.FINISHED
    outcomes = store_of(job).outcomes
    assert outcomes["c0002"].stop.reason is StopReason.SUT_ERROR
    assert outcomes["c0002"].pending_utterance == "phrase 1 0"
    assert [outcome.judgement.verdict for name, outcome in outcomes.items() if name != "c0002"] == [Verdict.PASS] * 5
    assert assistant.closed == 6


async def test_an_assistant_that_cannot_be_reached_stops_the_run_and_says_so() -> None:
    class Away(Assistant):
        async def on_open(self, start: SessionStart) -> None:
            raise SutConnectionError("nobody answers at 127.0.0.1:9")

    job = job_for(Away(), n_phrases=50, concurrency=1)
    end = await run(job)
    assert end.status is RunStatus.STOPPED
    assert "nobody answers at 127.0.0.1:9" in end.detail
    (outcome,) = store_of(job).outcomes.values()
    assert (outcome.stop.reason, outcome.judgement.blame) == (StopReason.SUT_UNREACHABLE, Blame.SUT)


async def test_a_connection_lost_after_replies_is_an_error_of_that_conversation_only() -> None:
    class Flaky(Assistant):
        async def on_open(self, start: SessionStart) -> None:
            if start.conversation_id == "c0003":
                raise SutConnectionError("gone")

    job = job_for(Flaky(), concurrency=1)
    assert (await run(job)).status is RunStatus.FINISHED
    assert store_of(job).outcomes["c0003"].stop.reason is StopReason.SUT_ERROR


async def test_what_the_user_must_mend_stops_the_run_with_the_users_error() -> None:
    class Keyless(Assistant):
        async def on_open(self, start: SessionStart) -> None:
            raise UserError("set MY_KEY")

    job = job_for(Keyless())
    end = await run(job)
    assert (end.status, str(end.error)) == (RunStatus.STOPPED, "set MY_KEY")
    assert store_of(job).outcomes == {}
    assert store_of(job).open_attempts == {}


async def test_a_session_that_does_not_open_in_time_is_an_error_of_the_assistant() -> None:
    class Slow(Assistant):
        async def on_open(self, start: SessionStart) -> None:
            await anyio.sleep_forever()

    job = job_for(Slow(), n_phrases=1, turn_timeout_s=0.01)
    await run(job)
    (outcome,) = store_of(job).outcomes.values()
    assert outcome.stop.reason is StopReason.SUT_ERROR
    assert outcome.stop.detail == "no session within 0.01 s"


async def test_a_session_that_fails_or_hangs_in_closing_changes_no_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    class Sticky(Assistant):
        async def on_close(self) -> None:
            if self.closed == 1:
                raise ValueError("will not close")
            await anyio.sleep_forever()

    job = job_for(Sticky(), n_phrases=2, concurrency=1)
    assert (await run(job)).status is RunStatus.FINISHED
    assert {outcome.judgement.verdict for outcome in store_of(job).outcomes.values()} == {Verdict.PASS}
    printed = capsys.readouterr().out
    assert "session_close_failed" in printed
    assert "session_close_timed_out" in printed


async def test_a_store_that_fails_stops_the_run_and_nothing_is_called_stored() -> None:
    assistant = Assistant()
    job = job_for(assistant)
    store_of(job).fails = True
    end = await run(job)
    assert isinstance(end.error, StoreError)
    assert store_of(job).outcomes == {}
    assert assistant.opened == assistant.closed


async def test_an_interrupt_aborts_what_runs_and_starts_nothing_new() -> None:
    class Hanging(Assistant):
        async def on_send(self, start: SessionStart, utterance: str) -> Any:
            if start.conversation_id == "c0002":
                job.stop.set(StopReason.INTERRUPTED)
            await anyio.sleep_forever()

    assistant = Hanging()
    job = job_for(assistant, concurrency=2)
    assert (await run(job)).status is RunStatus.INTERRUPTED
    assert store_of(job).outcomes == {}
    assert sorted(store_of(job).aborted) == ["c0001", "c0002"]
    assert assistant.closed == assistant.opened == 2


async def test_an_interrupt_while_sessions_open_or_wait_for_a_slot_is_noticed() -> None:
    class Opening(Assistant):
        async def on_open(self, start: SessionStart) -> None:
            job.stop.set(StopReason.INTERRUPTED)
            await anyio.sleep_forever()

    job = job_for(Opening(max_sessions=1), concurrency=3)
    assert (await run(job)).status is RunStatus.INTERRUPTED
    assert store_of(job).aborted == ["c0001"]


async def test_cancelling_the_run_closes_every_session_and_aborts_every_attempt() -> None:
    class Hanging(Assistant):
        async def on_send(self, start: SessionStart, utterance: str) -> Any:
            if self.open_now == 3:
                scope.cancel()
            await anyio.sleep_forever()

    assistant = Hanging()
    job = job_for(assistant)
    with anyio.CancelScope() as scope:
        await run_plan(job, plan_conversations(job.scenario, ("sut0",)))
    assert scope.cancelled_caught
    assert (assistant.opened, assistant.closed) == (3, 3)
    assert sorted(store_of(job).aborted) == ["c0001", "c0002", "c0003"]


class Broken(Assistant):
    """Answers nothing, but for the conversations that it is told to serve."""

    def __init__(self, *served: str, max_sessions: int | None = None) -> None:
        super().__init__(max_sessions=max_sessions)
        self.served = served

    async def on_send(self, start: SessionStart, utterance: str) -> Any:
        await anyio.lowlevel.checkpoint()
        if start.conversation_id in self.served:
            return "ok"
        raise ValueError(f"no answer in {start.conversation_id}")


class RunningClock(FrozenClock):
    def monotonic(self) -> float:
        return anyio.current_time()


def breakable(*assistants: Assistant, **sizes: Any) -> RunJob:
    return job_for(*assistants, clock=RunningClock(), **sizes)


async def run_with(job: RunJob, *, pause_s: float = 0.01) -> RunEnd:
    with anyio.fail_after(10 * SLOWNESS):
        plan = plan_conversations(job.scenario, tuple(job.adapters))
        return await run_plan(job, plan, breaker=BreakerRules(pause_s=pause_s))


async def test_an_assistant_that_always_errs_is_tried_once_more_and_then_ends_the_run() -> None:
    assistant = Broken()
    job = breakable(assistant, n_phrases=50, concurrency=1)
    end = await run_with(job)
    assert (end.status, type(end.error), end.error and end.error.exit_code) == (RunStatus.STOPPED, SutError, 3)
    assert end.detail.startswith(
        "the assistant 'sut0' is broken: 6 conversations in a row ended with sut_error, one of them begun after a pause"
        " of 0.01 s; the last error: ValueError: no answer in c0006"
    )
    assert sorted(store_of(job).outcomes) == [f"c{number:04d}" for number in range(1, 7)]
    assert {outcome.stop.reason for outcome in store_of(job).outcomes.values()} == {StopReason.SUT_ERROR}
    assert assistant.opened == assistant.closed == 6


async def test_no_conversation_begins_before_the_pause_is_over() -> None:
    begun: list[float] = []

    class Noting(Broken):
        async def on_open(self, start: SessionStart) -> None:
            begun.append(anyio.current_time())

    await run_with(breakable(Noting(), n_phrases=10, concurrency=4), pause_s=0.1)
    assert len(begun) == 9
    assert begun[8] - begun[7] >= 0.1


async def test_an_assistant_that_works_again_after_the_pause_gets_all_its_conversations() -> None:
    served = [f"c{number:04d}" for number in range(1, 13) if not 3 <= number <= 7]
    job = breakable(Broken(*served), n_phrases=12, concurrency=1)
    assert (await run_with(job)).status is RunStatus.FINISHED
    assert len(store_of(job).outcomes) == 12


async def test_errors_with_successes_in_between_pause_nobody() -> None:
    served = [f"c{number:04d}" for number in range(1, 13) if number % 5 == 0]
    job = replace(breakable(Broken(*served), n_phrases=12, concurrency=1), clock=FrozenClock())
    assert (await run_with(job, pause_s=3600)).status is RunStatus.FINISHED
    assert len(store_of(job).outcomes) == 12


async def test_fewer_conversations_than_it_takes_are_not_held_up() -> None:
    job = breakable(Broken(), n_phrases=5, concurrency=1)
    assert (await run_with(job, pause_s=3600)).status is RunStatus.FINISHED
    assert len(store_of(job).outcomes) == 5


async def test_only_the_broken_one_of_several_assistants_is_given_up() -> None:
    broken, sound = Broken(), Assistant()
    job = breakable(broken, sound, n_phrases=10, concurrency=2)
    end = await run_with(job, pause_s=0.05)
    assert (end.status, type(end.error)) == (RunStatus.STOPPED, SutError)
    assert "'sut0' is broken" in end.detail
    assert "sut1" not in end.detail
    verdicts = [outcome.judgement.verdict for outcome in store_of(job).outcomes.values()]
    assert verdicts.count(Verdict.PASS) == 10
    assert 6 <= verdicts.count(Verdict.INVALID) <= 7


async def test_other_assistants_go_on_while_one_is_paused() -> None:
    """The sound one is planned last; it is done long before the pause of the other is over."""

    class Sound(Assistant):
        async def on_close(self) -> None:
            if self.closed == 10:
                job.stop.set(StopReason.INTERRUPTED)

    sound = Sound()
    job = breakable(Broken(), sound, n_phrases=10, concurrency=2)
    assert (await run_with(job, pause_s=3600)).status is RunStatus.INTERRUPTED
    assert sound.closed == 10


async def test_what_was_put_off_is_made_up_for_once_the_assistant_works() -> None:
    served = [f"c{number:04d}" for number in range(6, 11)]
    job = breakable(Broken(*served), Assistant(), n_phrases=10, concurrency=1)
    assert (await run_with(job, pause_s=0.05)).status is RunStatus.FINISHED
    assert len(store_of(job).outcomes) == 20


@pytest.mark.parametrize("reason", [StopReason.INTERRUPTED, StopReason.DEADLINE])
async def test_a_run_that_ends_waits_for_no_pause(reason: StopReason) -> None:
    class Last(Broken):
        async def on_close(self) -> None:
            if self.closed == 5:
                job.stop.set(reason)

    job = breakable(Last(), n_phrases=10, concurrency=1)
    await run_with(job, pause_s=3600)
    assert len(store_of(job).outcomes) == 5


async def test_a_session_that_comes_free_in_a_pause_is_not_used() -> None:
    assistant = Broken(max_sessions=1)
    await run_with(breakable(assistant, n_phrases=10, concurrency=8))
    assert assistant.opened == 6


async def test_the_pause_is_logged(capsys: pytest.CaptureFixture[str]) -> None:
    await run_with(breakable(Broken(), n_phrases=10, concurrency=1))
    printed = capsys.readouterr().out
    assert printed.index("sut_paused") < printed.index("sut_probed") < printed.index("sut_broken")
