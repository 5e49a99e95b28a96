"""A task of users' code that exits fails; it does not take the event loop with it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable

import pytest

from hairpin.app.loop import run_in_loop
from hairpin.errors import HairpinError
from hairpin.sut.containment import Contained
from hairpin.sut.exits import TaskExitError
from hairpin.sut.own_task import run_alone


async def exits() -> None:
    await asyncio.sleep(0)
    sys.exit(0)


async def starts_a_task_that_exits() -> None:
    await asyncio.create_task(exits())


async def leaves_a_task_behind_that_exits() -> str:
    task = asyncio.create_task(exits())
    await asyncio.wait({task})
    assert isinstance(task.exception(), TaskExitError)
    return "went on"


async def alone() -> object:
    return await run_alone(starts_a_task_that_exits(), name="graph")


async def contained() -> object:
    return await Contained(starts_a_task_that_exits(), name="adapter")


@pytest.mark.parametrize("main", [alone, contained])
def test_it_is_an_error_of_who_awaits_it(main: Callable[[], Awaitable[object]]) -> None:
    with pytest.raises(TaskExitError, match="SystemExit: 0"):
        run_in_loop(main)


def test_others_go_on() -> None:
    async def main() -> object:
        return await run_alone(leaves_a_task_behind_that_exits(), name="graph")

    assert run_in_loop(main) == "went on"


def test_tasks_see_their_name_and_their_cancellation_as_ever() -> None:
    async def waits() -> None:
        await asyncio.Event().wait()

    async def user() -> tuple[str, bool]:
        task = asyncio.create_task(waits(), name="mine")
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        return task.get_name(), task.cancelled()

    async def main() -> object:
        return await run_alone(user(), name="graph")

    assert run_in_loop(main) == ("mine", True)


def test_an_exit_elsewhere_ends_the_loop_with_an_error_and_never_as_success() -> None:
    async def main() -> None:
        await asyncio.create_task(exits())

    with pytest.raises(HairpinError, match="ended the event loop with SystemExit: 0") as caught:
        run_in_loop(main)
    assert caught.value.exit_code == 3
