"""What a campaign's estimate says that its figures are of."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import hairpin
from hairpin.app.campaign_inputs import CampaignChoices, load_campaign
from hairpin.app.forecast import estimate_line, estimate_of
from hairpin.app.inputs import load_inputs
from hairpin.testing import FakeModelServer, FakeRequest, play_roles

TEXT = """
id: ride
sut: testbed
seed_phrases: [Guide me home]
campaign: {arms: [guided, baseline], max_turns: [3, 4], baseline: {max_turns: 2}}
"""


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "s.yaml"
    path.write_text(TEXT)
    return path


def test_a_timed_campaign_tells_its_duration_and_that_the_figures_are_of_one(scenario: Path) -> None:
    found = estimate_of(load_campaign(scenario, CampaignChoices(time="4h")))
    assert found.notes == (
        "campaign: 1 cell (1 run × 1 assistant), 2 arms of 4h each: 8h in all at most",
        "only time ends it, so these figures are of one conversation of either arm",
        "guided: 3 or 4 turns, at most",
        "baseline: 2 turns, all of them used and judged, no strategist",
    )
    assert (found.n_conversations, found.turns.low, found.turns.high) == (1, 2, 4)


def test_a_campaign_of_so_many_conversations_is_estimated_as_a_whole(scenario: Path) -> None:
    found = estimate_of(load_campaign(scenario, CampaignChoices(conversations=12)))
    assert found.n_conversations == 12
    assert not any("these figures are of one" in told for told in found.notes)


def test_a_plain_run_has_the_turns_of_the_scenario_and_nothing_to_add(scenario: Path) -> None:
    found = estimate_of(load_inputs(scenario), n_suts=2)
    assert (found.notes, found.n_conversations, found.turns.high) == ((), 2, 8)
    assert estimate_line(found).startswith("2 conversations; no model plays a role")


SEEDS = """
- {id: mill, story: Mina has a mill., questions: ['Who has a mill?', 'Who has hens?', 'Is she old?']}
- {id: hens, story: Omar has hens., questions: ['Who has hens?']}
"""


def test_test_seeds_have_the_turns_of_their_questions_and_replays_are_told(tmp_path: Path) -> None:
    (tmp_path / "seeds.yaml").write_text(SEEDS)
    spec = "{perturbations: [RS, RR], executions: 2, ratio: 0.5, null_replays: 1, baselines: [metal]}"
    path = tmp_path / "s.yaml"
    path.write_text(f"id: s\nsut: story\ntest_seeds: ./seeds.yaml\nmetamorphic: {spec}\n")
    found = estimate_of(load_inputs(path))
    assert (found.turns.low, found.turns.expected, found.turns.high) == (1, 2, 3)
    assert found.notes == (
        "replays: up to 10 follow-ups of these, 5 each, with about 16 questions in all",
        "and for each question some by metal",
    )


def test_conversations_of_a_campaign_that_are_replayed_are_estimated_with_their_replays(scenario: Path) -> None:
    scenario.write_text(f"{TEXT}metamorphic: {{perturbations: [RS]}}\n")
    found = estimate_of(load_campaign(scenario, CampaignChoices(conversations=12)))
    assert found.notes[-1].startswith("replays: up to 12 follow-ups of these, 1 each, with about ")


TRIED = f"{TEXT}confirm: {{rejudge: 3, replay: 2, resimulate: 1}}\ncanaries: {{share: 0.25}}\n"


def test_trials_are_told_with_what_they_depend_on_and_canaries_beside_them(scenario: Path) -> None:
    scenario.write_text(TRIED)
    found = estimate_of(load_campaign(scenario, CampaignChoices(conversations=12)))
    assert found.notes[-2:] == (
        "trials: 0 to 72, 6 (3 rejudge + 2 replay + 1 resimulate) of each conversation that fails; how many fail nobody"
        " knows before: none at the low end, 50% expected, all at the high end",
        "canaries: 2 to 4, if every conversation passes or fails; fewer follow if some do neither",
    )


def test_one_conversation_of_a_timed_campaign_gets_its_own_trials_and_perhaps_a_canary(scenario: Path) -> None:
    scenario.write_text(TRIED)
    trials, canaries = estimate_of(load_campaign(scenario, CampaignChoices(time="4h"))).notes[-2:]
    assert trials.startswith("trials: 0 to 6, 6 ")
    assert canaries.startswith("canaries: 0 to 1, ")


def test_a_plain_run_foresees_its_canaries_to_within_one(scenario: Path) -> None:
    scenario.write_text(TRIED.replace("canaries: {share: 0.25}", "canaries: {share: 1}"))
    found = estimate_of(load_inputs(scenario), n_suts=2)
    assert found.notes[-1].startswith("canaries: 2, ")


ROLES = ("extractor", "simulator", "strategist", "turn_judge", "conversation_judge", "simulator_reviewer")


def always_failing(request: FakeRequest) -> str:
    """Play every role, and find that no conversation went well."""
    answer = json.loads(play_roles(request))
    return json.dumps(answer | {"score": 0} if "score" in answer else answer)


@pytest.mark.parametrize(("player", "level"), [(play_roles, 0), (always_failing, 2)])
def test_a_run_takes_what_is_foreseen_where_none_or_all_fail(
    player: Callable[[FakeRequest], str], level: int, tmp_path: Path
) -> None:
    """Two turns are the least and the most, so that calls are foreseen to the last one."""
    text = """
id: ride
sut: testbed
seed_phrases: [Guide me home, Take me to Pasing]
max_turns: 2
confirm: {rejudge: 2, replay: 1, resimulate: 1}
models: {MODELS}
"""
    with FakeModelServer(default=player) as server:
        model = f'{{provider: openai-compatible, base_url: "{server.base_url}", model: m}}'
        path = tmp_path / "s.yaml"
        path.write_text(text.replace("MODELS", ", ".join(f"{role}: {model}" for role in ROLES)))
        foreseen = estimate_of(load_inputs(path), canary=False)
        summary = hairpin.run(path, out=tmp_path / "runs", canary=False).summary
    calls = {role.role.value: role.calls.at(level) for role in foreseen.roles}
    assert summary.llm is not None
    assert {role: usage.calls for role, usage in summary.llm.by_role.items()} == calls
