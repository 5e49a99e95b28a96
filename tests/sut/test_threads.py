"""Synchronous code of users runs beside the event loop and never holds the process."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import anyio
import pytest
import uvloop

from hairpin.errors import AdapterFaultError
from hairpin.sut import threads
from hairpin.sut.threads import call_user_code, run_in_daemon_thread
from tests.patience import SLOWNESS

marker: contextvars.ContextVar[str] = contextvars.ContextVar("marker", default="unset")


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """An event that calls hang on; set at the end so that no thread outlives its test.

    The calls that hang are counted from nought: those of other tests may still be ending.
    """
    monkeypatch.setattr(threads, "_abandoned", set())
    event = threading.Event()
    yield event
    event.set()
    join_calls()


def join_calls() -> None:
    for thread in threading.enumerate():
        if thread.name.startswith("hairpin-call"):
            thread.join()


def test_the_result_comes_back_from_a_daemon_thread_that_is_not_the_loops() -> None:
    def where(number: int) -> tuple[int, bool, bool]:
        thread = threading.current_thread()
        return number, thread.daemon, thread is threading.main_thread()

    assert anyio.run(run_in_daemon_thread, where, 7) == (7, True, False)


def test_an_exception_arrives_as_it_was_raised_with_its_cause() -> None:
    def fail() -> None:
        try:
            raise KeyError("inner")
        except KeyError as error:
            raise ValueError("outer") from error

    with pytest.raises(ValueError, match="outer") as caught:
        anyio.run(run_in_daemon_thread, fail)
    assert isinstance(caught.value.__cause__, KeyError)


@pytest.mark.parametrize("ending", [SystemExit(3), asyncio.CancelledError(), KeyboardInterrupt(), StopIteration()])
def test_what_would_stop_the_loop_arrives_as_an_ordinary_error(ending: BaseException) -> None:
    """A user's ``sys.exit()`` must not end Hairpin, nor look like a cancelled task."""

    def leave() -> None:
        raise ending

    with pytest.raises(RuntimeError) as caught:
        anyio.run(run_in_daemon_thread, leave)
    assert caught.value.__cause__ is ending


def test_context_variables_are_carried_in_and_not_out() -> None:
    def read_and_write() -> str:
        before = marker.get()
        marker.set("written in the thread")
        return before

    async def main() -> tuple[str, str]:
        marker.set("set by the task")
        return await run_in_daemon_thread(read_and_write), marker.get()

    assert anyio.run(main) == ("set by the task", "set by the task")


def test_the_loop_goes_on_while_a_call_blocks(gate: threading.Event) -> None:
    """The call can only return because the loop, not blocked by it, opens the gate."""

    async def open_the_gate() -> None:
        gate.set()

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call_user_code, gate.wait)
            await anyio.lowlevel.checkpoint()
            tasks.start_soon(open_the_gate)

    anyio.run(main)
    assert gate.is_set()


def test_cancellation_abandons_a_hung_call_at_once(gate: threading.Event) -> None:
    async def main() -> int:
        with anyio.move_on_after(0.05) as scope:
            await run_in_daemon_thread(gate.wait)
        assert scope.cancelled_caught
        return threads.abandoned_calls()

    assert anyio.run(main) == 1


def test_an_abandoned_call_is_forgotten_when_it_ends_after_all(gate: threading.Event) -> None:
    ended = threading.Event()

    def hang() -> None:
        gate.wait()
        ended.set()

    async def main() -> None:
        with anyio.move_on_after(0.05):
            await run_in_daemon_thread(hang)
        assert threads.abandoned_calls() == 1

    anyio.run(main)
    gate.set()
    join_calls()
    assert ended.is_set()
    assert threads.abandoned_calls() == 0


def test_hung_calls_hold_no_slot_once_abandoned(gate: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "MAX_CALLS", 2)

    async def main() -> str:
        for _ in range(5):
            with anyio.move_on_after(0.01):
                await run_in_daemon_thread(gate.wait)
        with anyio.fail_after(10 * SLOWNESS):
            return await run_in_daemon_thread(str, "still answered")

    assert anyio.run(main) == "still answered"


def test_calls_beyond_the_limit_wait_for_a_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "MAX_CALLS", 2)
    lock, running, peak = threading.Lock(), 0, 0

    def work() -> None:
        nonlocal running, peak
        with lock:
            running += 1
            peak = max(peak, running)
        threading.Event().wait(0.005)
        with lock:
            running -= 1

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            for _ in range(10):
                tasks.start_soon(run_in_daemon_thread, work)

    anyio.run(main)
    assert peak == 2


def test_too_many_calls_that_never_return_are_refused_by_name(
    gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "MAX_ABANDONED", 2)

    async def main() -> None:
        for _ in range(2):
            with anyio.move_on_after(0.01):
                await run_in_daemon_thread(gate.wait)
        await run_in_daemon_thread(gate.wait)

    with pytest.raises(AdapterFaultError, match=r"Event\.wait is not called: 2 earlier calls never returned"):
        anyio.run(main)


class AsyncCallable:
    async def __call__(self, text: str) -> str:
        return f"async object: {text}"


async def coroutine_function(text: str) -> str:
    return f"coroutine: {text}"


@pytest.mark.parametrize(
    ("function", "answer"),
    [
        (str.upper, "HI"),
        (coroutine_function, "coroutine: hi"),
        (AsyncCallable(), "async object: hi"),
        (functools.partial(coroutine_function), "coroutine: hi"),
        (lambda text: coroutine_function(text), "coroutine: hi"),  # a plain callable that returns a coroutine
    ],
)
def test_user_code_may_be_written_either_way(function: Callable[[str], object], answer: str) -> None:
    assert anyio.run(call_user_code, function, "hi") == answer


@pytest.mark.parametrize("ending", [SystemExit(3), asyncio.CancelledError()])
def test_user_code_on_the_loop_cannot_end_it_either(ending: BaseException) -> None:
    async def leave() -> None:
        raise ending

    with pytest.raises(RuntimeError) as caught:
        anyio.run(call_user_code, leave)
    assert caught.value.__cause__ is ending


def test_a_real_cancellation_passes_through_user_code() -> None:
    async def main() -> bool:
        with anyio.move_on_after(0.02) as scope:
            await call_user_code(anyio.sleep_forever)
        return scope.cancelled_caught

    assert anyio.run(main)


def test_a_function_may_start_its_own_loop() -> None:
    """Reported by users of neighbours: an adapter that itself calls ``asyncio.run`` (B12)."""

    async def inner() -> str:
        await asyncio.sleep(0)
        return "from an inner loop"

    assert anyio.run(run_in_daemon_thread, lambda: asyncio.run(inner())) == "from an inner loop"


def test_two_loops_in_sequence_two_threads_and_uvloop_work() -> None:
    def call() -> str:
        return anyio.run(run_in_daemon_thread, str, "answer")

    assert [call(), call()] == ["answer", "answer"]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda _: call(), range(2))) == ["answer", "answer"]

    async def main() -> str:
        return await run_in_daemon_thread(str, "answer")

    assert uvloop.run(main()) == "answer"


def test_a_hung_call_does_not_keep_the_process_alive() -> None:
    script = """
        import threading, anyio
        from hairpin.sut.threads import run_in_daemon_thread

        async def main():
            with anyio.move_on_after(0.1):
                await run_in_daemon_thread(threading.Event().wait)

        anyio.run(main)
        print("the end")
    """
    done = subprocess.run(  # the process is our own script
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=30 * SLOWNESS,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "the end\n", "")
