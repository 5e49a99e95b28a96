"""Campaigns from Python: the same as on the command line, with assistants that are Python objects."""

from __future__ import annotations

from pathlib import Path

import pytest

import hairpin
from hairpin.app.stored import open_stored
from hairpin.domain.campaign import CampaignSpec
from hairpin.errors import InvalidInputError, UserError

SCENARIO = "id: ride\nsut: testbed\nseed_phrases: [Guide me home, Find a bakery]\nmax_turns: 2\n"


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "s.yaml"
    path.write_text(SCENARIO)
    return path


def mute(utterance: str) -> str:
    return "No."


def polite(utterance: str) -> str:
    return "Of course."


def planned(result: hairpin.RunResult) -> list[tuple[int, str, str, str]]:
    rows = [conversation.planned for conversation in result.conversations()]
    return sorted((row.index, row.sut, row.arm.value, row.seed_phrase or "") for row in rows)


def campaign_of(result: hairpin.RunResult) -> CampaignSpec:
    with open_stored(result.path) as stored:
        assert stored.run_info().campaign
        spec = stored.scenario().campaign
    assert spec is not None
    return spec


def test_a_function_is_tested_in_both_arms(scenario: Path) -> None:
    result = hairpin.run_campaign(
        scenario, conversations=4, arms=["guided", "baseline"], split="count", sut=mute, out=scenario.parent / "runs"
    )
    assert set(result.summary.suts) == {"mute"}
    assert {arm: group.conversations.planned for arm, group in result.summary.arms.items()} == {
        "baseline": 2,
        "guided": 2,
    }
    assert list(campaign_of(result).suts) == ["mute"]


def test_assistants_by_label_are_numbered_in_their_order(scenario: Path) -> None:
    """The plan goes by the number of an assistant: it is the one that a campaign of these labels has."""
    suts = {"zeta": polite, "alpha": mute}
    result = hairpin.run_campaign(scenario, conversations=4, sut=suts, out=scenario.parent / "runs", fail_on="none")
    own = scenario.parent / "own.yaml"
    own.write_text(f"{SCENARIO}campaign: {{conversations: 4, suts: {{zeta: testbed, alpha: testbed}}}}\n")
    assert planned(result) == planned(hairpin.run_campaign(own, out=scenario.parent / "runs", fail_on="none"))
    assert {row[1] for row in planned(result)} == {"zeta", "alpha"}


def test_a_text_is_what_the_command_line_takes(scenario: Path) -> None:
    result = hairpin.run_campaign(scenario, conversations=2, sut="testbed,story", out=scenario.parent, fail_on="none")
    assert set(result.summary.suts) == {"testbed", "story"}


def test_time_is_a_duration_or_seconds(scenario: Path) -> None:
    for time in ("1h", 3600, 3600.0):
        result = hairpin.run_campaign(
            scenario, time, conversations=1, arms="guided", out=scenario.parent, fail_on="none"
        )
        assert campaign_of(result).time_s == 3600


def test_what_is_wrong_is_told_before_anything_runs(scenario: Path) -> None:
    with pytest.raises(InvalidInputError, match="time: must be a duration above 0, not '-1'"):
        hairpin.run_campaign(scenario, -1)
    with pytest.raises(InvalidInputError, match="nothing says when the campaign ends"):
        hairpin.run_campaign(scenario)
    with pytest.raises(InvalidInputError, match="'a:b' cannot be a label"):
        hairpin.run_campaign(scenario, "1s", sut={"a:b": mute})
    with pytest.raises(InvalidInputError, match="names no assistant"):
        hairpin.run_campaign(scenario, "1s", sut={})
    with pytest.raises(InvalidInputError, match="fail_on"):
        hairpin.run_campaign(scenario, "1s", fail_on="sometimes")
    with pytest.raises(ValueError, match="concurrency must be at least 1"):
        hairpin.run_campaign(scenario, "1s", concurrency=0)
    assert [path.name for path in scenario.parent.iterdir()] == ["s.yaml"]


@pytest.mark.anyio
async def test_inside_a_loop_the_async_form_is_named_and_works(scenario: Path) -> None:
    with pytest.raises(UserError, match=r"await hairpin\.arun_campaign"):
        hairpin.run_campaign(scenario, conversations=1)
    result = await hairpin.arun_campaign(scenario, conversations=1, out=scenario.parent, fail_on="none")
    assert result.summary.conversations.planned == 1
