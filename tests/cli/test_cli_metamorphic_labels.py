"""``hairpin metamorphic sample`` and ``precision``: from a run to files for people, and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hairpin.packs.detection_files import read_detections

if TYPE_CHECKING:
    from tests.cli.conftest import Cli
    from tests.cli.replay_runs import ReplayRuns


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def label(path: Path, out: Path, key: str, *labels: bool) -> None:
    rows = read(path)
    lines = [json.dumps({**row, key: labels[n % len(labels)]}) for n, row in enumerate(rows)]
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_violations_are_drawn_with_all_that_a_person_needs(cli: Cli, replays: ReplayRuns) -> None:
    told = cli("metamorphic", "sample", str(replays.narrow), "detections", "--number", "4", "--out", "d.jsonl")
    assert (told.code, told.out) == (0, "d.jsonl\n")
    assert "8 detections: write true or false for null at 'genuine'" in told.err
    rows = read(cli.folder / "d.jsonl")
    assert [row["method"] for row in rows] == ["rbt"] * 4 + ["mortar"] * 4
    assert all(row["genuine"] is None and row["answer"] and row["gold"] and row["reference_text"] for row in rows)


def test_the_same_seed_draws_the_same_and_another_one_others(cli: Cli, replays: ReplayRuns) -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        sample = ("metamorphic", "sample", str(replays.narrow), "contexts", "--number", "5", "--rng-seed", seed)
        assert cli(*sample, "--out", name).code == 0
    texts = [(cli.folder / name).read_text(encoding="utf-8") for name in "abc"]
    assert texts[0] == texts[1] != texts[2]


def test_contexts_and_answers_are_drawn_unlabelled(cli: Cli, replays: ReplayRuns) -> None:
    assert cli("metamorphic", "sample", str(replays.wide), "contexts", "--number", "6", "--out", "c.jsonl").code == 0
    assert cli("metamorphic", "sample", str(replays.wide), "answers", "--out", "a.jsonl").code == 0
    contexts, answers = read(cli.folder / "c.jsonl"), read(cli.folder / "a.jsonl")
    assert len(contexts) == 6
    assert all(row["equivalent"] is None and row["source"] != row["follow_up"] for row in contexts)
    assert [row["answer"] for row in answers] == ["the old mill", "40", "Jonas", "31", "the lighthouse"]
    assert all(row["correct"] is None and row["output"] for row in answers)


@pytest.mark.parametrize(
    ("what", "told_of"),
    [
        ("answers", "5000 answers were asked for, and there are only 5"),
        ("contexts", "5000 contexts were asked for, and there are only "),
        ("detections", "5000 detections of each method were asked for, and there are only "),
    ],
)
def test_fewer_items_than_asked_for_are_told(cli: Cli, replays: ReplayRuns, what: str, told_of: str) -> None:
    told = cli("metamorphic", "sample", str(replays.narrow), what, "--number", "5000", "--out", "x.jsonl")
    assert (told.code, told.out) == (0, "x.jsonl\n")
    assert told_of in " ".join(told.err.split())
    enough = cli("metamorphic", "sample", str(replays.narrow), what, "--number", "2", "--out", "y.jsonl")
    assert "asked for" not in enough.err


def test_precision_is_told_with_the_agreement_of_a_second_rater(cli: Cli, replays: ReplayRuns) -> None:
    cli("metamorphic", "sample", str(replays.narrow), "detections", "--number", "4", "--out", "d.jsonl")
    drawn = cli.folder / "d.jsonl"
    label(drawn, cli.folder / "one.jsonl", "genuine", True, True, True, False)
    label(drawn, cli.folder / "two.jsonl", "genuine", True, True, False, False)
    assert len(read_detections(drawn)) == 8
    told = cli("metamorphic", "precision", "one.jsonl", "two.jsonl")
    assert told.code == 0
    rows = [line.split() for line in told.out.splitlines() if line.startswith(("RBT", "MORTAR"))]
    expected = ["4", "3", "75.0", "%", "[30.1,", "95.4]", "0", "0.50"]
    assert rows == [["RBT", *expected], ["MORTAR", *expected]]


def test_precision_of_nothing_labelled_is_no_result(cli: Cli, replays: ReplayRuns) -> None:
    cli("metamorphic", "sample", str(replays.narrow), "detections", "--number", "2", "--out", "d.jsonl")
    told = cli("metamorphic", "precision", "d.jsonl")
    assert told.code == 3
    assert "nothing is labelled" in told.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["answer", "--out", "x"], "unknown sample 'answer'; did you mean 'answers'"),
        (["answers", "--out", "there"], "there: is there already"),
        (["answers", "--out", "no/x"], "there is no folder 'no'"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_written(
    cli: Cli, replays: ReplayRuns, arguments: list[str], message: str
) -> None:
    cli.write("there", "mine")
    told = cli("metamorphic", "sample", str(replays.narrow), *arguments)
    assert (told.code, told.out) == (2, "")
    assert message in told.err
    assert [path.name for path in cli.folder.iterdir()] == ["there"]
    assert (cli.folder / "there").read_text(encoding="utf-8") == "mine"


def test_a_run_without_replays_has_nothing_to_label(cli: Cli) -> None:
    cli.write("s.yaml", "id: s\nsut: testbed\nturns: [{user: hello}]\nchecks: [{contains: x}]\noracles: []\n")
    cli("run", "s.yaml")
    for what in ("detections", "contexts", "answers"):
        told = cli("metamorphic", "sample", str(cli.run_folder()), what, "--out", "x.jsonl")
        assert told.code == 2
        assert "there is nothing to label" in told.err
