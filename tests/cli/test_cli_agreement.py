"""``hairpin agreement``: stored runs, what people say of them in files and in the run, and what is refused."""

from __future__ import annotations

import json
import shutil
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from hairpin.cli import application

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

SCENARIO = """
    id: trip
    sut: testbed
    seed_phrases: ["Guide me to Marienplatz while avoiding toll roads"]
    max_turns: 2
    repeats: 2
"""
HEADER = "conversation,rater,instruction_adherence,context_handling,plan_coherence,safety_compliance,completed\n"
PEOPLE = f"{HEADER}c0001,ann,2,2,2,2,1\nc0001,bob,2,1,2,2,1\nc0002,ann,1,2,0,2,0.5\nc0002,bob,1,1,0,2,0.5\n"
RATINGS = "conversation,rater,x\nc1,ann,2\nc1,bob,2\nc2,ann,0\nc2,bob,1\nc3,ann,1\n"
QUICK = ("--resamples", "20")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run, the same judged again, and one of its conversations judged again alone."""
    folder = tmp_path_factory.mktemp("agreeing")
    scenario, runs = folder / "s.yaml", folder / "runs"
    scenario.write_text(textwrap.dedent(SCENARIO))
    invoke("run", str(scenario), "--fail-on", "none", "--out", str(runs))
    others = ("--conversation", "c0001", "--out", str(folder / "others"))
    invoke("rejudge", str(next_run(runs)), "--fail-on", "none", *others)
    invoke("rejudge", str(next_run(runs)), "--fail-on", "none", "--out", str(folder / "again"))
    return folder


def invoke(*arguments: str) -> None:
    result = CliRunner().invoke(application, list(arguments))
    assert result.exit_code == 0, result.output


def next_run(folder: Path) -> Path:
    (run,) = folder.iterdir()
    return run


@pytest.fixture
def judged(cli: Cli, made: Path) -> Cli:
    """A user's folder with these runs in it."""
    shutil.copytree(made, cli.folder, dirs_exist_ok=True)
    return cli


def run_in(cli: Cli, name: str) -> str:
    return str(next_run(cli.folder / name))


def test_a_run_and_its_rejudgement_stand_beside_people(judged: Cli) -> None:
    file = str(judged.write("people.csv", PEOPLE))
    answer = judged("agreement", run_in(judged, "runs"), run_in(judged, "again"), file, "--json", *QUICK)
    assert answer.code == 0, answer.err
    study = json.loads(answer.out)["study"]
    first, second, people, constant = study["rows"]
    assert [row["name"] for row in study["rows"]] == ["offline #1", "offline #2", "people", "constant guess"]
    assert {**first, "name": ""} == {**second, "name": ""}
    assert (people["kind"], constant["kind"]) == ("people", "constant")
    assert study["n_ratings"] == study["n_possible"] == 16
    assert study["verdicts"]["majorities"] == 2


def test_what_is_stored_in_the_run_counts_and_what_is_said_again_counts_once(judged: Cli) -> None:
    run, file = run_in(judged, "runs"), str(judged.write("people.csv", PEOPLE))
    assert judged("annotate", run, "--from", file).code == 0
    alone = judged("agreement", run, "--json", *QUICK)
    both = judged("agreement", run, file, "--json", *QUICK)
    assert alone.code == both.code == 0
    assert json.loads(alone.out)["study"] == json.loads(both.out)["study"]
    judged.write("people.csv", PEOPLE.replace("c0001,ann,2,2", "c0001,ann,2,0"))
    refused = judged("agreement", run, file)
    assert refused.code == 2
    assert "'ann' says two things of 'c0001': the score of 'context_handling' is 2 in" in refused.err


def test_runs_of_other_conversations_are_refused(judged: Cli) -> None:
    file = str(judged.write("people.csv", PEOPLE))
    answer = judged("agreement", run_in(judged, "runs"), run_in(judged, "others"), file)
    assert answer.code == 2
    assert "lacks c0002" in answer.err


def test_labels_of_single_failures_alone_give_their_precision(judged: Cli) -> None:
    file = str(judged.write("labels.csv", "conversation,rater,t,mode,holds\nc0001,ann,0,planning_poor,true\n"))
    answer = judged("agreement", run_in(judged, "runs"), file)
    assert answer.code == 0, answer.err
    assert "Nobody rated a whole conversation" in answer.out
    assert "Labelled failures that people call genuine" in answer.out


def test_people_alone_are_compared_without_a_run(cli: Cli) -> None:
    answer = cli("agreement", str(cli.write("r.csv", RATINGS)), "--weights", "linear", "--scale", "seen", *QUICK)
    assert answer.code == 0, answer.err
    assert "2 people, 3 conversations, 1 dimension: 5 of 6 possible scores." in answer.out
    words = " ".join(answer.out.split())
    assert "κ linear weights, on the levels that the two raters of each pair gave" in words
    assert "Where a judge's verdict" not in answer.out


def test_files_are_written_and_said(cli: Cli) -> None:
    answer = cli("agreement", str(cli.write("r.csv", RATINGS)), "--out", str(cli.folder / "made"), *QUICK)
    assert answer.code == 0, answer.err
    made = cli.folder / "made"
    assert {path.name for path in made.iterdir()} == {"agreement.html", "agreement.md", "agreement.json", "figures"}
    assert (made / "figures" / "agreement-kappa.svg").read_text().startswith("<?xml")
    assert "agreement.html" in answer.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--scale", "2,1"), "'2,1' is no scale"),
        (("--scale", "0,1"), "2 is not on the scale 0/1"),
        (("--threshold", "2"), "must be from 0 to 1, not 2"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(cli: Cli, arguments: tuple[str, ...], said: str) -> None:
    answer = cli("agreement", str(cli.write("r.csv", RATINGS)), *arguments)
    assert answer.code == 2
    assert said in answer.err


def test_nothing_to_compare_and_the_same_run_twice_are_refused(judged: Cli) -> None:
    run = run_in(judged, "runs")
    assert "nobody rates a conversation" in judged("agreement", run).err
    assert "named twice" in judged("agreement", run, run).err
    assert "does not exist" in judged("agreement", "missing.csv").err
