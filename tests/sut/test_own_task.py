"""Code of users in tasks of their own."""

from __future__ import annotations

import asyncio
import contextvars

import anyio
import pytest

from hairpin.sut.own_task import end_alone, run_alone, start_alone

pytestmark = pytest.mark.anyio

VARIABLE: contextvars.ContextVar[str] = contextvars.ContextVar("VARIABLE", default="unset")


async def test_it_sees_no_context_of_whoever_starts_it_and_leaves_none() -> None:
    async def look() -> str:
        seen = VARIABLE.get()
        VARIABLE.set("inner")
        return seen

    VARIABLE.set("outer")
    assert await run_alone(look(), name="look") == "unset"
    assert VARIABLE.get() == "outer"


async def test_what_it_raises_is_told_and_nothing_else_ends() -> None:
    async def fail(error: BaseException) -> None:
        raise error

    with pytest.raises(KeyError):
        await run_alone(fail(KeyError("x")), name="fail")
    for error in (SystemExit(3), asyncio.CancelledError(), KeyboardInterrupt()):
        with pytest.raises(RuntimeError, match="fail raised"):
            await run_alone(fail(error), name="fail")


async def test_a_cancellation_is_passed_on_once_and_its_cleaning_up_waited_for() -> None:
    steps: list[str] = []

    async def clean_up() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            steps.append("cancelled")
            await asyncio.sleep(0.02)
            steps.append("cleaned up")

    with anyio.move_on_after(0.01) as scope:
        await run_alone(clean_up(), name="clean_up")
    assert scope.cancelled_caught
    assert steps == ["cancelled", "cleaned up"]


async def test_one_that_ignores_its_cancellation_is_left_behind_and_reported(caplog: pytest.LogCaptureFixture) -> None:
    stop = asyncio.Event()
    left: list[str] = []

    async def stubborn() -> None:
        while not stop.is_set():
            try:
                await stop.wait()
            except asyncio.CancelledError:
                continue

    with anyio.move_on_after(0.01) as scope:
        await run_alone(stubborn(), name="stubborn", grace_s=0.02, left=lambda: left.append("left"))
    assert scope.cancelled_caught
    assert left == ["left"]
    assert "stubborn ignored its cancellation for 0.02 s and is left behind" in caplog.text
    stop.set()
    await asyncio.sleep(0.01)


async def test_a_task_is_ended_also_while_whoever_ends_it_is_cancelled() -> None:
    task = start_alone(asyncio.sleep(60), name="sleeper")
    with anyio.CancelScope() as scope:
        scope.cancel()
        assert await end_alone(task)
    assert task.cancelled()
