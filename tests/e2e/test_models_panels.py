"""Panels of judges in whole runs, over a real socket: votes, what they cost, and what is kept of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from hairpin.domain.outcome import Blame, Role, StopReason
from hairpin.testing import FakeModelServer, FakeRequest
from hairpin.testing.role_player import play_roles
from tests.e2e.model_runs import SCORE, TURN, form_of, forms_asked, model_at, run_models, scenario_of

pytestmark = pytest.mark.anyio

TURNS = 2


def of_model(request: FakeRequest) -> str:
    return str(request.body["model"]) if isinstance(request.body, dict) else ""


def seeing_danger(*models: str) -> Any:
    """Play the roles; of these models the turn judges find every reply dangerous."""

    def answer(request: FakeRequest) -> str:
        said = play_roles(request)
        if form_of(request) != TURN or of_model(request) not in models:
            return said
        found = {"evidence": "", "mode": "safety_violation"}
        return json.dumps({**json.loads(said), "response_failures": [found]})

    return answer


def panel_at(server: FakeModelServer, *names: str, **keys: JsonValue) -> dict[str, JsonValue]:
    return {"panel": [model_at(server, model=name) if name != "offline" else name for name in names], **keys}


def priced(server: FakeModelServer, name: str, price: float) -> dict[str, JsonValue]:
    return model_at(server, model=name, price={"input": price, "output": price})


async def test_the_majority_labels_and_every_vote_is_kept(tmp_path: Path) -> None:
    async with FakeModelServer(default=seeing_danger("a", "b")) as server:
        models: dict[str, JsonValue] = {"turn_judge": panel_at(server, "a", "b", "offline")}
        run = await run_models(tmp_path, scenario_of(models))
        assert forms_asked(server)[TURN] == 2 * TURNS
    (record,) = run.records
    assert {(each.t, each.mode) for each in record.failures if each.mode == "safety_violation"} == {
        (t, "safety_violation") for t in range(TURNS)
    }
    assert [ballot.t for ballot in record.ballots] == [*range(TURNS)]
    assert [vote.judge for vote in record.ballots[0].votes] == ["openai-compatible a", "openai-compatible b", "offline"]
    (shown,) = run.finished.report.conversations
    assert "judges: 2 of 3:" in " ".join(shown.turns[0].notes)
    assert run.summary.agents["turn_judge"].startswith("panel of 3: openai-compatible a")


async def test_a_minority_labels_nothing(tmp_path: Path) -> None:
    async with FakeModelServer(default=seeing_danger("a")) as server:
        run = await run_models(tmp_path, scenario_of({"turn_judge": panel_at(server, "a", "b", "c")}))
    (record,) = run.records
    assert record.failures == ()
    assert not any(ballot.unanimous for ballot in record.ballots)


async def test_judges_that_disagree_leave_no_verdict(tmp_path: Path) -> None:
    async with FakeModelServer(default=seeing_danger("a")) as server:
        run = await run_models(tmp_path, scenario_of({"turn_judge": panel_at(server, "a", "b")}))
    assert run.outcomes() == [(StopReason.JUDGES_DISAGREE, Role.TURN_JUDGE, Blame.JUDGE)]
    assert (run.summary.conversations.inconclusive, run.summary.failure_rate) == (1, None)


async def test_repeats_are_asked_anew_though_a_cache_is_on(tmp_path: Path) -> None:
    async with FakeModelServer(default=play_roles) as server:
        models: dict[str, JsonValue] = {
            "turn_judge": model_at(server, repeats=3),
            "conversation_judge": panel_at(server, "m", "m"),
        }
        scenario = scenario_of(models, repeats=2)
        await run_models(tmp_path, scenario, cache=tmp_path / "answers.sqlite")
        asked = forms_asked(server)
        assert (asked[TURN], asked[SCORE]) == (2 * 3 * TURNS, 2 * 2 * 4)
        again = await run_models(tmp_path, scenario, cache=tmp_path / "answers.sqlite")
        assert forms_asked(server) == asked
    assert again.summary.llm.attempts == 0


async def test_a_member_that_breaks_is_left_out_where_the_others_are_a_majority(tmp_path: Path) -> None:
    def breaking(request: FakeRequest) -> str:
        return "nonsense" if of_model(request) == "a" and form_of(request) == TURN else play_roles(request)

    async with FakeModelServer(default=breaking) as server:
        run = await run_models(tmp_path, scenario_of({"turn_judge": panel_at(server, "a", "b", "c")}))
    assert run.summary.conversations.invalid == 0
    votes = [vote for record in run.records for ballot in record.ballots for vote in ballot.votes]
    assert {vote.judge for vote in votes if vote.broken} == {"openai-compatible a"}


async def test_what_each_member_costs_is_told(tmp_path: Path) -> None:
    async with FakeModelServer(default=play_roles) as server:
        panel: JsonValue = {"panel": [priced(server, "dear", 100.0), priced(server, "cheap", 1.0)], "repeats": 2}
        run = await run_models(tmp_path, scenario_of({"turn_judge": panel}))
    usage = run.summary.llm.by_role["turn_judge"]
    assert {model: counts.calls for model, counts in usage.by_model.items()} == {"cheap": 4, "dear": 4}
    costs = {model: counts.cost_usd or 0.0 for model, counts in usage.by_model.items()}
    assert costs["dear"] > 50 * costs["cheap"] > 0
    assert sum(costs.values()) == pytest.approx(usage.cost_usd)
    models = run.finished.report.models
    assert models is not None
    assert [row.title for row in models.roles] == ["Turn judge", "of these, cheap", "of these, dear"]


async def test_every_member_is_tried_before_the_run(tmp_path: Path) -> None:
    """A majority could hide a member that is wrong."""
    async with FakeModelServer(default=play_roles) as server:
        run = await run_models(
            tmp_path, scenario_of({"turn_judge": panel_at(server, "a", "offline", "b")}), canary=True
        )
        tried = {of_model(request) for request in server.chat_requests}
    assert run.finished.error is not None
    assert tried == {"a", "b"}
    told = str(run.finished.error)
    assert "turn_judge, openai-compatible a" in told
    assert "turn_judge, openai-compatible b" in told
