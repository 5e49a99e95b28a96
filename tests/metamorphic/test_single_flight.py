"""What is asked for once, by many at a time."""

from __future__ import annotations

import anyio
import pytest

from hairpin.metamorphic.single_flight import SingleFlight

pytestmark = pytest.mark.anyio


class Calls:
    def __init__(self, *, failures: int = 0) -> None:
        self.n = 0
        self.failures = failures
        self.go = anyio.Event()

    async def find(self) -> str:
        self.n += 1
        await self.go.wait()
        if self.n <= self.failures:
            raise LookupError(f"call {self.n}")
        return f"answer {self.n}"


async def test_many_at_a_time_make_one_call() -> None:
    memo, calls, got = SingleFlight(max_entries=4), Calls(), list[str]()

    async def ask() -> None:
        got.append(await memo.get("a", calls.find))

    async with anyio.create_task_group() as tasks:
        for _ in range(5):
            tasks.start_soon(ask)
        await anyio.wait_all_tasks_blocked()
        calls.go.set()
    assert got == ["answer 1"] * 5
    assert calls.n == 1


async def test_who_waited_for_a_call_that_was_cancelled_makes_it() -> None:
    memo, stuck, calls, got = SingleFlight(max_entries=4), Calls(), Calls(), list[str]()
    calls.go.set()
    first = anyio.CancelScope()

    async def ask_and_give_up() -> None:
        with first:
            await memo.get("a", stuck.find)

    async def ask() -> None:
        got.append(await memo.get("a", calls.find))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask_and_give_up)
        await anyio.wait_all_tasks_blocked()
        tasks.start_soon(ask)
        await anyio.wait_all_tasks_blocked()
        assert got == []
        first.cancel()
    assert got == ["answer 1"]


async def test_a_failure_is_told_and_not_remembered() -> None:
    memo, calls = SingleFlight(max_entries=4), Calls(failures=1)
    calls.go.set()
    with pytest.raises(LookupError, match="call 1"):
        await memo.get("a", calls.find)
    assert await memo.get("a", calls.find) == "answer 2"


async def test_the_one_not_asked_for_longest_is_forgotten_first() -> None:
    memo, calls = SingleFlight(max_entries=2), Calls()
    calls.go.set()
    for key in ("a", "b", "a", "c"):
        await memo.get(key, calls.find)
    assert len(memo) == 2
    assert await memo.get("a", calls.find) == "answer 1"
    assert await memo.get("b", calls.find) == "answer 4"


async def test_everything_can_be_forgotten() -> None:
    memo, calls = SingleFlight(max_entries=2), Calls()
    calls.go.set()
    await memo.get("a", calls.find)
    memo.clear()
    assert await memo.get("a", calls.find) == "answer 2"
