"""The response cache: the same run again asks nobody and says the same; repeats have answers of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from hairpin.testing import FakeAnswer, FakeModelServer
from hairpin.testing.role_player import play_roles
from tests.e2e.model_runs import (
    REQUESTS_PER_CONVERSATION,
    TARGETS,
    ModelRun,
    in_turn,
    model_at,
    outcomes_of,
    playing,
    run_models,
    scenario_of,
)

pytestmark = pytest.mark.anyio

OF_THIS_RUN = ("run_id", "elapsed_s", "llm")


def lasting(run: ModelRun) -> Any:
    summary = run.summary.model_dump(mode="json")
    return {key: value for key, value in summary.items() if key not in OF_THIS_RUN}


async def test_the_same_run_again_makes_no_request_and_has_the_same_summary(tmp_path: Path) -> None:
    cache, phrases = tmp_path / "answers.sqlite", ["Guide me to Marienplatz", "Find a pharmacy near me"]
    keys: dict[str, JsonValue] = {"seed_phrases": [*phrases], "repeats": 2}
    async with FakeModelServer(default=play_roles) as server:
        first = await run_models(tmp_path, scenario_of({"default": model_at(server)}, **keys), cache=cache)
        n_requests = server.totals.n_requests
        second = await run_models(tmp_path, scenario_of({"default": model_at(server)}, **keys), cache=cache)
        assert server.totals.n_requests == n_requests == 4 * REQUESTS_PER_CONVERSATION
    assert lasting(second) == lasting(first)
    assert [record.exchanges[1].user for record in second.records] == [r.exchanges[1].user for r in first.records]
    assert (second.summary.llm.attempts, second.summary.llm.from_cache) == (0, n_requests)
    assert second.summary.llm.cost_usd == 0
    assert outcomes_of(second.requests) == {"from_cache": n_requests}


async def test_repeats_of_a_conversation_are_answered_anew(tmp_path: Path) -> None:
    async with FakeModelServer(default=play_roles) as server:
        scenario = scenario_of({"default": model_at(server)}, repeats=3)
        run = await run_models(tmp_path, scenario, cache=tmp_path / "answers.sqlite")
        assert server.totals.n_requests == 3 * REQUESTS_PER_CONVERSATION
    assert len({record.exchanges[1].user for record in run.records}) == 3


async def test_what_was_no_usable_answer_is_not_kept(tmp_path: Path) -> None:
    refused = in_turn(FakeAnswer(None, refusal="No."))
    cache = tmp_path / "answers.sqlite"
    async with FakeModelServer(default=playing({TARGETS: refused})) as server:
        first = await run_models(tmp_path, scenario_of({"default": model_at(server)}), cache=cache)
        second = await run_models(tmp_path, scenario_of({"default": model_at(server)}), cache=cache)
    assert first.summary.conversations.invalid == 1
    assert second.summary.conversations.passed == 1
    assert second.summary.llm.attempts == REQUESTS_PER_CONVERSATION
