"""How a stop reaches running I/O."""

from __future__ import annotations

import anyio
import anyio.lowlevel
import pytest

from hairpin.domain.outcome import StopReason
from hairpin.graph.stopping import StopToken

pytestmark = pytest.mark.anyio


async def test_an_interrupt_ends_guarded_io_at_once() -> None:
    token = StopToken()
    async with anyio.create_task_group() as group:
        started = anyio.Event()

        async def wait() -> None:
            with token.guard() as scope:
                started.set()
                await anyio.sleep_forever()
            assert scope.cancelled_caught

        group.start_soon(wait)
        await started.wait()
        token.set(StopReason.INTERRUPTED)
    assert token.interrupted


async def test_io_that_starts_after_an_interrupt_does_not_run() -> None:
    token = StopToken()
    token.set(StopReason.INTERRUPTED)
    reached = False
    with token.guard() as scope:
        await anyio.lowlevel.checkpoint()
        reached = True
    assert scope.cancelled_caught
    assert not reached


async def test_a_deadline_lets_running_io_finish() -> None:
    token = StopToken()
    with token.guard() as scope:
        token.set(StopReason.DEADLINE)
        await anyio.lowlevel.checkpoint()
    assert not scope.cancelled_caught
    assert token.reason is StopReason.DEADLINE


def test_an_interrupt_overrides_a_deadline_and_stays() -> None:
    token = StopToken()
    token.set(StopReason.DEADLINE)
    token.set(StopReason.INTERRUPTED)
    token.set(StopReason.BUDGET)
    assert token.reason is StopReason.INTERRUPTED


async def test_what_ends_a_run_ends_its_branches_and_not_the_other_way_round() -> None:
    run = StopToken()
    arm = run.branch()
    with arm.child() as conversation, conversation.guard() as inner:
        arm.set(StopReason.DEADLINE, detail="time is up", at_once=True)
        await anyio.lowlevel.checkpoint()
    assert inner.cancelled_caught
    assert (run.reason, run.at_once) == (None, None)
    assert conversation.reason is StopReason.DEADLINE
    assert conversation.at_once is not None
    assert conversation.at_once.detail == "time is up"


async def test_an_interrupt_of_the_run_comes_before_what_ends_a_branch() -> None:
    run = StopToken()
    arm = run.branch()
    arm.set(StopReason.DEADLINE, at_once=True)
    run.set(StopReason.INTERRUPTED)
    assert arm.interrupted
    assert arm.at_once is not None
    assert arm.at_once.reason is StopReason.INTERRUPTED


async def test_a_child_that_has_ended_is_forgotten() -> None:
    run = StopToken()
    with run.child() as child:
        pass
    with child.guard() as scope:
        run.set(StopReason.INTERRUPTED)
        await anyio.lowlevel.checkpoint()
    assert not scope.cancelled_caught
