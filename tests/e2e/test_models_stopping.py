"""What ends a whole run: a refused key, a spent quota, and a user who has seen enough."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import pytest
from pydantic import JsonValue

from hairpin.app.inputs import load_inputs
from hairpin.app.request import RunRequest
from hairpin.app.run import run_scenario
from hairpin.app.stored import open_stored
from hairpin.domain.llm_calls import CallOutcome
from hairpin.domain.outcome import StopReason
from hairpin.domain.records import RunStatus
from hairpin.graph.stopping import StopToken
from hairpin.testing import Ending, FakeAnswer, FakeModelServer
from hairpin.testing.role_player import play_roles
from tests.e2e.model_runs import (
    LINE,
    SCORE,
    forms_asked,
    in_turn,
    model_at,
    playing,
    run_models,
    scenario_of,
    write_scenario,
)

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

WORKERS = 8
MANY: dict[str, JsonValue] = {"repeats": 100}
REFUSED_KEY = FakeAnswer.error(401, "Incorrect API key provided", code="invalid_api_key")


@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [
        (REFUSED_KEY, 2, "Incorrect API key provided"),
        (FakeAnswer.quota_exceeded(), 3, "You exceeded your current quota"),
    ],
    ids=["key refused", "quota spent"],
)
def test_what_no_call_can_get_past_ends_the_run_with_one_message_and_few_requests(
    quick: Cli, answer: FakeAnswer, code: int, words: str
) -> None:
    with FakeModelServer(default=answer) as server:
        write_scenario(quick.folder, scenario_of({"default": model_at(server)}, **MANY))
        done = quick("run", "s.yaml", "--no-canary", "--concurrency", str(WORKERS), "--json")
        n_requests = len(server.chat_requests)
    assert done.code == code
    assert n_requests == 1
    assert done.err.count(words) == 1
    summary = json.loads(done.out)
    assert (summary["status"], summary["llm"]["attempts"]) == ("stopped", n_requests)
    assert summary["conversations"]["missing"] == 100


@pytest.mark.anyio
async def test_a_quota_that_runs_out_half_way_keeps_the_conversations_that_have_ended(tmp_path: Path) -> None:
    enough = [play_roles] * 15
    async with FakeModelServer(default=in_turn(*enough, then=FakeAnswer.quota_exceeded())) as server:
        run = await run_models(tmp_path, scenario_of({"default": model_at(server)}, **MANY), concurrency=1)
        n_requests = server.totals.n_requests
    assert run.finished.exit_code == 3
    assert (run.summary.conversations.passed, run.summary.conversations.missing) == (1, 99)
    assert run.summary.llm.attempts == n_requests == 16
    assert run.summary.llm.failed == {"quota_exceeded": 1}
    assert "quota" in run.summary.status_detail


@pytest.mark.anyio
async def test_an_interrupt_while_four_judges_wait_sends_nothing_more_and_records_what_was_given_up(
    tmp_path: Path,
) -> None:
    """The branches of the judges are what a scope around the graph would orphan."""
    stop = StopToken()
    async with FakeModelServer(default=playing({SCORE: FakeAnswer.hanging()})) as server:

        async def interrupt() -> None:
            while forms_asked(server)[SCORE] < 4:
                await server.wait_for_requests(len(server.requests) + 1)
            stop.set(StopReason.INTERRUPTED)

        async with anyio.create_task_group() as group:
            group.start_soon(interrupt)
            run = await run_models(
                tmp_path, scenario_of({"default": model_at(server)}, **MANY), stop=stop, concurrency=1
            )
        await server.wait_until_idle()
        n_requests = len(server.requests)
        await anyio.sleep(0.3)
        assert len(server.requests) == n_requests == 10
        gone = [request for request in server.requests if request.ending is Ending.CLIENT_GONE]
    assert len(gone) == 4
    assert run.summary.status is RunStatus.INTERRUPTED
    assert run.summary.llm.attempts == n_requests
    assert run.summary.llm.failed == {CallOutcome.CANCELLED.value: 4}
    assert run.records[0].outcome is None
    assert len(run.records[0].exchanges) == 2
    assert run.summary.conversations.missing == 100


@pytest.mark.anyio
async def test_a_cancelled_run_has_recorded_the_requests_that_were_under_way(tmp_path: Path) -> None:
    async with FakeModelServer(default=playing({LINE: FakeAnswer.hanging()})) as server:
        inputs = load_inputs(write_scenario(tmp_path, scenario_of({"default": model_at(server)}, **MANY)))
        request = RunRequest(inputs=inputs, out=tmp_path / "runs", concurrency=3, canary=False)
        async with anyio.create_task_group() as group:
            group.start_soon(run_scenario, request)
            await server.wait_for_requests(6)
            group.cancel_scope.cancel()
        await server.wait_until_idle()
        n_requests = len(server.requests)
    (folder,) = (tmp_path / "runs").iterdir()
    with open_stored(folder) as stored:
        assert stored.summary().llm.attempts == n_requests == 6
        assert stored.summary().llm.failed == {"cancelled": 3}
        assert stored.run_info().status is RunStatus.INTERRUPTED


@pytest.mark.anyio
async def test_an_interrupt_while_judges_are_tried_runs_no_conversation(tmp_path: Path) -> None:
    stop = StopToken()
    async with FakeModelServer(default=FakeAnswer.hanging()) as server:

        async def interrupt() -> None:
            await server.wait_for_requests(1)
            stop.set(StopReason.INTERRUPTED)

        async with anyio.create_task_group() as group:
            group.start_soon(interrupt)
            run = await run_models(tmp_path, scenario_of({"default": model_at(server)}), stop=stop, canary=True)
        assert run.summary.llm.attempts == len(server.requests)
    assert run.summary.status is RunStatus.INTERRUPTED
    assert run.summary.conversations.missing == 1
