"""Awaiting users' coroutines so that nothing they raise or cancel ends more than themselves.

The coroutine stays in the task that awaits it, so that its context variables, time-outs and task groups work as ever.
"""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Callable, Coroutine, Generator
from typing import Final

from hairpin.sut.exits import as_users
from hairpin.sut.fault_text import disarmed, typed_text_of

CANCEL_GRACE_S: Final = 5.0
"""Seconds that a coroutine has for its cleaning up once it was cancelled; then it is left where it stands."""

_logger = logging.getLogger(__name__)


class Contained:
    """Await it in place of ``coroutine``, once and in the task that makes it.

    A cancellation from outside always passes; one that the coroutine asked for itself (``current_task().cancel()``)
    ends the coroutine only. One that ignores its cancellation is left after ``CANCEL_GRACE_S`` with a warning, unless
    it awaits another task that does so: nothing can wake the task then.

    Raises:
        RuntimeError: the coroutine raised what is no ``Exception``; it is the cause.
        Exception: what the coroutine raised, as it is.
    """

    def __init__(self, coroutine: Coroutine[object, None, object], *, name: str) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("users' coroutines are awaited in tasks only")
        self._coroutine = coroutine
        self._name = name
        self._task = task
        self._own_cancels = 0
        self._cancellation: asyncio.CancelledError | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._expired = False

    def __await__(self) -> Generator[object, None, object]:
        try:
            return (yield from self._guarded())
        finally:
            self._stop_timer()
            if self._expired:
                self._task.uncancel()

    def _guarded(self) -> Generator[object, None, object]:
        value, error = yield from self._outcome()
        yield from self._take_back_own_cancels()
        if error is not None:
            raise self._passed_on(error)
        return value

    def _outcome(self) -> Generator[object, None, tuple[object, BaseException | None]]:
        """Drive the coroutine; return what it returned or raised."""
        step: Callable[[], object] = functools.partial(self._coroutine.send, None)
        while True:
            try:
                awaited = self._watched(step)
            except StopIteration as done:
                return done.value, None
            except BaseException as error:  # noqa: BLE001  # _passed_on tells them apart
                return None, error
            try:
                yield awaited
                step = functools.partial(self._coroutine.send, None)
            except GeneratorExit:
                self._coroutine.close()
                raise
            except BaseException as error:
                if self._expired:
                    self._leave()
                    raise
                self._note_cancellation(error)
                step = functools.partial(self._coroutine.throw, error)

    def _watched(self, step: Callable[[], object]) -> object:
        """Run the coroutine up to its next wait; cancel requests that come meanwhile are of its own making."""
        before = self._task.cancelling()
        try:
            return as_users(step)
        finally:
            now = self._task.cancelling()
            self._own_cancels = min(self._own_cancels + max(0, now - before), now)
            if not self._is_cancelled_from_outside():
                self._cancellation = None
                self._stop_timer()

    def _note_cancellation(self, error: BaseException) -> None:
        if not isinstance(error, asyncio.CancelledError) or not self._is_cancelled_from_outside():
            return
        self._cancellation = error
        if self._timer is None:
            self._timer = self._task.get_loop().call_later(CANCEL_GRACE_S, self._expire)

    def _is_cancelled_from_outside(self) -> bool:
        return self._task.cancelling() > self._own_cancels

    def _expire(self) -> None:
        self._expired = True
        self._task.cancel()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _leave(self) -> None:
        _logger.warning("%s ignored its cancellation for %g s and is left", self._name, CANCEL_GRACE_S)
        try:
            self._coroutine.close()
        except BaseException as error:  # noqa: BLE001  # the task is being cancelled, and that is what goes on
            _logger.warning("%s could not be closed either: %s", self._name, typed_text_of(error))

    def _take_back_own_cancels(self) -> Generator[object, None, None]:
        """Forget what the coroutine did to the task; a request not yet delivered is drawn by one pass of the loop."""
        if not self._own_cancels:
            return
        while self._own_cancels:
            self._task.uncancel()
            self._own_cancels -= 1
        try:
            yield None
        except asyncio.CancelledError:
            if self._is_cancelled_from_outside():
                raise

    def _passed_on(self, error: BaseException) -> BaseException:
        if isinstance(error, Exception):
            return error
        if self._cancellation is not None:
            # What was delivered, not a new one: anyio knows its own cancellations by their text.
            return error if isinstance(error, asyncio.CancelledError) else _caused(self._cancellation, error)
        return _caused(disarmed(self._name, error), error)


def _caused(error: BaseException, cause: BaseException) -> BaseException:
    error.__cause__ = cause
    return error
