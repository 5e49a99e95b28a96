"""``hairpin metamorphic compare``, and every check of a run in ``hairpin report``."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Cli
    from tests.cli.replay_runs import ReplayRuns


_AFTER = ("(", "Rate⁺ is", "Levels and", "Coefficient")
"""How what follows the rows of a table begins: reasons and notes."""


def lines_of(text: str, title: str) -> list[list[str]]:
    """Return the rows of the table under ``title``, without its header."""
    table = text[text.index(f"\n{title}\n") :].strip().splitlines()
    rows = []
    for line in table[2:]:
        if not line or line.startswith(_AFTER):
            break
        rows.append(line.split("  "))
    return [[cell.strip() for cell in row if cell.strip()] for row in rows]


def test_runs_that_differ_in_their_ratio_are_joined_and_shown_by_ratio(cli: Cli, replays: ReplayRuns) -> None:
    told = cli("metamorphic", "compare", str(replays.wide), str(replays.narrow))
    assert told.code == 0
    names = ["story (ratio 0.6)", "story (ratio 0.3)"]
    methods = lines_of(told.out, "Bugs by method")
    assert [row[:2] for row in methods] == [[name, "MORTAR"] for name in names]
    ratios = lines_of(told.out, "Bugs by the share of questions that is left out or asked twice")
    assert [row[:3] for row in ratios] == [["story", names[1], "0.30"], ["story", names[0], "0.60"]]
    assert {tuple(row[3:5]) for row in ratios} == {tuple(row[3:5]) for row in methods}


def test_one_assistant_at_two_ratios_is_one_and_varies_over_no_assistants(cli: Cli, replays: ReplayRuns) -> None:
    told = cli("metamorphic", "compare", str(replays.narrow), str(replays.wide))
    assert told.out.startswith("1 assistant replayed in 2 runs: story (ratio 0.3), story (ratio 0.6)\n")
    assert "varies over assistants" not in told.out


def test_rates_vary_over_assistants_that_differ(cli: Cli, replays: ReplayRuns) -> None:
    scenario = replays.folder / "replays_0.3.yaml"
    assert cli("metamorphic", str(scenario), "--set", "sut.faults=[F10]", "--fail-on", "none").code == 0
    told = cli("metamorphic", "compare", str(replays.narrow), str(cli.run_folder()))
    assert told.out.startswith("2 assistants replayed: story (")
    variation = lines_of(told.out, "How much Rate⁺ varies over assistants")
    assert [row[0] for row in variation] == ["RBT", "MORTAR"]


def test_the_numbers_are_those_of_the_runs_themselves(cli: Cli, replays: ReplayRuns) -> None:
    compared = lines_of(cli("metamorphic", "compare", str(replays.narrow), str(replays.wide)).out, "Bugs by method")
    for run, row in zip((replays.narrow, replays.wide), compared, strict=True):
        found = json.loads((run / "summary.json").read_text(encoding="utf-8"))["metamorphic"]
        counts = [found[relation] for relation in ("MR1", "MR2", "MR3", "MR4")]
        assert row[3:5] == [str(sum(each[key] for each in counts)) for key in ("checks", "violations")]
        assert int(row[4]) > 0


@pytest.mark.parametrize("name", ["cmp.md", "cmp.html"])
def test_the_comparison_is_written_with_its_figures(cli: Cli, replays: ReplayRuns, name: str) -> None:
    told = cli("metamorphic", "compare", str(replays.narrow), str(replays.wide), "--out", name)
    assert told.out.endswith(f"\n{name}\n")
    text = (cli.folder / name).read_text(encoding="utf-8")
    assert "story (ratio 0.3)" in text
    figures = [path.name for path in cli.folder.glob("figures/*.svg")]
    if name.endswith(".md"):
        assert "bugs-by-ratio.svg" in figures
        assert all(f"(figures/{figure})" in text for figure in figures)
    else:
        assert (figures, "<svg" in text) == ([], True)


def test_runs_that_count_other_things_as_bugs_are_refused(cli: Cli, replays: ReplayRuns) -> None:
    scenario = replays.folder / "replays_0.3.yaml"
    given = ("--set", "metamorphic.epsilon=0.7", "--set", "metamorphic.relations=[MR1, MR2]")
    assert cli("metamorphic", str(scenario), *given, "--fail-on", "none").code == 0
    told = cli("metamorphic", "compare", str(replays.narrow), str(cli.run_folder()))
    assert (told.code, told.out) == (2, "")
    assert (
        "they differ in what decides what is a bug: epsilon 0.6 and 0.7; relations MR1, MR2, MR3, MR4 and" in told.err
    )


def test_what_explains_a_difference_is_told(cli: Cli, replays: ReplayRuns) -> None:
    scenario = replays.folder / "replays_0.3.yaml"
    given = ("--set", "metamorphic.executions=1", "--set", "test_seeds.max_questions=3")
    text = scenario.read_text(encoding="utf-8").replace("test_seeds: ./", "test_seeds: {file: ./")
    cli.write("s.yaml", text.replace("seeds.jsonl", "seeds.jsonl}"))
    cli.write("seeds.jsonl", (replays.folder / "seeds.jsonl").read_text(encoding="utf-8"))
    assert cli("metamorphic", "s.yaml", *given, "--fail-on", "none").code == 0
    told = cli("metamorphic", "compare", str(replays.narrow), str(cli.run_folder()))
    assert told.code == 0
    assert "do not have the same test seeds: 0 of 2 are in all of them" in told.out
    assert "The runs differ in executions: compare rates" in told.out
    assert f"story ({replays.narrow.name})" in told.out
    assert "bugs-by-ratio" not in told.out


def test_fewer_than_two_runs_twice_the_same_and_a_file_that_is_there_are_refused(cli: Cli, replays: ReplayRuns) -> None:
    cli.write("there.md", "mine")
    one, two = str(replays.narrow), str(replays.wide)
    for arguments, message in (
        ([one], "there is only one run"),
        ([one, one], "are the same run"),
        ([one, two, "--out", "there.md"], "is there already"),
        ([one, two, "--out", "x.pdf"], "unknown file ending '.pdf'; known: '.html', '.md'"),
    ):
        told = cli("metamorphic", "compare", *arguments)
        assert (told.code, told.out) == (2, "")
        assert message in told.err


def test_the_report_of_a_run_has_every_check_as_csv_and_json(cli: Cli, replays: ReplayRuns) -> None:
    told = cli("report", str(replays.narrow), "--format", "csv,json", "--out", "rep", "--fail-on", "none")
    assert told.code == 0
    tables = cli.folder / "rep" / "tables"
    checks, contexts = (
        list(csv.DictReader(io.StringIO((tables / name).read_text(encoding="utf-8"), newline="")))
        for name in ("relation-checks.csv", "context-checks.csv")
    )
    summary = json.loads((replays.narrow / "summary.json").read_text(encoding="utf-8"))["metamorphic"]
    for relation in ("RBT", "MR1", "MR2", "MR3", "MR4"):
        own = [row["Result"] for row in checks if row["Relation"] == relation]
        assert own.count("violated") == summary[relation]["violations"]
        assert len(own) - own.count("not applicable") == summary[relation]["checks"]
    (family,) = json.loads((cli.folder / "rep" / "report.json").read_text(encoding="utf-8"))["replay_families"]
    assert len(family["relation_checks"]) == len(checks)
    assert len(family["context_checks"]) == len(contexts) > 0
    assert {row["Decided by"] for row in contexts} >= {"same_prefix", "similarity"}


def test_unchanged_replays_show_what_stands_out_from_noise(cli: Cli, replays: ReplayRuns) -> None:
    assert "Violations beyond noise" not in cli("metamorphic", "compare", str(replays.narrow), str(replays.wide)).out
    scenario = replays.folder / "replays_0.3.yaml"
    assert cli("metamorphic", str(scenario), "--set", "metamorphic.null_replays=2", "--fail-on", "none").code == 0
    told = cli("metamorphic", "compare", str(replays.narrow), str(cli.run_folder()))
    assert told.code == 0
    assert "Violations beyond noise" in told.out
    assert "The runs differ in null_replays: compare rates" in told.out
