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
