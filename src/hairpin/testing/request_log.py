"""The requests a fake server received, and waiting for them from any thread or event loop.

It must not answer; it only remembers.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import anyio

from hairpin.testing.received import Ending, FakeRequest


@dataclass(frozen=True, slots=True)
class ServerTotals:
    """What became of the requests for a completion, in sums.

    Attributes:
        n_requests: all of them.
        endings: how many ended how; those in flight are in none.
        statuses: how many whole answers had which status.
        prompt_tokens: reported in whole answers.
        completion_tokens: reported in whole answers.
        n_bytes_sent: of all bodies, as far as they were written.
    """

    n_requests: int
    endings: Mapping[Ending, int]
    statuses: Mapping[int, int]
    prompt_tokens: int
    completion_tokens: int
    n_bytes_sent: int


class RequestLog:
    """All requests in order of arrival, and which of them still wait for their answer."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._requests: list[FakeRequest] = []
        self._chat_requests: list[FakeRequest] = []
        self._open: set[int] = set()
        self._peak = 0
        self._waiters: list[tuple[asyncio.AbstractEventLoop, anyio.Event]] = []

    @property
    def requests(self) -> tuple[FakeRequest, ...]:
        """All requests so far."""
        return tuple(self._requests)

    @property
    def chat_requests(self) -> tuple[FakeRequest, ...]:
        """Those for a completion."""
        return tuple(self._chat_requests)

    @property
    def n_requests(self) -> int:
        """How many requests have arrived."""
        return len(self._requests)

    @property
    def in_flight(self) -> int:
        """How many requests wait for their answer now."""
        return len(self._open)

    @property
    def peak_in_flight(self) -> int:
        """The most requests that ever waited at the same time."""
        return self._peak

    def arrived(self, request: FakeRequest, *, for_completion: bool) -> None:
        """Remember a request that waits for its answer from now on; those for a completion get their number."""
        with self._changed:
            self._requests.append(request)
            if for_completion:
                self._chat_requests.append(request)
                request.number = len(self._chat_requests)
            self._open.add(id(request))
            self._peak = max(self._peak, len(self._open))
            self._wake()

    def left(self, request: FakeRequest) -> None:
        """Note that a request waits no longer."""
        with self._changed:
            self._open.discard(id(request))
            self._wake()

    def totals(self) -> ServerTotals:
        """Return the sums over the requests for a completion."""
        requests = self.chat_requests
        whole = [request for request in requests if request.ending is Ending.ANSWERED]
        return ServerTotals(
            n_requests=len(requests),
            endings=Counter(request.ending for request in requests if request.ending is not None),
            statuses=Counter(request.status for request in whole if request.status is not None),
            prompt_tokens=sum(_reported(whole, "prompt_tokens")),
            completion_tokens=sum(_reported(whole, "completion_tokens")),
            n_bytes_sent=sum(request.n_bytes_sent for request in requests),
        )

    def early_requests(self, grace_s: float) -> tuple[FakeRequest, ...]:
        """Return the requests that came more than ``grace_s`` after a ``Retry-After`` in seconds, but within it."""
        closed = [span for request in self._requests if (span := _closed_span(request)) is not None]
        return tuple(
            request
            for request in self._requests
            if any(start + grace_s < request.received_at < end for start, end in closed)
        )

    def wait_sync(self, condition: Callable[[], bool], timeout_s: float) -> None:
        """Block until ``condition``. Raises TimeoutError."""
        with self._changed:
            if not self._changed.wait_for(condition, timeout_s):
                raise TimeoutError(f"{len(self._requests)} requests, {len(self._open)} in flight after {timeout_s:g} s")

    async def wait(self, condition: Callable[[], bool], timeout_s: float) -> None:
        """Wait until ``condition``. Raises TimeoutError."""
        with anyio.fail_after(timeout_s):
            while True:
                event = anyio.Event()
                with self._changed:
                    if condition():
                        return
                    self._waiters.append((asyncio.get_running_loop(), event))
                await event.wait()

    def _wake(self) -> None:
        self._changed.notify_all()
        waiters, self._waiters = self._waiters, []
        for loop, event in waiters:
            with contextlib.suppress(RuntimeError):  # that loop has closed: nobody waits there any more
                loop.call_soon_threadsafe(event.set)


def _reported(requests: list[FakeRequest], key: str) -> Iterator[int]:
    for request in requests:
        tokens = request.usage.get(key) if request.usage is not None else None
        if isinstance(tokens, int):
            yield tokens


def _closed_span(request: FakeRequest) -> tuple[float, float] | None:
    """Return from when until when an answer asked not to be called, on the loop's clock."""
    if request.answered_at is None:
        return None
    headers = {name.lower(): value for name, value in request.answer_headers.items()}
    try:
        return request.answered_at, request.answered_at + float(headers["retry-after"])
    except (KeyError, ValueError):
        return None
