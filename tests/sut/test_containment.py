"""Whatever an assistant's coroutine raises or cancels, it ends only itself; a real cancellation always passes."""

from __future__ import annotations

import asyncio
import logging

import anyio
import pytest

from hairpin.sut import containment
from hairpin.sut.fault_text import text_of, typed_text_of
from hairpin.sut.threads import call_user_code, run_in_daemon_thread

pytestmark = pytest.mark.anyio


class OfTheUser(BaseException):
    pass


class Unprintable(BaseException):
    def __str__(self) -> str:
        raise ValueError("no text")

    __repr__ = __str__


ENDINGS = [
    OfTheUser("mine"),
    GeneratorExit("x"),
    KeyboardInterrupt("x"),
    SystemExit(7),
    asyncio.CancelledError("x"),
    BaseExceptionGroup("g", [OfTheUser("a"), ValueError("b")]),
    Unprintable(),
]


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda ending: type(ending).__name__)
@pytest.mark.parametrize("is_async", [True, False])
@pytest.mark.parametrize("waits", [True, False])
async def test_what_is_no_exception_becomes_one_that_names_it(
    ending: BaseException, is_async: bool, waits: bool
) -> None:
    async def raises() -> None:
        if waits:
            await asyncio.sleep(0)
        raise ending

    def raises_in_a_thread() -> None:
        raise ending

    with pytest.raises(RuntimeError, match=f"raises.* raised {type(ending).__name__}") as caught:
        await call_user_code(raises if is_async else raises_in_a_thread)
    assert caught.value.__cause__ is ending


async def test_an_exception_passes_as_it_is_with_what_it_was_raised_in() -> None:
    async def raises() -> None:
        try:
            raise KeyError("inner")
        except KeyError:
            raise ValueError("outer")  # noqa: B904  # the implicit context is what is tested

    with pytest.raises(ValueError, match="outer") as caught:
        await call_user_code(raises)
    assert isinstance(caught.value.__context__, KeyError)


async def cancel_itself() -> None:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()


async def waits_on() -> str:
    await cancel_itself()
    await asyncio.sleep(30)
    return "never"


async def swallows() -> str:
    await cancel_itself()
    try:
        await asyncio.sleep(30)
    except asyncio.CancelledError:
        return "answer"
    return "never"


async def returns_at_once() -> str:
    await cancel_itself()
    await cancel_itself()
    return "answer"


async def fails_at_once() -> str:
    await cancel_itself()
    raise ValueError("its own")


async def test_code_that_cancels_its_own_task_ends_only_itself() -> None:
    task = asyncio.current_task()
    assert task is not None
    with pytest.raises(RuntimeError, match="waits_on raised CancelledError"):
        await call_user_code(waits_on)
    with pytest.raises(ValueError, match="its own"):
        await call_user_code(fails_at_once)
    assert [await call_user_code(swallows), await call_user_code(returns_at_once)] == ["answer", "answer"]
    assert task.cancelling() == 0
    await asyncio.sleep(0)
    await anyio.lowlevel.checkpoint()


async def test_it_holds_when_user_code_calls_user_code() -> None:
    async def outer() -> object:
        with pytest.raises(RuntimeError, match="waits_on raised CancelledError"):
            await call_user_code(waits_on)
        return await call_user_code(returns_at_once)

    assert await call_user_code(outer) == "answer"


async def test_time_outs_of_the_users_own_work_as_ever() -> None:
    async def asyncio_timeout() -> str:
        try:
            async with asyncio.timeout(0.01):
                await asyncio.sleep(30)
        except TimeoutError:
            await asyncio.sleep(0)
            return "timed out"
        return "never"

    async def anyio_timeout() -> str:
        with anyio.move_on_after(0.01) as scope:
            await anyio.sleep(30)
        await anyio.lowlevel.checkpoint()
        return "timed out" if scope.cancelled_caught else "never"

    async def task_group() -> str:
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(fails_at_once())
                await asyncio.sleep(30)
        except ExceptionGroup:
            return "failed inside"
        return "never"

    answers = [await call_user_code(code) for code in (asyncio_timeout, anyio_timeout, task_group)]
    assert answers == ["timed out", "timed out", "failed inside"]


async def cleans_up_badly() -> None:
    try:
        await asyncio.sleep(30)
    finally:
        raise OfTheUser("in cleaning up")


@pytest.mark.parametrize("code", [anyio.sleep_forever, cleans_up_badly])
async def test_a_real_cancellation_passes_whatever_the_cleaning_up_raises(code: object) -> None:
    with anyio.move_on_after(0.01) as scope:
        await call_user_code(code)  # type: ignore[arg-type]  # two coroutine functions
    assert scope.cancelled_caught

    async with anyio.create_task_group() as group:

        async def native() -> None:
            task = asyncio.current_task()
            assert task is not None
            asyncio.get_running_loop().call_later(0.01, task.cancel)
            with pytest.raises(asyncio.CancelledError):
                await call_user_code(code)  # type: ignore[arg-type]  # two coroutine functions
            task.uncancel()

        group.start_soon(native)


async def test_cleaning_up_may_wait() -> None:
    steps: list[str] = []

    async def careful() -> None:
        try:
            await asyncio.sleep(30)
        finally:
            with anyio.CancelScope(shield=True):
                await asyncio.sleep(0.01)
                steps.append("cleaned up")

    with anyio.move_on_after(0.01):
        await call_user_code(careful)
    assert steps == ["cleaned up"]


@pytest.mark.parametrize("is_native", [True, False])
async def test_code_that_ignores_its_cancellation_is_left_with_a_warning(
    is_native: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(containment, "CANCEL_GRACE_S", 0.02)
    closed: list[bool] = []

    async def stubborn() -> None:
        try:
            while True:
                try:
                    await asyncio.sleep(30)
                except asyncio.CancelledError:
                    continue
        finally:
            closed.append(True)

    async def nested() -> None:
        await call_user_code(stubborn)

    task = asyncio.current_task()
    assert task is not None
    with caplog.at_level(logging.WARNING):
        if is_native:
            asyncio.get_running_loop().call_later(0.01, task.cancel)
            with pytest.raises(asyncio.CancelledError):
                await call_user_code(nested)
            task.uncancel()
        else:
            with anyio.move_on_after(0.01) as scope:
                await call_user_code(nested)
            assert scope.cancelled_caught
    assert closed == [True]
    assert task.cancelling() == 0
    assert "nested ignored its cancellation" in caplog.text


async def test_context_variables_and_the_task_are_those_of_the_caller() -> None:
    async def which() -> object:
        return asyncio.current_task()

    assert await call_user_code(which) is asyncio.current_task()


async def test_a_text_that_cannot_be_made_falls_back_to_the_type() -> None:
    assert (text_of(Unprintable()), text_of(ValueError()), text_of(ValueError("x"))) == (
        "Unprintable",
        "ValueError",
        "x",
    )
    assert typed_text_of(Unprintable()) == "Unprintable"
    with pytest.raises(RuntimeError, match="raised Unprintable"):
        await run_in_daemon_thread(_raise_unprintable)


def _raise_unprintable() -> None:
    raise Unprintable
