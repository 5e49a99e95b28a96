"""What ``hairpin metamorphic`` starts from: a scenario, a file of test seeds, a stored run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hairpin.app.replay_inputs import FORMATS, ReplayChoices, load_replays
from hairpin.domain.replay import Perturbation
from hairpin.domain.sut_spec import FaultSpec, StorySut
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.store.directory import RunDirectory
from hairpin.store.runs import create_store
from tests.store.store_values import StandingClock, a_plan, a_run

if TYPE_CHECKING:
    from hairpin.app.inputs import RunInputs

LINE = '{"id": "d%d", "questions": ["Who is Mina?", "How old is she?", "Where does she live?"]}\n'
BASE = """\
id: base
sut: {provider: story, story: 3}
turns: [{user: hello}]
metamorphic: {perturbations: [RS], ratio: 0.5}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "mine.jsonl", LINE % 1 + LINE % 2)
    write(tmp_path, "base.yaml", BASE)
    write(tmp_path, "replays.yaml", "id: replays\nsut: story\ntest_seeds: ./mine.jsonl\n")
    write(tmp_path, "list.yaml", "- [Who is Mina?, How old is she?]\n")
    return tmp_path


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")


def seeds_of(found: RunInputs) -> list[tuple[str, int]]:
    assert found.test_seeds is not None
    return [(seed.id, len(seed.questions)) for seed in found.test_seeds.seeds]


def test_a_scenario_with_test_seeds_is_replayed_as_it_says() -> None:
    found = load_replays("replays.yaml", ReplayChoices(), overrides={"metamorphic.ratio": "0.25"})
    assert found.scenario.id == "replays"
    assert seeds_of(found) == [("d1", 3), ("d2", 3)]
    assert found.scenario.metamorphic is not None
    assert found.scenario.metamorphic.ratio == 0.25


def test_a_shipped_scenario_is_found_by_its_name() -> None:
    assert len(seeds_of(load_replays("story_metamorphic", ReplayChoices()))) == 6


def test_a_dataset_takes_its_assistant_from_an_option_and_all_else_from_the_defaults() -> None:
    found = load_replays("mine.jsonl", ReplayChoices(sut="story", limit=1, max_questions=2))
    assert seeds_of(found) == [("d1", 2)]
    assert found.scenario.id == "mine"
    assert found.scenario.metamorphic is not None
    assert len(found.scenario.metamorphic.perturbations) == 7


def test_the_assistant_of_an_option_may_be_all_that_a_scenario_can_say_of_one() -> None:
    found = load_replays("mine.jsonl", ReplayChoices(sut="{provider: story, story: 3, faults: [F11]}"))
    assert found.scenario.sut == StorySut(story=3, faults=(FaultSpec(id="F11"),))
    with pytest.raises(InvalidInputError, match=r"^--sut: unknown key 'stroy' in sut; did you mean 'story'"):
        load_replays("mine.jsonl", ReplayChoices(sut="{provider: story, stroy: 3}"))


def test_a_dataset_takes_settings_from_a_scenario_but_not_what_its_user_says() -> None:
    found = load_replays("mine.jsonl", ReplayChoices(base="base.yaml"))
    assert found.scenario.script == ()
    assert found.scenario.metamorphic is not None
    assert found.scenario.metamorphic.perturbations == (Perturbation.RS,)
    assert found.scenario.sut.model_dump()["story"] == 3


def test_a_scenario_that_lends_its_settings_may_say_who_judges_and_how_its_judges_are_tried(folder: Path) -> None:
    judged = "oracles: [turn_judge]\ncontexts: [{location: Munich}]\nconfirm: {rejudge: 2}\ncanaries: {}\n"
    write(folder, "judged.yaml", f"id: judged\nsut: {{provider: story, story: 3}}\nseed_phrases: [hello]\n{judged}")
    found = load_replays("mine.jsonl", ReplayChoices(base="judged.yaml")).scenario
    assert found.sut.model_dump()["story"] == 3
    assert (found.confirm, found.canaries) == (None, None)
    assert not found.oracles.turn_judge


def test_yaml_is_a_dataset_by_its_content_and_any_file_by_its_format() -> None:
    assert seeds_of(load_replays("list.yaml", ReplayChoices(sut="story")))[0][1] == 2
    assert seeds_of(load_replays("list.yaml", ReplayChoices(sut="story", form="questions")))[0][1] == 2
    assert "run" in FORMATS


def test_a_strict_reading_ends_at_a_broken_record(folder: Path) -> None:
    write(folder, "broken.jsonl", LINE % 1 + '{"id": "x", "questions": []}\n')
    assert seeds_of(load_replays("broken.jsonl", ReplayChoices(sut="story"))) == [("d1", 3)]
    with pytest.raises(InvalidInputError, match="questions"):
        load_replays("broken.jsonl", ReplayChoices(sut="story", strict=True))


@pytest.mark.anyio
async def test_a_folder_of_a_run_is_read_as_a_run_and_one_without_conversations_is_refused(folder: Path) -> None:
    directory = RunDirectory(folder / "r1")
    directory.path.mkdir()
    with create_store(directory.database, clock=StandingClock()) as store:
        await store.create_run(a_run())
        await store.add_plan(a_plan(1))
    with pytest.raises(InvalidInputError, match="r1"):
        load_replays("r1", ReplayChoices(sut="story"))


@pytest.mark.parametrize(
    ("chosen", "option"),
    [
        (ReplayChoices(sut="story"), "--sut"),
        (ReplayChoices(base="base.yaml"), "--scenario"),
        (ReplayChoices(limit=2), "--limit"),
        (ReplayChoices(max_questions=2), "--max-questions"),
        (ReplayChoices(strict=True), "--strict"),
    ],
)
def test_options_of_datasets_are_refused_for_a_scenario(chosen: ReplayChoices, option: str) -> None:
    with pytest.raises(InvalidInputError, match=rf"^{option}: is for datasets, and replays\.yaml is a scenario"):
        load_replays("replays.yaml", chosen)


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("./mime.jsonl", r"file of test seeds '.*mime\.jsonl' does not exist; did you mean 'mine\.jsonl'"),
        ("mime.json", r"file of test seeds '.*mime\.json' does not exist"),
        ("replay.yaml", r"scenario 'replay\.yaml' does not exist; did you mean 'replays\.yaml'"),
        (".", r"is a folder"),
    ],
)
def test_a_file_that_is_not_there_is_told_before_what_options_would_be_for(what: str, told: str) -> None:
    with pytest.raises(InvalidInputError, match=told):
        load_replays(what, ReplayChoices(sut="story"))


def test_a_scenario_without_test_seeds_says_where_it_is_replayed_instead() -> None:
    with pytest.raises(InvalidInputError, match=r"base\.yaml: the scenario has no test seeds .*'hairpin campaign'"):
        load_replays("base.yaml", ReplayChoices())


def test_a_dataset_without_an_assistant_and_one_that_is_none_are_refused(folder: Path) -> None:
    write(folder, "no.json", "{}")
    for what, chosen, message in (
        ("mine.jsonl", ReplayChoices(), "--sut: no assistant is named"),
        ("no.json", ReplayChoices(sut="story"), r"no\.json"),
        ("no.jsonl", ReplayChoices(), r"no\.jsonl"),
    ):
        with pytest.raises(InvalidInputError, match=message):
            load_replays(what, chosen)


def test_an_unknown_format_is_told_with_what_was_meant() -> None:
    with pytest.raises(UnknownReferenceError, match="--format: unknown format 'cocoa'"):
        load_replays("mine.jsonl", ReplayChoices(sut="story", form="cocoa"))
