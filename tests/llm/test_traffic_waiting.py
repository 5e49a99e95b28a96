"""Waiting until a moment or until woken, on a clock that is passed in, with cancellation always heard."""

from __future__ import annotations

import asyncio
import math

import anyio
import anyio.lowlevel
import pytest

from hairpin.llm.traffic.waiting import Deadline, Waiter
from tests.virtual_time import in_virtual_time


@in_virtual_time
async def test_a_pause_ends_when_its_time_is_up() -> None:
    started_s = anyio.current_time()
    await Waiter(anyio.sleep).pause(12.5)
    assert anyio.current_time() - started_s == 12.5


@pytest.mark.parametrize("duration_s", [12.5, math.inf])
def test_a_pause_ends_early_when_woken(duration_s: float) -> None:
    @in_virtual_time
    async def woken() -> None:
        waiter, started_s = Waiter(anyio.sleep), anyio.current_time()
        async with anyio.create_task_group() as group:
            group.start_soon(waiter.pause, duration_s)
            await anyio.sleep(3)
            waiter.wake()
            waiter.wake()
        assert anyio.current_time() - started_s == 3
        await waiter.pause(2)  # an earlier wake-up does not count for a later pause
        assert anyio.current_time() - started_s == 5

    woken()


@in_virtual_time
async def test_waking_nobody_does_nothing() -> None:
    waiter, started_s = Waiter(anyio.sleep), anyio.current_time()
    waiter.wake()
    await waiter.pause(1)
    assert anyio.current_time() - started_s == 1


@in_virtual_time
async def test_it_sleeps_with_what_it_is_given() -> None:
    slept = []

    async def sleep(duration_s: float) -> None:
        slept.append(duration_s)
        await anyio.lowlevel.checkpoint()

    await Waiter(sleep).pause(7.0)
    assert slept == [7.0]


@pytest.mark.parametrize("duration_s", [12.5, math.inf])
@pytest.mark.parametrize("wake_first", [True, False])
@pytest.mark.parametrize("n_ticks", range(4))
def test_a_cancellation_that_meets_a_wake_up_is_not_swallowed(
    duration_s: float, wake_first: bool, n_ticks: int
) -> None:
    """Also one of the task itself, as graph libraries do it, not of a scope around it."""

    @in_virtual_time
    async def cancelled() -> None:
        waiter, reached = Waiter(anyio.sleep), []

        async def wait() -> None:
            await waiter.pause(duration_s)
            await anyio.lowlevel.checkpoint()
            await anyio.sleep(1)
            reached.append(True)

        task = asyncio.get_running_loop().create_task(wait())
        await anyio.sleep(1)
        first, second = (waiter.wake, task.cancel) if wake_first else (task.cancel, waiter.wake)
        first()
        for _ in range(n_ticks):
            await anyio.lowlevel.checkpoint()
        second()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not reached

    cancelled()


@in_virtual_time
async def test_moving_a_deadline_wakes_those_who_watch_it() -> None:
    deadline, waiter, started_s = Deadline(), Waiter(anyio.sleep), anyio.current_time()
    assert deadline.at_s == math.inf
    deadline.watch(waiter)
    async with anyio.create_task_group() as group:
        group.start_soon(waiter.pause, 100.0)
        await anyio.sleep(2)
        deadline.move(50.0)
    assert (deadline.at_s, anyio.current_time() - started_s) == (50.0, 2)
    deadline.unwatch(waiter)
    async with anyio.create_task_group() as group:
        group.start_soon(waiter.pause, 10.0)
        await anyio.sleep(2)
        deadline.move(60.0)
    assert anyio.current_time() - started_s == 12
