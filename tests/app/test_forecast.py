"""What a campaign's estimate says that its figures are of."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.app.campaign_inputs import CampaignChoices, load_campaign
from hairpin.app.forecast import estimate_line, estimate_of
from hairpin.app.inputs import load_inputs

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
