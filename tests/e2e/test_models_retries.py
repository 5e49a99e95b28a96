"""Endpoints that ask to wait: the wait is kept by everybody, tries are counted once, and a run ends in time (B08)."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from hairpin.domain.llm_calls import CallOutcome
from hairpin.domain.outcome import Blame, StopReason
from hairpin.testing import Answer, FakeAnswer, FakeModelServer, FakeRequest
from hairpin.testing.role_player import play_roles
from tests.e2e.model_runs import ModelRun, in_turn, model_at, outcomes_of, run_models, scenario_of

pytestmark = pytest.mark.anyio

ATTEMPTS = 3
WORKERS = 8
GRACE_S = 0.5
"""Requests that are on their way when the first one is told to wait."""


async def run_with_eight_workers(folder: Path, server: FakeModelServer, **limits: JsonValue) -> ModelRun:
    """Run eight scripted conversations of one turn, all at once: each makes one call, of its turn judge."""
    model = model_at(server, limits={"attempts": ATTEMPTS, **limits}, structured_output="json_schema_strict")
    models: dict[str, JsonValue] = {"turn_judge": model}
    turns: JsonValue = [{"user": "Guide me to Marienplatz"}]
    scenario = scenario_of(models, turns=turns, repeats=WORKERS, oracles=["turn_judge"])
    return await run_models(folder, scenario, concurrency=WORKERS)


def tries_per_call(run: ModelRun) -> Counter[str]:
    return Counter(request.call_id for request in run.requests if request.number)


async def test_no_worker_asks_before_the_seconds_that_the_server_named_are_over(tmp_path: Path) -> None:
    """All eight ask at once, and are told to wait before any of them knows."""
    wait = FakeAnswer.error(429, "Rate limit reached", code="rate_limit_exceeded", retry_after=1, delay_s=0.2)
    async with FakeModelServer(default=wait) as server:
        run = await run_with_eight_workers(tmp_path, server)
        early = server.early_requests(grace_s=GRACE_S)
        n_requests = len(server.chat_requests)
    assert early == ()
    assert list(tries_per_call(run).values()) == [ATTEMPTS] * WORKERS
    assert n_requests == run.summary.llm.attempts == ATTEMPTS * WORKERS
    assert run.outcomes() == [(StopReason.PROVIDER_ERROR, "turn_judge", Blame.PROVIDER)] * WORKERS
    assert run.summary.llm.retry_wait_ms > 900


async def test_a_wait_over_goes_on_for_everybody_but_not_all_at_once(tmp_path: Path) -> None:
    """The wait is a date: the server's second, which no worker may come before once the first has been told."""
    until: list[datetime] = []
    told: list[float] = []

    def answer(request: FakeRequest) -> Answer:
        now = datetime.now(UTC)
        if not until:
            until.append((now + timedelta(seconds=3)).replace(microsecond=0))
        if now >= until[0]:
            return play_roles(request)
        told.append(request.received_at)
        return FakeAnswer.rate_limited(retry_after=until[0])

    async with FakeModelServer(default=answer) as server:
        run = await run_with_eight_workers(tmp_path, server)
        came = sorted(request.received_at for request in server.chat_requests)[len(told) :]
    assert [at for at in told if at > told[0] + GRACE_S] == []
    assert run.summary.llm.failed == {"rate_limited": len(told)}
    assert max(tries_per_call(run).values()) <= 2
    assert len(set(came)) == len(came) == WORKERS
    assert outcomes_of(run.requests)["ok"] == WORKERS


async def test_a_wait_longer_than_anybody_will_wait_ends_the_run_and_loses_no_conversation(tmp_path: Path) -> None:
    async with FakeModelServer(default=FakeAnswer.rate_limited(retry_after=86_400)) as server:
        run = await run_with_eight_workers(tmp_path, server)
    assert set(tries_per_call(run).values()) == {1}
    assert run.finished.exit_code == 3
    assert run.summary.status == "stopped"
    assert "asked to wait 86400 s, more than max_wait_s" in run.summary.status_detail
    assert run.summary.conversations.missing == WORKERS
    assert run.summary.elapsed_s < 60


async def test_a_wait_that_nobody_can_read_is_an_ordinary_rate_limit(tmp_path: Path) -> None:
    soon = FakeAnswer(
        status=429, body={"error": {"message": "slow down", "code": "rate_limit"}}, headers={"Retry-After": "soon"}
    )
    async with FakeModelServer(*[soon] * 4, default=play_roles) as server:
        run = await run_with_eight_workers(tmp_path, server)
    assert outcomes_of(run.requests) == {"rate_limited": 4, "ok": WORKERS}
    assert {request.outcome for request in run.requests if request.retry_wait_ms} == {CallOutcome.OK}


async def test_a_spent_quota_is_not_asked_again_and_stops_the_run_with_its_reason(tmp_path: Path) -> None:
    async with FakeModelServer(default=FakeAnswer.quota_exceeded()) as server:
        run = await run_with_eight_workers(tmp_path, server)
        n_requests = len(server.chat_requests)
    assert n_requests <= WORKERS
    assert set(tries_per_call(run).values()) == {1}
    assert run.finished.exit_code == 3
    assert run.summary.status == "stopped"
    assert "You exceeded your current quota" in run.summary.status_detail
    assert run.summary.llm.attempts == n_requests


async def test_an_endpoint_that_comes_back_loses_no_conversation(tmp_path: Path) -> None:
    troubles: list[Any] = [FakeAnswer.error(503, "busy"), FakeAnswer.rate_limited(), FakeAnswer.cut_off()]
    async with FakeModelServer(default=in_turn(*troubles)) as server:
        run = await run_with_eight_workers(tmp_path, server)
        n_requests = len(server.chat_requests)
    assert n_requests == run.summary.llm.attempts == WORKERS + len(troubles)
    assert run.summary.llm.failed == {"connection_lost": 1, "overloaded": 1, "rate_limited": 1}
    assert run.summary.conversations.invalid == 0
