"""Calling users' code from the event loop: what is synchronous runs in daemon threads of Hairpin's own.

Not for Hairpin's own work: the store has its writer thread. Nothing here knows what is called.
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
import inspect
import itertools
import threading
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar, TypeVarTuple

import anyio
from anyio.lowlevel import RunVar

from hairpin.errors import AdapterFaultError
from hairpin.sut.containment import Contained
from hairpin.sut.fault_text import disarmed, name_of

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

MAX_CALLS: Final = 256
"""Calls awaited at once per event loop; one more waits. An abandoned call no longer counts."""

MAX_ABANDONED: Final = 256
"""Abandoned calls of this process that may still hang; with more of them a new call is refused."""


async def run_in_daemon_thread(
    function: Callable[[*Ts], T], *args: *Ts, unheard: Callable[[T], object] | None = None
) -> T:
    """Call ``function(*args)`` in a daemon thread, with this task's context variables, and return what it returns.

    Cancellation abandons the call at once: the thread runs on unheard and never keeps the process alive. What it then
    returns goes to ``unheard``, once and in such a thread; it must not raise. Works under any number of event loops
    and threads; ``function`` may itself start an event loop.

    Raises:
        AdapterFaultError: too many abandoned calls still hang.
        RuntimeError: ``function`` raised what would stop the event loop (``SystemExit`` and the like); it is the cause.
        Exception: what ``function`` raised, as it is.
    """
    async with _limiter():
        _refuse_when_too_many_hang(function)
        call = _Call(function, args, unheard)
        call.start()
        try:
            await call.done.wait()
        except BaseException:
            call.let_go()
            raise
        return call.result()


async def call_user_code(
    function: Callable[..., object], *args: object, unheard: Callable[[object], object] | None = None
) -> object:
    """Call a user's ``function``: a coroutine function on the loop, any other in a daemon thread; return its result.

    ``unheard`` gets, in a thread, what a function that was abandoned in its thread returns after all.

    Raises:
        RuntimeError: the code raised what is no ``Exception``, or cancelled its own task; it is the cause.
        Exception: what the code raised, as it is; and those of ``run_in_daemon_thread``.
    """
    if is_async(function):
        return await Contained(_called(function, *args), name=name_of(function))
    result = await run_in_daemon_thread(function, *args, unheard=unheard)
    if not inspect.isawaitable(result):
        return result
    return await Contained(_awaited(result), name=name_of(function))


def is_async(function: Callable[..., object]) -> bool:
    """Whether calling ``function`` gives a coroutine: an ``async def``, a partial of one, or an async ``__call__``."""
    if isinstance(function, functools.partial):
        return is_async(function.func)
    call = getattr(type(function), "__call__", None)  # noqa: B004  # the method is wanted, not whether there is one
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


def abandoned_calls() -> int:
    """Return how many abandoned calls still run in this process."""
    return len(_abandoned)


class _Call(Generic[T]):
    """One call with its thread. Outcome and abandonment change under one lock, so that each call is counted once and
    its value goes to one of the two: the awaiting task or ``unheard``.
    """

    def __init__(
        self, function: Callable[[*Ts], T], args: tuple[*Ts], unheard: Callable[[T], object] | None = None
    ) -> None:
        self.done = anyio.Event()
        self._loop = asyncio.get_running_loop()
        self._function = function
        self._run: Callable[[], T] = lambda: function(*args)
        self._unheard = unheard
        self._context = contextvars.copy_context()
        self._value: T | None = None
        self._error: BaseException | None = None
        self._finished = False

    def start(self) -> None:
        self._in_thread(self._work)

    def let_go(self) -> None:
        with _lock:
            _abandoned.add(self)
            finished = self._finished
        if finished:
            # It ended just now, and its value was not fetched.
            self._in_thread(self._give_away)

    def _in_thread(self, work: Callable[[], None]) -> None:
        name = f"hairpin-call-{next(_numbers)}-{name_of(self._function)}"
        threading.Thread(target=work, name=name, daemon=True).start()

    def result(self) -> T:
        if self._error is None:
            return self._value  # type: ignore[return-value]  # without an error it is a T, which may itself be None
        if isinstance(self._error, Exception):
            raise self._error
        raise disarmed(name_of(self._function), self._error) from self._error

    def _work(self) -> None:
        try:
            self._value = self._context.run(self._run)
        except BaseException as error:  # noqa: BLE001  # handed to the awaiting task, which raises it
            self._error = error
        with _lock:
            self._finished = True
            abandoned = self in _abandoned
        if abandoned:
            self._give_away()
            return
        try:
            self._loop.call_soon_threadsafe(self.done.set)
        except RuntimeError:
            return  # the loop has closed: nobody waits any more

    def _give_away(self) -> None:
        """Hand the value that nobody awaits to ``unheard``; until that is done the call counts as abandoned."""
        try:
            if self._error is None and self._unheard is not None:
                self._context.run(self._unheard, self._value)  # type: ignore[arg-type]  # without an error it is a T
        finally:
            with _lock:
                _abandoned.discard(self)


_lock = threading.Lock()
_abandoned: set[object] = set()
_numbers = itertools.count(1)
_limiter_of_loop: RunVar[anyio.CapacityLimiter] = RunVar("hairpin_daemon_threads")


async def _called(function: Callable[..., object], *args: object) -> object:
    result = function(*args)
    return await result if inspect.isawaitable(result) else result


async def _awaited(awaitable: Awaitable[object]) -> object:
    return await awaitable


def _limiter() -> anyio.CapacityLimiter:
    try:
        return _limiter_of_loop.get()
    except LookupError:
        limiter = anyio.CapacityLimiter(MAX_CALLS)
        _limiter_of_loop.set(limiter)
        return limiter


def _refuse_when_too_many_hang(function: Callable[..., object]) -> None:
    if abandoned_calls() >= MAX_ABANDONED:
        raise AdapterFaultError(
            f"{name_of(function)} is not called: {MAX_ABANDONED} earlier calls never returned after their time-out;"
            " give the code that they wait in a time-out of its own"
        )
