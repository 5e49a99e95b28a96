"""Scenarios with test seeds and replays: resolved, dumped and read back, and what of them is in the fingerprint."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.domain.relations import MetamorphicSpec
from hairpin.domain.replay import Method, Perturbation
from hairpin.domain.scenario import Oracles, Scenario
from hairpin.domain.sut_spec import RecordedSut
from hairpin.domain.test_seeds import TestSeedsSource
from hairpin.errors import InvalidInputError
from hairpin.packs.campaign_forms import with_campaign
from hairpin.packs.imports import import_scenario
from hairpin.packs.scenarios import dump_scenario, load_scenario, scenario_fingerprint_parts
from tests.packs.pack_files import SCENARIO, built_in, load, problem, write

SEEDED = "id: demo\nsut: testbed\ntest_seeds: {file: ./s.jsonl, limit: 2}\n"


def resolved(tmp_path: Path, text: str = SEEDED, **overrides: str) -> Scenario:
    write(tmp_path / "user", {"s.jsonl": '{"questions": ["a"]}\n', "runs/x/run.sqlite": ""})
    return load(tmp_path, text, **overrides)


def reload(tmp_path: Path, scenario: Scenario) -> Scenario:
    file = write(tmp_path / "run", {"scenario.yaml": dump_scenario(scenario)}) / "scenario.yaml"
    return load_scenario(file, finder=built_in(tmp_path))


def test_a_scenario_with_test_seeds_is_replayed_as_in_the_paper_and_judged_by_nobody(tmp_path: Path) -> None:
    scenario = resolved(tmp_path)
    assert scenario.test_seeds == TestSeedsSource(file=str((tmp_path / "user").resolve() / "s.jsonl"), limit=2)
    assert scenario.metamorphic == MetamorphicSpec()
    assert scenario.oracles == Oracles(turn_judge=False, dimensions=False)
    assert (scenario.seed_phrases, scenario.strategies, scenario.checks) == ((), (), ())


def test_no_oracle_is_needed_where_relations_decide(tmp_path: Path) -> None:
    assert resolved(tmp_path, SEEDED + "oracles: []\n").metamorphic
    assert resolved(tmp_path, SCENARIO + "oracles: []\nmetamorphic: {}\n").metamorphic == MetamorphicSpec()
    assert "nothing could ever fail" in problem(tmp_path, SCENARIO + "oracles: []\n")


def test_a_scenario_without_either_has_neither(tmp_path: Path) -> None:
    assert (load(tmp_path).test_seeds, load(tmp_path).metamorphic) == (None, None)


def test_a_script_can_be_replayed(tmp_path: Path) -> None:
    text = "id: demo\nsut: testbed\nturns: [{user: a}, {user: b}]\nmetamorphic: {perturbations: [RS]}\n"
    scenario = resolved(tmp_path, text)
    assert scenario.metamorphic == MetamorphicSpec(perturbations=(Perturbation.RS,))
    assert scenario.oracles == Oracles()


def test_what_is_set_on_the_command_line_goes_before(tmp_path: Path) -> None:
    scenario = resolved(tmp_path, **{"metamorphic.ratio": "0.5", "metamorphic.baselines": "[metal]"})
    assert scenario.metamorphic == MetamorphicSpec(ratio=0.5, baselines=(Method.METAL,))
    limited = resolved(tmp_path, **{"test_seeds.limit": "1"}).test_seeds
    assert limited is not None
    assert limited.limit == 1
    said = problem(tmp_path, SEEDED, **{"metamorphic.ratio": "2"})
    assert said == "--set metamorphic.ratio: metamorphic.ratio must be less than 1, not 2; write a number less than 1"


@pytest.mark.parametrize(
    "text",
    [
        SEEDED,
        "id: demo\nsut: testbed\ntest_seeds: s.jsonl\n",
        SEEDED + "metamorphic: {perturbations: [RI], relations: [], baselines: [qaasker], encoder: ./model}\n",
        SCENARIO + "metamorphic: {epsilon: -0.5, alpha: 1e-05, encoder: {model: gte, device: cpu}}\n",
    ],
)
def test_a_dumped_scenario_loads_as_the_same_value(tmp_path: Path, text: str) -> None:
    scenario = resolved(tmp_path, text)
    assert reload(tmp_path, scenario) == scenario


def test_the_folder_of_an_encoder_is_below_that_of_the_scenario(tmp_path: Path) -> None:
    spec = resolved(tmp_path, SEEDED + "metamorphic: {encoder: ./model}\n").metamorphic
    assert spec is not None
    assert spec.encoder.model == str((tmp_path / "user").resolve() / "model")


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("none.jsonl", "s.yaml:3: file of test seeds 'none.jsonl' does not exist; did you mean 's.jsonl'?"),
        ("{file: none.jsonl, format: run}", "s.yaml:3: file of test seeds 'none.jsonl' does not exist"),
        ("{file: runs, format: coqa}", "s.yaml:3: file of test seeds 'runs' is a folder"),
        ("{file: s.jsonl, format: run}", "s.yaml:3: 's.jsonl' is no folder of a run; name the folder of the run"),
    ],
)
def test_a_file_that_is_none_is_refused_with_its_line(tmp_path: Path, entry: str, said: str) -> None:
    resolved(tmp_path)
    assert said in problem(tmp_path, SEEDED.replace("{file: ./s.jsonl, limit: 2}", entry))


@pytest.mark.parametrize("entry", ["runs/x", "{file: runs/x, format: run}"])
def test_the_folder_of_a_run_may_be_named(tmp_path: Path, entry: str) -> None:
    source = resolved(tmp_path, SEEDED.replace("{file: ./s.jsonl, limit: 2}", entry)).test_seeds
    assert source is not None
    assert source.file.endswith("runs/x")


def changed(tmp_path: Path, one: str, other: str) -> set[str]:
    before, after = (scenario_fingerprint_parts(resolved(tmp_path, text)) for text in (one, other))
    return {name for name in before if before[name] != after[name]}


@pytest.mark.parametrize(
    "other",
    [
        SEEDED.replace("limit: 2", "limit: 3"),
        SEEDED.replace("limit: 2", "max_questions: 2"),
        SEEDED + "metamorphic: {ratio: 0.4}\n",
        SEEDED + "metamorphic: {relations: [MR1]}\n",
        SEEDED + "metamorphic: {encoder: gte}\n",
    ],
)
def test_both_are_settings_of_the_fingerprint(tmp_path: Path, other: str) -> None:
    assert changed(tmp_path, SEEDED, other) == {"settings"}


@pytest.mark.parametrize(
    "other",
    [
        SEEDED.replace("limit: 2", "limit: 2, strict: true, format: questions"),
        SEEDED + "metamorphic: {}\n",
        SEEDED + "metamorphic: {encoder: {device: cpu, batch_size: 8}}\n",
    ],
)
def test_how_it_is_read_and_where_it_is_run_is_none(tmp_path: Path, other: str) -> None:
    assert changed(tmp_path, SEEDED, other) == set()


def test_another_folder_changes_nothing(tmp_path: Path) -> None:
    text = SEEDED + "metamorphic: {encoder: ./model}\n"
    one, other = (scenario_fingerprint_parts(resolved(tmp_path / name, text)) for name in ("one", "other"))
    assert one == other


def test_replays_are_told_from_plain_runs(tmp_path: Path) -> None:
    assert changed(tmp_path, SCENARIO, SCENARIO + "metamorphic: {}\n") == {"settings"}


def test_test_seeds_are_no_campaign(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="test seeds cannot be a campaign"):
        with_campaign(resolved(tmp_path), finder=built_in(tmp_path))


@pytest.mark.parametrize("stored", [False, True])
def test_recordings_judged_as_such_a_scenario_says_are_judged(tmp_path: Path, stored: bool) -> None:
    """What is recorded cannot be replayed, and needs the oracles that replays do without."""
    scenario = resolved(tmp_path, SEEDED + "language: de\n")
    write(tmp_path, {"chats.jsonl": "[]"})
    text = dump_scenario(scenario) if stored else SEEDED + "language: de\n"
    base = write(tmp_path / "user", {"base.yaml": text}) / "base.yaml"
    found = import_scenario(RecordedSut(file=str(tmp_path / "chats.jsonl")), finder=built_in(tmp_path), base=base)
    assert (found.test_seeds, found.metamorphic, found.oracles, found.language) == (None, None, Oracles(), "de")
