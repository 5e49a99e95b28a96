"""The scenario that judges conversations made elsewhere: the default one, or the oracles of another."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.domain.sut_spec import RecordedSut, TestbedSut
from hairpin.errors import InvalidInputError
from hairpin.packs.dump import dump_scenario
from hairpin.packs.finder import PackFinder
from hairpin.packs.imports import import_scenario
from hairpin.packs.scenarios import load_scenario

FINDER = PackFinder.standard()
BASE = """
id: base
sut: testbed
seed_phrases: ["Go home", "Go to work"]
personas: [polite, impatient]
strategies: in_car/extended
max_turns: 3
contexts: [{location: Ulm}]
checks: [{contains: home}]
oracles: [turn_judge]
threshold: 0.5
judges_see_state: true
"""


@pytest.fixture
def sut(tmp_path: Path) -> RecordedSut:
    file = tmp_path / "My chats (2).jsonl"
    file.write_text("{}\n")
    return RecordedSut(file=str(file), strict=True, end_tokens=("[[over]]",))


def test_without_a_scenario_the_defaults_judge_and_the_file_gives_the_name(sut: RecordedSut) -> None:
    scenario = import_scenario(sut, finder=FINDER)
    assert (scenario.id, scenario.rubric.id, scenario.sut) == ("My_chats_2", "in_car", sut)
    assert (scenario.recorded, scenario.seed_phrases, scenario.strategies, scenario.checks) == (True, (), (), ())
    assert (scenario.oracles.turn_judge, scenario.oracles.dimensions) == (True, True)


def test_a_scenario_gives_its_oracles_and_not_its_user(sut: RecordedSut, tmp_path: Path) -> None:
    base = tmp_path / "base.yaml"
    base.write_text(BASE)
    scenario = import_scenario(sut, finder=FINDER, base=base)
    assert (scenario.id, scenario.sut, scenario.rubric.threshold) == ("base", sut, 0.5)
    assert (scenario.oracles.dimensions, scenario.oracles.state) == (False, True)
    assert [context.location for context in scenario.contexts] == ["Ulm"]
    assert [check.name for check in scenario.checks] == ["contains 'home'"]
    assert (scenario.seed_phrases, scenario.strategies, [persona.id for persona in scenario.personas]) == (
        (),
        (),
        ["neutral"],
    )


def test_a_scenario_of_a_stored_run_serves_too(sut: RecordedSut, tmp_path: Path) -> None:
    base = tmp_path / "base.yaml"
    base.write_text(BASE)
    stored = tmp_path / "scenario.yaml"
    stored.write_text(dump_scenario(load_scenario(base, finder=FINDER)))
    scenario = import_scenario(sut, finder=FINDER, base=stored)
    assert (scenario.sut, scenario.seed_phrases, scenario.recorded) == (sut, (), True)
    assert scenario.rubric.threshold == 0.5


def test_settings_go_before_what_the_scenario_and_the_file_say(sut: RecordedSut) -> None:
    scenario = import_scenario(sut, finder=FINDER, overrides={"sut.name": "my bot", "threshold": "0.9"})
    assert isinstance(scenario.sut, RecordedSut)
    assert (scenario.sut.name, scenario.rubric.threshold) == ("my bot", 0.9)


@pytest.mark.parametrize(
    ("rubric", "overrides", "what"),
    [
        ("no_such", {}, "--rubric: unknown rubric 'no_such'"),
        (None, {"threshold": "3"}, "--set threshold: "),
        (None, {"seed_phrases": "[a]"}, "--set seed_phrases: seed_phrases stands beside a recorded assistant"),
    ],
)
def test_what_is_wrong_is_told_where_it_was_said(
    sut: RecordedSut, rubric: str | None, overrides: dict[str, str], what: str
) -> None:
    with pytest.raises(InvalidInputError, match=what):
        import_scenario(sut, finder=FINDER, rubric=rubric, overrides=overrides)


def test_recorded_conversations_cannot_be_held_with_another_assistant(sut: RecordedSut, tmp_path: Path) -> None:
    file = tmp_path / "recorded.yaml"
    file.write_text(f"id: r\nsut: {{provider: recorded, file: '{Path(sut.file).name}'}}\n")
    stored = tmp_path / "stored.yaml"
    stored.write_text(dump_scenario(load_scenario(file, finder=FINDER)))
    for scenario in (file, stored):
        with pytest.raises(InvalidInputError, match="its conversations are recorded, replies included"):
            load_scenario(scenario, finder=FINDER, sut=TestbedSut())
