"""What differs between two judgements of the same words: only what takes part in judging them again is named."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import hairpin
from hairpin.app.comparison import compare_stored
from hairpin.app.judging_changes import changes_of_judging, judging_only
from hairpin.app.loop import run_in_loop
from hairpin.app.rejudging import load_rejudging
from hairpin.app.request import RunRequest
from hairpin.app.run import run_scenario
from hairpin.app.stored import open_stored
from hairpin.domain.model_spec import OpenAiModel
from hairpin.domain.outcome import Role
from hairpin.domain.records import RunInfo
from hairpin.domain.scenario import Scenario
from hairpin.reports.comparison import ChangedPart

SCENARIO = """
id: way
sut: testbed
seed_phrases: [Take me home]
strategies: in_car/paper
oracles: [turn_judge]
max_turns: 1
"""
EVERY_PART = (
    *(f"agent.{role}" for role in Role),
    *("prompt.user_simulator", "prompt.turn_judge", "prompt.strategist", "lexicon.in_car", "canaries.in_car"),
    *("packs", "personas", "strategies", "recordings", "test_seeds", "models", "rubric", "user_files", "hairpin"),
    "settings",
)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    (tmp_path / "s.yaml").write_text(SCENARIO)
    return hairpin.run(tmp_path / "s.yaml", out=tmp_path / "runs", fail_on="none").path


@pytest.fixture
def stored(run: Path) -> tuple[RunInfo, Scenario]:
    with open_stored(run) as found:
        return found.run_info(), found.scenario()


def named(before: Scenario, now: Scenario) -> list[str]:
    changes = [ChangedPart(part=part, detail="threshold", of_assistant=False) for part in EVERY_PART]
    return [change.part for change in changes_of_judging(changes, before, now)]


def with_models(scenario: Scenario, *roles: Role) -> Scenario:
    model = OpenAiModel(model="m")
    return scenario.model_copy(update={"models": dict.fromkeys(roles, model)})


def test_a_run_that_is_judged_again_as_it_was_differs_in_nothing(run: Path) -> None:
    """Its user and its strategies are nobody's now, and had no part in judging."""
    request = RunRequest(inputs=load_rejudging(run), out=run.parent)
    again = run_in_loop(lambda: run_scenario(dataclasses.replace(request, concurrency=1))).directory.path
    assert compare_stored(run, again).changes == ()


def test_of_two_judgements_only_what_judges_are_and_read_is_named(stored: tuple[RunInfo, Scenario]) -> None:
    run, scenario = stored
    offline = judging_only(run, scenario)
    assert named(offline, offline) == [
        "agent.extractor",
        "agent.turn_judge",
        "prompt.turn_judge",
        "lexicon.in_car",
        "rubric",
        "user_files",
        "hairpin",
        "settings",
    ]


def test_models_and_lexicon_are_named_where_judging_uses_them(stored: tuple[RunInfo, Scenario]) -> None:
    """A model of the user that was changed judges nothing; a lexicon that only the user speaks by neither."""
    run, scenario = stored
    asked = judging_only(run, with_models(scenario, Role.EXTRACTOR, Role.TURN_JUDGE))
    other_user = judging_only(run, with_models(scenario, Role.EXTRACTOR, Role.TURN_JUDGE, Role.SIMULATOR))
    assert not {"models", "lexicon.in_car"} & set(named(asked, other_user))
    assert {"models", "lexicon.in_car"} <= set(named(asked, judging_only(run, scenario)))
