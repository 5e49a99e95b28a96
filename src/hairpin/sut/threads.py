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


async def run_in_daemon_thread(function: Callable[[*Ts], T], *args: *Ts) -> T:
    """Call ``function(*args)`` in a daemon thread, with this task's context variables, and return what it returns.

    Cancellation abandons the call at once: the thread runs on unheard and never keeps the process alive. Works under
    any number of event loops and threads; ``function`` may itself start an event loop.

    Raises:
        AdapterFaultError: too many abandoned calls still hang.
        RuntimeError: ``function`` raised what would stop the event loop (``SystemExit`` and the like); it is the cause.
        Exception: what ``function`` raised, as it is.
    """
    async with _limiter():
        _refuse_when_too_many_hang(function)
        call = _Call(function, args)
        call.start()
        try:
            await call.done.wait()
        finally:
            call.let_go()
        return call.result()


async def call_user_code(function: Callable[..., object], *args: object) -> object:
    """Call a user's ``function``: a coroutine function on the loop, any other in a daemon thread; return its result.

    Raises:
        RuntimeError: the code raised what is no ``Exception``, or cancelled its own task; it is the cause.
        Exception: what the code raised, as it is; and those of ``run_in_daemon_thread``.
    """
    if is_async(function):
        return await Contained(_called(function, *args), name=name_of(function))
    result = await run_in_daemon_thread(function, *args)
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
    """One call with its thread. Outcome and abandonment change under one lock, so that each call is counted once."""

    def __init__(self, function: Callable[[*Ts], T], args: tuple[*Ts]) -> None:
        self.done = anyio.Event()
        self._loop = asyncio.get_running_loop()
        self._function = function
        self._run: Callable[[], T] = lambda: function(*args)
        self._context = contextvars.copy_context()
        self._value: T | None = None
        self._error: BaseException | None = None
        self._finished = False

    def start(self) -> None:
        name = f"hairpin-call-{next(_numbers)}-{name_of(self._function)}"
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def let_go(self) -> None:
        with _lock:
            if not self._finished:
                _abandoned.add(self)

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
            _abandoned.discard(self)
        try:
            self._loop.call_soon_threadsafe(self.done.set)
        except RuntimeError:
            return  # the loop has closed: nobody waits for an abandoned call


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
