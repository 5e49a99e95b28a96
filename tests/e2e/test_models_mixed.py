"""Models beside offline agents: any role may be either."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import JsonValue

from hairpin.testing import FakeModelServer
from hairpin.testing.role_player import play_roles
from tests.e2e.model_runs import SCORE, TURN, forms_asked, model_at, run_models, scenario_of

pytestmark = pytest.mark.anyio

JUDGES = ("turn_judge", "conversation_judge")
DRIVERS = ("extractor", "simulator", "strategist")


@pytest.mark.parametrize("modelled", [JUDGES, DRIVERS, ("simulator",), ("conversation_judge",)], ids=" and ".join)
async def test_a_conversation_is_driven_and_judged_whoever_plays_what(
    tmp_path: Path, modelled: tuple[str, ...]
) -> None:
    async with FakeModelServer(default=play_roles) as server:
        models: dict[str, JsonValue] = {role: model_at(server) for role in modelled}
        run = await run_models(tmp_path, scenario_of(models, max_turns=3, repeats=2))
        asked = forms_asked(server)
    assert run.summary.conversations.completed == 2
    assert run.summary.conversations.invalid == 0
    assert {role for role, player in run.summary.agents.items() if player != "offline"} == set(modelled)
    assert set(run.summary.llm.by_role) == set(modelled)
    assert bool(asked[SCORE]) == ("conversation_judge" in modelled)
    assert bool(asked[TURN]) == ("turn_judge" in modelled)
    assert all(len(record.scores) == 4 for record in run.records)


async def test_one_role_may_be_kept_offline_beside_a_default(tmp_path: Path) -> None:
    async with FakeModelServer(default=play_roles) as server:
        run = await run_models(tmp_path, scenario_of({"default": model_at(server), "turn_judge": "offline"}))
        assert forms_asked(server)[TURN] == 0
    assert run.summary.agents["turn_judge"] == "offline"
    assert run.summary.conversations.invalid == 0
