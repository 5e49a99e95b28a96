"""Tasks that users' code starts, kept from ending the event loop: ``sys.exit()`` in one of them is an error of it.

asyncio lets ``SystemExit`` of any task out of the loop itself, past everything that awaits the task.
``KeyboardInterrupt`` is left alone: it may be the user's own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context, ContextVar
from typing import Any, Final

_IN_USERS_CODE: Final[ContextVar[bool]] = ContextVar("hairpin_in_users_code", default=False)


class TaskExitError(RuntimeError):
    """A task of users' code raised ``SystemExit``, which is its cause."""


def users_context() -> Context:
    """Return an empty context for users' code; tasks that are started in it are contained."""
    context = Context()
    context.run(_IN_USERS_CODE.set, True)
    return context


def as_users(step: Callable[[], object]) -> object:
    """Take a step of users' code; tasks that it starts are contained."""
    token = _IN_USERS_CODE.set(True)
    try:
        return step()
    finally:
        _IN_USERS_CODE.reset(token)


def contain_exits(loop: asyncio.AbstractEventLoop) -> None:
    """Let tasks of users' code on ``loop`` raise TaskExitError in place of ``SystemExit``; others are as ever."""
    make = loop.get_task_factory()

    def factory(loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any) -> Any:
        context = options.get("context")
        is_users = _IN_USERS_CODE.get() if context is None else context.get(_IN_USERS_CODE, False)
        contained = _Contained(coroutine) if is_users else coroutine
        if make is not None:
            return make(loop, contained, **options)
        return asyncio.Task(contained, loop=loop, **options)

    loop.set_task_factory(factory)


class _Contained(Coroutine[object, object, object]):
    """A coroutine whose ``SystemExit`` is an ordinary error."""

    def __init__(self, inner: Coroutine[object, object, object]) -> None:
        self._inner = inner
        self.__name__ = getattr(inner, "__name__", type(inner).__name__)
        self.__qualname__ = getattr(inner, "__qualname__", self.__name__)

    def send(self, value: object) -> object:
        try:
            return self._inner.send(value)
        except SystemExit as exit_:
            raise _told(exit_) from exit_

    def throw(self, *error: Any) -> object:
        try:
            return self._inner.throw(*error)
        except SystemExit as exit_:
            raise _told(exit_) from exit_

    def close(self) -> None:
        self._inner.close()

    def __await__(self) -> Generator[object, object, object]:
        return (yield from self._inner.__await__())

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)


def _told(exit_: SystemExit) -> TaskExitError:
    return TaskExitError(f"SystemExit: {exit_.code}")
