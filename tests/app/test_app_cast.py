"""Who plays the roles: models, offline agents, nobody."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import pytest

from hairpin.agents.absent import AbsentRole
from hairpin.agents.offline.simulator import OfflineSimulator
from hairpin.agents.offline.turn_judge import OfflineTurnJudge
from hairpin.agents.panel import ConversationJudgePanel, TurnJudgePanel
from hairpin.app.cast import of_roles
from hairpin.app.inputs import RunInputs, load_inputs
from hairpin.domain.outcome import Role
from hairpin.domain.panels import PlayerKey, Seat
from hairpin.errors import InvalidInputError, UserError
from hairpin.ports import ChatModel

MODEL = "{provider: openai-compatible, base_url: 'http://127.0.0.1:9/v1', model: m}"
SIMULATED = "id: s\nsut: testbed\nseed_phrases: [Guide me to Marienplatz]\n"


def inputs_of(tmp_path: Path, text: str, *, files: Mapping[str, str] | None = None) -> RunInputs:
    for name, content in (files or {}).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    (tmp_path / "s.yaml").write_text(text, encoding="utf-8")
    return load_inputs(tmp_path / "s.yaml")


def test_without_models_every_role_is_offline(tmp_path: Path) -> None:
    cast = inputs_of(tmp_path, SIMULATED).cast
    assert set(cast.players.values()) == {"offline"}
    assert cast.line == "Offline agents play every role; no model is asked but the assistant under test."
    assert cast.canaries is None


def test_written_turns_without_judges_need_nobody(tmp_path: Path) -> None:
    text = "id: s\nsut: testbed\nturns: [{user: hello}]\nchecks: [{contains: hello}]\noracles: []\n"
    cast = inputs_of(tmp_path, text + f"models: {{default: {MODEL}}}\n").cast
    assert set(cast.players.values()) == {"nobody"}
    assert not cast.models
    assert "No agent takes part" in cast.line


def test_models_and_offline_agents_mix_role_by_role(tmp_path: Path) -> None:
    cast = inputs_of(tmp_path, SIMULATED + f"models: {{turn_judge: {MODEL}, conversation_judge: {MODEL}}}\n").cast
    assert cast.line == (
        "openai-compatible m plays turn judge, conversation judge. "
        "Offline: extractor, simulator, strategist, simulator reviewer."
    )
    assert isinstance(cast.offline.simulator, OfflineSimulator)
    assert isinstance(cast.offline.turn_judge, AbsentRole)
    assert cast.players["turn_judge"] == "openai-compatible m"
    assert set(cast.prompts) == {Role.TURN_JUDGE, Role.CONVERSATION_JUDGE}
    assert cast.canaries is not None


def test_a_language_that_offline_agents_lack_is_no_matter_where_models_play_every_role(tmp_path: Path) -> None:
    text = SIMULATED + "language: fi\n"
    with pytest.raises(InvalidInputError, match="do not speak 'fi'"):
        inputs_of(tmp_path, text)
    assert inputs_of(tmp_path, text + f"models: {{default: {MODEL}}}\n").scenario.language == "fi"


def test_a_prompt_of_the_users_own_is_read_whole_before_anything_runs(tmp_path: Path) -> None:
    system = "# System\n\n{{ persona }} {{ goal }} {{ situation }} {{ language }}\n"
    request = "# Request\n\n## First line\n\n{{ open_targets }} {{ plan }} {{ guidance }} {{ reason }}\n"
    broken = f"---\nid: user_simulator\nversion: 1\n---\n\n{system}\n{request}"
    with pytest.raises(UserError, match="Next line"):
        inputs_of(tmp_path, SIMULATED + f"models: {{simulator: {MODEL}}}\n", files={"agents/user_simulator.md": broken})


def test_what_the_turn_judge_is_told_counts_the_rubric(tmp_path: Path) -> None:
    cast = inputs_of(tmp_path, SIMULATED + f"models: {{default: {MODEL}}}\n").cast
    prompt = cast.prompts[Role.TURN_JUDGE]
    assert cast.prompt_chars[Role.TURN_JUDGE] > len(prompt.system) + len(prompt.request) + 2_000
    extractor = cast.prompts[Role.EXTRACTOR]
    assert cast.prompt_chars[Role.EXTRACTOR] == len(extractor.system) + len(extractor.request)


def test_default_plays_no_reviewer_of_simulated_users_unless_it_is_named(tmp_path: Path) -> None:
    """A call per conversation is not to be had unasked; who looks at the user then needs no lexicon."""
    spread = inputs_of(tmp_path, SIMULATED + f"language: de\nmodels: {{default: {MODEL}}}\n").cast
    assert spread.players["simulator_reviewer"] == "offline"
    assert spread.roles({}).simulator_reviewer is not None
    named = inputs_of(tmp_path, SIMULATED + f"models: {{simulator_reviewer: {MODEL}}}\n").cast
    assert named.players["simulator_reviewer"] == "openai-compatible m"
    assert named.prompts[Role.SIMULATOR_REVIEWER].id == "simulator_reviewer"


def test_a_scenario_can_do_without_the_review(tmp_path: Path) -> None:
    cast = inputs_of(tmp_path, SIMULATED + "simulator_review: false\n").cast
    assert cast.players["simulator_reviewer"] == "nobody"
    assert cast.roles({}).simulator_reviewer is None


PANEL = f"models: {{turn_judge: {{panel: [{MODEL}, offline], repeats: 2}}, conversation_judge: {{panel: [offline]}}}}\n"


class Unasked:
    """A model that plays a role, and is asked nothing."""

    name = "unasked"

    async def ask(self, *_: object, **__: object) -> NoReturn:
        raise AssertionError("nobody asks here")


def test_a_panel_sits_in_the_place_of_a_judge(tmp_path: Path) -> None:
    cast = inputs_of(tmp_path, SIMULATED + PANEL).cast
    label = "panel of 3: openai-compatible m 2 times, offline"
    assert (cast.players["turn_judge"], cast.players["conversation_judge"]) == (label, "panel of 1: offline")
    assert cast.line.startswith(
        f"The turn judge is a {label}. The conversation judge is a panel of 1: offline. Offline: "
    )
    seat = Seat(Role.TURN_JUDGE, 0)
    assert cast.models.keys() == {seat}
    models: dict[PlayerKey, ChatModel] = {seat: Unasked()}
    roles = cast.roles(models)
    assert isinstance(roles.turn_judge, TurnJudgePanel)
    assert [(each.name, each.votes, each.modelled) for each in roles.turn_judge.members] == [
        ("openai-compatible m", 2, True),
        ("offline", 1, False),
    ]
    assert isinstance(roles.turn_judge.members[1].judge, OfflineTurnJudge)
    judges = roles.conversation_judges
    assert {dimension.id for dimension in cast.rubric.dimensions} == judges.keys()
    assert all(isinstance(judge, ConversationJudgePanel) for judge in judges.values())
    assert cast.canaries is not None


def test_models_of_roles_are_told_from_those_of_seats() -> None:
    role, seat = Unasked(), Unasked()
    assert of_roles({Role.SIMULATOR: role, Seat(Role.TURN_JUDGE, 0): seat}) == {Role.SIMULATOR: role}
