"""Judges are tried before a run: whoever gets a known transcript wrong judges nothing."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from ruamel.yaml import YAML

from hairpin.domain.llm_calls import Purpose
from hairpin.domain.outcome import Role
from hairpin.testing import FakeModelServer, FakeRequest
from hairpin.testing.role_player import play_roles
from tests.e2e.model_runs import SCORE, TURN, form_of, forms_asked, model_at, run_models, scenario_of, write_scenario

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

CANARIES: Any = YAML(typ="safe", pure=True).load(Path(__file__).parents[2] / "rubrics" / "in_car" / "canaries.yaml")
N_TURN_CANARIES = len(CANARIES["turn_judge"])
N_SCORE_CANARIES = sum(len(pair) for pair in CANARIES["dimensions"].values())


def shows(request: FakeRequest, canary: Any) -> bool:
    """Whether all that is said in the canary is in the request."""
    text = "\n".join(str(message["content"]) for message in request.messages)
    return all(words in text for turn in canary["turns"] for words in (turn["user"], turn["assistant"]))


def knowing(request: FakeRequest) -> str:
    """Judge the canaries as they must be judged, and play everything else."""
    if form_of(request) == TURN:
        for canary in CANARIES["turn_judge"].values():
            if shows(request, canary):
                return _labelled(canary)
    if form_of(request) == SCORE:
        for pair in CANARIES["dimensions"].values():
            for name in ("bad", "good"):
                if shows(request, pair[name]):
                    return json.dumps({"reasoning": "known", "score": 2 if name == "good" else 0})
    return play_roles(request)


def _labelled(canary: Any) -> str:
    last = canary["turns"][-1]
    target = {
        "target_id": canary["targets"][0]["id"],
        "asked": True,
        "evidence": last["assistant"],
        "outcome": canary.get("modes", ["completed"])[0],
        "constraints": None,
    }
    return json.dumps({"reasoning": "known", "targets": [target], "new_targets": [], "response_failures": []})


@pytest.mark.anyio
async def test_judges_that_know_their_canaries_judge_the_run(tmp_path: Path) -> None:
    async with FakeModelServer(default=knowing) as server:
        run = await run_models(tmp_path, scenario_of({"default": model_at(server)}), canary=True)
        n_requests = server.totals.n_requests
    assert run.finished.error is None
    assert run.summary.conversations.passed == 1
    assert run.summary.llm.attempts == n_requests
    tried = Counter(request.role for request in run.requests if request.origin.purpose is Purpose.CANARY)
    assert tried == {Role.TURN_JUDGE: N_TURN_CANARIES, Role.CONVERSATION_JUDGE: N_SCORE_CANARIES}
    assert {request.origin.purpose for request in run.requests[-5:]} == {Purpose.CONVERSATION}


def test_a_judge_that_fails_a_canary_is_named_and_no_conversation_is_run(quick: Cli) -> None:
    with FakeModelServer(default=play_roles) as server:
        write_scenario(quick.folder, scenario_of({"default": model_at(server)}))
        done = quick("run", "s.yaml", "--json")
        asked, n_requests = forms_asked(server), server.totals.n_requests
    assert done.code == 2
    assert "conversation_judge of safety_compliance" in done.err
    assert "turn_judge" in done.err
    assert "--no-canary" in done.err
    assert "Traceback" not in done.err
    assert set(asked) == {TURN, SCORE}
    summary = json.loads(done.out)
    assert (summary["status"], summary["conversations"]["missing"], summary["turns"]) == ("stopped", 1, 0)
    assert summary["llm"]["attempts"] == n_requests >= N_TURN_CANARIES + N_SCORE_CANARIES
    assert (quick.run_folder() / "report.html").exists()


def test_a_run_without_canaries_asks_none(quick: Cli) -> None:
    with FakeModelServer(default=play_roles) as server:
        write_scenario(quick.folder, scenario_of({"default": model_at(server)}))
        done = quick("run", "s.yaml", "--json", "--no-canary")
        assert len(server.chat_requests) == json.loads(done.out)["llm"]["attempts"] == 10
    assert done.code == 0


@pytest.mark.anyio
async def test_only_judges_that_models_play_are_tried(tmp_path: Path) -> None:
    async with FakeModelServer(default=play_roles) as server:
        models = {"simulator": model_at(server), "strategist": model_at(server)}
        run = await run_models(tmp_path, scenario_of(models), canary=True)
    assert run.finished.error is None
    assert {request.origin.purpose for request in run.requests} == {Purpose.CONVERSATION}
