"""Sending a request of a turn again, where a turn that is heard twice does no harm.

It decides when; what is sent, the caller knows. Without permission it sends once.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import anyio
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    stop_after_attempt,
    wait_exponential,
    wait_random,
)

from hairpin.errors import SutConnectionError, SutError
from hairpin.sut.http_client import LostConnectionError

T = TypeVar("T")

LATER_STATUSES: Final = frozenset({429, 502, 503, 504})
"""Those that say: not now, but perhaps later."""

MAX_ASKED_WAIT_S: Final = 30.0
"""A server that asks for a longer wait gets none: the turn would be over before."""

_LONGEST_BACK_OFF_S: Final = 8.0


class BusyError(SutError):
    """The assistant says that it may answer later. ``retry_after_s``: when, in seconds, if it said so."""

    def __init__(self, text: str, *, retry_after_s: float | None) -> None:
        self.retry_after_s = retry_after_s
        wait = f"; it asks to wait {retry_after_s:g} s" if retry_after_s is not None else ""
        super().__init__(text + wait)


class Retries:
    """The tries of one turn.

    Args:
        n_retries: how often each of its requests may be sent again; 0: never.
        back_off_s: the wait after the first failure, unless the server asks for one; it doubles with each.

    Attributes:
        waited_ms: how long tries that failed took, the waits after them included.
        n_again: how many requests were sent again.
    """

    def __init__(self, n_retries: int, *, back_off_s: float = 0.5) -> None:
        self._n_retries = n_retries
        self._back_off_s = back_off_s
        self.waited_ms = 0.0
        self.n_again = 0

    async def of(self, send: Callable[[], Awaitable[T]]) -> T:
        """Return what ``send`` returns, and try again while it fails with what may pass.

        Raises:
            Exception: what the last try raised.
        """
        if self._n_retries == 0:
            return await send()
        first_s = last_s = math.nan

        async def attempt() -> T:
            nonlocal first_s, last_s
            last_s = anyio.current_time()
            if math.isnan(first_s):
                first_s = last_s
            return await send()

        retrying = AsyncRetrying(
            sleep=anyio.sleep,
            wait=self._wait_s,
            stop=stop_after_attempt(self._n_retries + 1),
            retry=retry_if_exception(_may_pass),
            before_sleep=self._count,
            reraise=True,
        )
        result: T = await retrying(attempt)
        self.waited_ms += (last_s - first_s) * 1000
        return result

    def _wait_s(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome is not None else None
        if isinstance(error, BusyError) and error.retry_after_s is not None:
            return error.retry_after_s
        back_off = wait_exponential(multiplier=self._back_off_s, max=_LONGEST_BACK_OFF_S)
        return back_off(state) + wait_random(0, self._back_off_s / 2)(state)

    def _count(self, _: RetryCallState) -> None:
        self.n_again += 1


def _may_pass(error: BaseException) -> bool:
    if isinstance(error, BusyError):
        return error.retry_after_s is None or error.retry_after_s <= MAX_ASKED_WAIT_S
    return isinstance(error, LostConnectionError | SutConnectionError)
