"""``hairpin campaign`` and ``hairpin resume`` as users type them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

SMALL = """
    id: small
    sut: testbed
    seed_phrases: [Guide me to Marienplatz, Set the temperature to 21 degrees]
    max_turns: 2
    oracles: [dimensions]
    strategies: []
"""


@pytest.fixture
def small(cli: Cli) -> Cli:
    cli.write("small.yaml", SMALL)
    return cli


def test_a_campaign_holds_as_many_conversations_as_asked_for_and_its_report_has_sections(small: Cli) -> None:
    answer = small("campaign", "small.yaml", "--conversations", "5", "--arms", "guided,baseline", "--json")
    summary = json.loads(answer.out)
    assert answer.code == 0
    assert summary["conversations"]["planned"] == 5
    assert {arm: found["conversations"]["planned"] for arm, found in summary["arms"].items()} == {
        "guided": 3,
        "baseline": 2,
    }
    page = (small.run_folder() / "report.html").read_text(encoding="utf-8")
    for section in ("overview", "comparison", "methods"):
        assert f'id="{section}"' in page


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "nothing says when the campaign ends"),
        (("--time", "soon"), "--time"),
        (("--time", "0s"), "--time"),
        (("--time", "1h", "--arms", "guided,guidde"), "did you mean 'guided'"),
        (("--time", "1h", "--split", "fair"), "--split"),
        (("--time", "1h", "--pairing", "double"), "--pairing"),
        (("--time", "1h", "--sut", "nowhere.py:X"), "--sut"),
        (("--conversations", "0"), "--conversations"),
        (("--time", "1h", "--store", "mysql://a/b"), "PostgreSQL"),
    ],
)
def test_what_cannot_be_is_refused_with_the_way_out(small: Cli, options: tuple[str, ...], said: str) -> None:
    answer = small("campaign", "small.yaml", *options)
    assert answer.code == 2
    assert said in answer.err
    assert not (small.folder / "runs").exists()


def test_a_script_cannot_be_a_campaign(cli: Cli) -> None:
    cli.write("script.yaml", "id: script\nsut: testbed\nturns: [{user: Hello}]\noracles: [dimensions]\n")
    answer = cli("campaign", "script.yaml", "--time", "1m")
    assert answer.code == 2
    assert "a script cannot be a campaign" in answer.err


def test_resuming_what_is_finished_does_nothing_and_says_the_same(small: Cli) -> None:
    first = small("campaign", "small.yaml", "--conversations", "3", "--json")
    before = (small.run_folder() / "run.sqlite").stat().st_size
    again = small("resume", "small", "--json")
    assert again.code == 0
    assert "the run is finished: nothing is left to do" in again.err
    assert json.loads(again.out)["conversations"] == json.loads(first.out)["conversations"]
    assert (small.run_folder() / "run.sqlite").stat().st_size <= before + 8192


def test_resuming_a_plain_run_finishes_it(small: Cli) -> None:
    small("run", "small.yaml")
    answer = small("resume", "small")
    assert answer.code == 0
    assert "planned       2 = 2 passed" in answer.out


def test_more_time_is_for_campaigns_that_have_a_time(small: Cli) -> None:
    small("run", "small.yaml")
    answer = small("resume", "small", "--time", "1h")
    assert answer.code == 2
    assert "--time" in answer.err


def test_a_run_is_not_gone_on_with_against_something_else_unless_that_is_meant(cli: Cli) -> None:
    cli.write("mine.py", "async def answer(utterance):\n    return 'ok'\n")
    cli.write("mine.yaml", SMALL.replace("testbed", "./mine.py:answer"))
    cli("campaign", "mine.yaml", "--time", "1s", "--fail-on", "none")
    cli.write("mine.py", "async def answer(utterance):\n    return 'changed'\n")
    refused = cli("resume", "small", "--time", "1s")
    assert refused.code == 2
    assert "sut_files" in refused.err
    assert "--allow-changed" in refused.err
    assert cli("resume", "small", "--time", "1s", "--allow-changed").code == 0
    log = (cli.run_folder() / "log.jsonl").read_text(encoding="utf-8")
    assert "resumed_although_changed" in log


def test_there_is_no_run_to_resume(cli: Cli) -> None:
    answer = cli("resume", "nothing")
    assert answer.code == 2
    assert "nothing" in answer.err


def test_the_estimate_of_a_campaign_runs_nothing(small: Cli) -> None:
    answer = small("campaign", "small.yaml", "--time", "4h", "--estimate")
    assert answer.code == 0
    assert "these figures are of one" in answer.err
    assert "12 conversations" in small("campaign", "small.yaml", "--conversations", "12", "--estimate").out
    assert not (small.folder / "runs").exists()


def test_the_estimate_tells_how_long_all_of_it_takes_and_has_the_turns_of_the_campaign(small: Cli) -> None:
    small.write("timed.yaml", SMALL + "    campaign: {time: 4h, runs: 2, arms: [guided, baseline]}\n")
    told = " ".join(small("campaign", "timed.yaml", "--estimate", "--sut", "testbed,story").out.split())
    assert "4 cells (2 runs × 2 assistants) one after another, 2 arms of 4h each: 32h in all at most" in told
    assert told.startswith("1 conversation of 2 to 8 turns"), "the baseline has M = 8"


def test_a_campaign_begins_by_telling_how_long_it_takes_and_what_may_not_be_meant(small: Cli) -> None:
    answer = small("campaign", "small.yaml", "--conversations", "1", "--runs", "2", "--time", "90s", "--json")
    assert json.loads(answer.out)["conversations"]["planned"] == 1
    assert "2 cells (2 runs × 1 assistant) one after another, 1 arm of 90s in each: 3m in all" in answer.err
    assert "1 conversation for 2 cells × 1 arm: the last 1 of these 2 get none" in answer.err


def test_of_a_scenario_with_a_campaign_the_plain_run_is_told_apart(small: Cli) -> None:
    small.write("timed.yaml", SMALL + "    campaign: {time: 1h, runs: 2, conversations: 1}\n")
    told = small("validate", "timed.yaml").out
    assert "small: valid; as a plain run: 2 conversations of at most 2 turns" in told
    assert "campaign: 2 cells (2 runs × 1 assistant) one after another, 1 arm of 1h in each: 2h in all at most" in told
    assert "campaign: 1 conversation for 2 cells × 1 arm" in told
    assert "small: valid; 2 conversations" in small("validate", "small.yaml").out


def test_tables_are_written_as_csv_and_markdown(small: Cli) -> None:
    small("campaign", "small.yaml", "--conversations", "4", "--arms", "guided,baseline")
    answer = small("report", "small", "--format", "csv,md")
    assert answer.code == 0
    folder = small.run_folder()
    assert (folder / "report.md").is_file()
    names = {path.name for path in Path(folder / "tables").iterdir()}
    assert any(name.endswith(".csv") for name in names)


def test_validating_a_scenario_tells_its_campaign(cli: Cli) -> None:
    answer = cli("validate", "campaigns/paper")
    assert answer.code == 0
    assert "campaign: guided and baseline; 6 runs against the scenario's own assistant; 1680 seed phrases" in answer.out


def test_an_assistant_of_a_campaign_that_cannot_be_built_is_found_by_validating(small: Cli) -> None:
    small.write("bad.yaml", SMALL + "    campaign: {time: 1m, suts: {a: testbed, b: './gone.py:X'}}\n")
    answer = small("validate", "bad.yaml")
    assert answer.code == 2
    assert "gone.py" in answer.err
