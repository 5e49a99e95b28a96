"""The scenario that judges stored conversations again: that of their run, with other judging if wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.domain.model_spec import OpenAiModel
from hairpin.domain.outcome import Role
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import RecordedSut
from hairpin.errors import HairpinError, InvalidInputError
from hairpin.packs.dump import dump_scenario
from hairpin.packs.finder import PackFinder
from hairpin.packs.rejudging import rejudging_scenario
from hairpin.packs.scenarios import load_scenario

FINDER = PackFinder.standard()
SUT = RecordedSut(file="recordings.jsonl", format="stored")
STORED = """
id: trip
sut: {provider: testbed, faults: [F1]}
seed_phrases: [Go home]
personas: [polite]
max_turns: 5
threshold: 0.5
models: {turn_judge: "openai/gpt-5", simulator: "openai/gpt-5-mini"}
checks: [{contains: home}]
confirm: {}
campaign: {conversations: 4, suts: {a: testbed, b: {provider: testbed, faults: [F2]}}}
"""


@pytest.fixture
def stored(tmp_path: Path) -> Scenario:
    path = tmp_path / "s.yaml"
    path.write_text(STORED)
    return load_scenario(path, finder=FINDER)


def again(stored: Scenario, **overrides: str) -> Scenario:
    values = {key.replace("__", "."): value for key, value in overrides.items()}
    return rejudging_scenario(stored, SUT, finder=FINDER, overrides=values)


def test_without_changes_it_judges_as_the_run_did(stored: Scenario) -> None:
    scenario = again(stored)
    assert (scenario.rejudges, scenario.recorded, scenario.sut) == (True, True, SUT)
    for part in ("rubric", "oracles", "models", "checks", "language", "seed_phrases", "personas", "strategies"):
        assert getattr(scenario, part) == getattr(stored, part)
    assert scenario.confirm is None
    assert scenario.campaign is not None
    assert scenario.campaign.suts == {}
    assert scenario.needed_roles == {Role.EXTRACTOR, Role.TURN_JUDGE, Role.CONVERSATION_JUDGE}
    assert set(scenario.modelled_roles) == {Role.TURN_JUDGE}


def test_it_is_stored_and_read_like_any_other(stored: Scenario, tmp_path: Path) -> None:
    scenario = again(stored)
    path = tmp_path / "again.yaml"
    path.write_text(dump_scenario(scenario))
    assert load_scenario(path, finder=FINDER) == scenario


def test_models_that_are_not_named_stay(stored: Scenario) -> None:
    models = again(stored, models__conversation_judge="openai/gpt-5-nano").models
    assert models == {**stored.models, Role.CONVERSATION_JUDGE: OpenAiModel(model="gpt-5-nano")}
    assert Role.TURN_JUDGE not in again(stored, models__turn_judge="offline").models
    everyone = again(stored, models__default="openai/gpt-5-nano").models
    assert everyone[Role.SIMULATOR] == everyone[Role.TURN_JUDGE] == OpenAiModel(model="gpt-5-nano")


def test_threshold_and_weights_are_those_of_the_rubric_of_the_run(stored: Scenario) -> None:
    scenario = again(stored, threshold="0.9", weights__targets="3")
    assert (scenario.rubric.threshold, scenario.rubric.weights.targets) == (0.9, 3)
    assert scenario.rubric.weights.dimensions == stored.rubric.weights.dimensions
    assert scenario.rubric.modes == stored.rubric.modes


def test_another_rubric_takes_the_place_of_that_of_the_run(stored: Scenario, tmp_path: Path) -> None:
    source = next(origin for origin in stored.origins if origin.kind == "rubric")
    found = rejudging_scenario(stored, SUT, finder=FINDER, rubric=source.name)
    assert found.rubric.threshold == 0.75  # the run's own threshold went with its rubric
    assert [origin for origin in found.origins if origin.kind == "rubric"] == [source]
    with pytest.raises(HairpinError, match="unknown rubric 'in_plane'"):
        rejudging_scenario(stored, SUT, finder=FINDER, rubric="in_plane")


def test_checks_oracles_and_what_judges_see_can_be_others(stored: Scenario) -> None:
    scenario = again(stored, checks="[{contains: snow}]", oracles="[dimensions]", judges_see_state="true")
    assert [check.name for check in scenario.checks] == ["contains 'snow'"]
    assert (scenario.oracles.turn_judge, scenario.oracles.dimensions, scenario.oracles.state) == (False, True, True)
    assert scenario.needed_roles == {Role.CONVERSATION_JUDGE}
    only_state = again(stored, judges_see_state="true").oracles
    assert (only_state.turn_judge, only_state.dimensions, only_state.state) == (True, True, True)


@pytest.mark.parametrize("key", ["sut", "seed_phrases", "max_turns", "personas", "rng_seed", "models2"])
def test_what_was_said_cannot_be_changed(stored: Scenario, key: str) -> None:
    with pytest.raises(InvalidInputError, match=f"--set {key}: plays no part") as caught:
        rejudging_scenario(stored, SUT, finder=FINDER, overrides={key: "1"})
    assert "what can be set: checks," in str(caught.value)


def test_a_wrong_value_is_said_of_its_setting(stored: Scenario) -> None:
    with pytest.raises(InvalidInputError, match=r"--set threshold"):
        again(stored, threshold="2")
