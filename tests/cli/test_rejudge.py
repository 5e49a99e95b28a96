"""``hairpin rejudge`` and what ``compare`` says of its result, as users type them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

SCRIPT = """
    id: greeting
    sut: ./ica.py:answer
    oracles: []
    repeats: 3
    turns: [{user: hello, checks: [{contains: hello}]}]
"""


@pytest.fixture
def run(cli: Cli) -> str:
    """Return the name of a run of which nothing but its rows is left."""
    cli.write("s.yaml", SCRIPT)
    ica = cli.write("ica.py", "def answer(utterance: str) -> str:\n    return 'hello'\n")
    assert cli("run", "s.yaml").code == 0
    ica.unlink()
    return "greeting"


def test_it_ends_with_what_is_judged_differently(cli: Cli, run: str) -> None:
    same = cli("rejudge", run)
    assert same.code == 0
    assert "all exactly as before" in same.out
    assert "3 conversations of run " in same.err
    other = cli("rejudge", run, "--set", "checks=[{contains: snow}]")
    assert other.code == 1
    assert "pass    fail              3" in other.out
    assert "c0001 turn 0, Check failed: before not found; now check_failed" in other.out


def test_with_json_stdout_is_one_object(cli: Cli, run: str) -> None:
    answer = json.loads(cli("rejudge", run, "--json", "--conversation", "c0002").out)
    assert answer["summary"]["conversations"]["planned"] == 1
    assert (answer["judge_differences"]["n_conversations"], answer["judge_differences"]["identical"]) == (1, 1)


def test_compare_tables_the_judges_and_needs_no_leave_for_it(cli: Cli, run: str) -> None:
    cli("rejudge", run, "--set", "checks=[{contains: snow}]")
    told = cli("compare", run, "greeting-rejudged")
    assert told.code == 0
    assert "Both judge the same transcripts" in told.out
    assert "What is judged differently" in told.out
    found = json.loads(cli("compare", run, "greeting-rejudged", "--json").out)
    assert found["judge_differences"]["n_conversations"] == 3
    assert "## What is judged differently" in cli("compare", run, "greeting-rejudged", "--format", "md").out


def test_the_report_can_be_written_again_in_every_form(cli: Cli, run: str) -> None:
    cli("rejudge", run)
    answer = cli("report", "greeting-rejudged", "--format", "html,json,csv,junit,md", "--out", "again")
    assert answer.code == 0
    assert "What is judged differently" in (cli.folder / "again" / "report.html").read_text()
    assert "What is judged differently" in (cli.folder / "again" / "report.md").read_text()
    whole = json.loads((cli.folder / "again" / "report.json").read_text())
    assert whole["judge_differences"]["identical"] == 3
    assert (cli.folder / "again" / "tables" / "judged-verdicts.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere",), "unknown run 'nowhere'"),
        (("greeting", "--conversation", "c0009"), "unknown conversation 'c0009'"),
        (("greeting", "--set", "max_turns=3"), "plays no part where stored conversations are judged again"),
    ],
)
def test_what_is_wrong_exits_2_and_leaves_no_folder(
    cli: Cli, run: str, arguments: tuple[str, ...], message: str
) -> None:
    answer = cli("rejudge", *arguments)
    assert answer.code == 2
    assert message in answer.err
    assert len(list((cli.folder / "runs").iterdir())) == 1
