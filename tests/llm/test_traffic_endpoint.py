"""Eight workers and a real server that says 429: nobody comes back too early, nobody asks too often."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from itertools import pairwise

import aiohttp
import anyio
import pytest

from hairpin.domain.llm_calls import CallOutcome
from hairpin.domain.model_spec import ModelLimits
from hairpin.llm.completion import CallError, Completion
from hairpin.llm.traffic.policy import Send
from hairpin.llm.traffic.waiting import Deadline
from hairpin.testing import FakeAnswer, FakeModelServer, FakeRequest
from tests.llm.traffic_driver import Seen, call_often, traffic_to
from tests.virtual_time import VirtualClock, in_virtual_time

LIMITS = ModelLimits(concurrency=8, attempts=3)
WORKERS = 8


def turned_away(retry_after: str | None = None, *, code: str | None = None) -> FakeAnswer:
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return FakeAnswer(status=429, headers=headers, body={"error": {"message": "slow down", "code": code}})


def asked_wait_s(header: str | None) -> float | None:
    if header is None:
        return None
    if header.isdigit():
        return float(header)
    try:
        return (parsedate_to_datetime(header) - VirtualClock().now()).total_seconds()
    except ValueError:
        return None


def sender(session: aiohttp.ClientSession, server: FakeModelServer) -> Send:
    async def send() -> Completion:
        async with session.post(f"{server.base_url}/chat/completions", json={"messages": []}) as response:
            body = await response.json()
            if response.status == 200:
                return Completion(text=body["choices"][0]["message"]["content"] or "…")
            error = body["error"]
            outcome = CallOutcome.QUOTA_EXCEEDED if error["code"] == "insufficient_quota" else CallOutcome.RATE_LIMITED
            raise CallError(outcome, error["message"], retry_after_s=asked_wait_s(response.headers.get("Retry-After")))

    return send


async def drive(server: FakeModelServer, seen: Seen, *, deadline: Deadline | None = None) -> None:
    traffic = traffic_to(LIMITS)
    async with aiohttp.ClientSession() as session:
        await call_often(traffic, sender(session, server), seen, workers=WORKERS, deadline=deadline)
    assert (traffic.n_in_flight, traffic.n_waiting) == (0, 0)


def assert_kept(server: FakeModelServer, wait_s: float) -> None:
    """No request arrived while a wait was to be kept; those that wait come back one by one."""
    requests = server.requests
    for earlier in requests:
        assert earlier.answered_at is not None
        until_s = earlier.answered_at + wait_s
        assert not [r for r in requests if earlier.answered_at < r.received_at < until_s - 1e-6]
    later = [r.received_at for r in requests[WORKERS:]]
    assert all(b - a > 0.01 for a, b in pairwise(later))


@in_virtual_time
async def test_a_wait_in_seconds_is_kept_by_all_workers() -> None:
    seen = Seen()
    async with FakeModelServer(default=turned_away("7")) as server:
        await drive(server, seen)
    assert_kept(server, 7.0)
    assert seen.made == [3] * WORKERS
    assert len(server.requests) == 3 * WORKERS
    assert set(seen.ends) == {CallOutcome.RATE_LIMITED}


@in_virtual_time
async def test_a_wait_until_a_date_is_kept_by_all_workers() -> None:
    date = format_datetime((VirtualClock().now() + timedelta(seconds=5)).astimezone(UTC), usegmt=True)
    assert parsedate_to_datetime(date) > datetime(2026, 1, 1, tzinfo=UTC)
    seen = Seen()
    async with FakeModelServer(*[turned_away(date)] * WORKERS) as server:
        asked_at_s = anyio.current_time()
        await drive(server, seen)
    later = [r.received_at for r in server.requests[WORKERS:]]
    assert len(later) == WORKERS
    assert min(later) >= asked_at_s + 5.0 - 1e-6
    assert all(b - a > 0.01 for a, b in pairwise(later))
    assert set(seen.ends) == {CallOutcome.OK}


@in_virtual_time
async def test_nobody_sleeps_past_the_deadline() -> None:
    """A day is asked for, ten minutes are left: the calls end at once."""
    seen, started_s = Seen(), anyio.current_time()
    async with FakeModelServer(default=turned_away("86400")) as server:
        await drive(server, seen, deadline=Deadline(started_s + 600))
        assert anyio.current_time() < started_s + 5
    assert len(server.requests) == WORKERS
    assert set(seen.ends) == {CallOutcome.OUT_OF_TIME}
    assert all("asked to wait 86400 s" in error.detail for error in seen.errors)


@pytest.mark.parametrize("header", ["soon", None])
def test_a_wait_that_cannot_be_read_means_ordinary_back_off(header: str | None) -> None:
    @in_virtual_time
    async def back_off() -> None:
        seen = Seen()
        async with FakeModelServer(default=turned_away(header)) as server:
            await drive(server, seen)
        assert seen.made == [3] * WORKERS
        assert len(server.requests) == 3 * WORKERS
        assert all(timing.retry_wait_s >= 0.25 for number, timing, _ in seen.requests if number > 1)
        assert all(timing.retry_wait_s == 0 for number, timing, _ in seen.requests if number == 1)

    back_off()


@in_virtual_time
async def test_a_used_up_quota_is_not_asked_again() -> None:
    seen = Seen()
    async with FakeModelServer(default=turned_away("7", code="insufficient_quota")) as server:
        await drive(server, seen)
    assert len(server.requests) == WORKERS
    assert set(seen.ends) == {CallOutcome.QUOTA_EXCEEDED}


@in_virtual_time
async def test_a_server_that_takes_four_at_a_time_serves_all_of_eight_workers() -> None:
    server = FakeModelServer()

    def busy_above_four(request: FakeRequest) -> FakeAnswer:
        return FakeAnswer("yes", delay_s=1.0) if server.in_flight <= 4 else turned_away()

    server = FakeModelServer(default=busy_above_four)
    seen = Seen()
    async with server, aiohttp.ClientSession() as session:
        traffic = traffic_to(ModelLimits(concurrency=8, attempts=12))
        await call_often(traffic, sender(session, server), seen, workers=8, calls_each=6)
        assert 3 <= traffic.concurrency <= 6
    assert seen.ends == [CallOutcome.OK] * 48


@in_virtual_time
async def test_calls_that_time_out_leave_nothing_behind_on_a_server_that_hangs() -> None:
    hangs = FakeAnswer(delay_s=float("inf"))
    async with FakeModelServer(hangs, hangs) as server, aiohttp.ClientSession() as session:
        traffic, seen = traffic_to(ModelLimits(concurrency=2)), Seen()
        send = sender(session, server)
        with anyio.move_on_after(30) as scope:
            await call_often(traffic, send, seen, workers=4)
        assert scope.cancelled_caught
        assert (traffic.n_in_flight, traffic.n_waiting, len(seen.requests)) == (0, 0, 2)
        await server.wait_until_idle()
        await call_often(traffic, send, seen, workers=4)
    assert seen.ends == [CallOutcome.OK] * 4
