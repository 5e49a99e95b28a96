"""``hairpin confirm`` as users type it: what it prints, with which exit code, and what it refuses."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Cli

SCENARIO = """\
id: ride
sut: ./wrong.py:Wrong
turns: [{user: Take me home, checks: [{contains: home}]}]
oracles: []
"""
WRONG = (
    "from hairpin import TextAdapter\n\nclass Wrong(TextAdapter):\n    def reply(self, utterance, start, history):\n"
)


@pytest.fixture
def failed(cli: Cli) -> Cli:
    """A folder with a run of one conversation, which failed."""
    cli.write("s.yaml", SCENARIO)
    cli.write("wrong.py", WRONG + "        return 'Where to?'\n")
    assert cli("run", "s.yaml", "--fail-on", "none").code == 0
    return cli


def test_what_trials_show_is_printed_and_the_exit_code_says_only_that_they_were_run(failed: Cli) -> None:
    """The run's gate would fail."""
    told = failed("confirm", "ride", "--rejudge", "2", "--replay", "2")
    assert told.code == 0
    first, bounds, second, report = told.out.splitlines()
    assert first == "c0001 ./wrong.py:Wrong: stable; judged again 2 of 2 (34 to 100 %), replayed 2 of 2 (34 to 100 %)"
    assert bounds == "in brackets: 95 % intervals of the share of trials that failed again"
    assert second == "1 of 1 failed conversations that were tried are confirmed (1 stable)"
    assert report.startswith("report: ")
    assert "c0001~replay2 ./wrong.py:Wrong: failed" in told.err
    summary = json.loads((failed.run_folder() / "summary.json").read_text())
    assert summary["confirmation"]["by_label"] == {"stable": 1}
    assert summary["conversations"]["planned"] == 1
    page = (failed.run_folder() / "report.html").read_text()
    assert "Confirmed failures" in page


def test_with_json_one_object_is_printed(failed: Cli) -> None:
    told = json.loads(failed("confirm", "ride", "c0001", "--rejudge", "1", "--replay", "0", "--json").out)
    assert told["summary"]["tried"] == 1
    (found,) = told["conversations"]
    assert (found["verdict"]["label"], found["verdict"]["missing"]) == ("undecided", "1 more rejudge trial")
    assert found["verdict"]["trials"][0]["kind"] == "rejudge"


def test_more_trials_than_a_conversation_has_numbers_for_are_refused_in_words(
    failed: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbers are used up by trials that broke, and by replays from a later turn on."""
    monkeypatch.setattr("hairpin.domain.confirming.MAX_TRIALS", 2)
    told = failed("confirm", "ride", "--rejudge", "3", "--replay", "0")
    assert told.code == 2
    assert "c0001 has had 0 rejudge trials; there can be 2; ask for fewer with --rejudge" in told.err


def test_a_trial_can_be_shown_and_says_how_it_ended(failed: Cli) -> None:
    failed("confirm", "ride", "--rejudge", "1", "--replay", "0")
    assert "TRIAL: failed: a check failed at turn 0" in failed("show", "ride", "c0001~rejudge1").out


def test_where_nothing_failed_there_is_nothing_to_confirm(cli: Cli) -> None:
    cli.write("s.yaml", SCENARIO)
    cli.write("wrong.py", WRONG + "        return 'Driving home'\n")
    cli("run", "s.yaml")
    told = cli("confirm", "ride")
    assert (told.code, told.out) == (0, "no conversation failed: there is nothing to confirm\n")


def test_an_assistant_that_changed_is_refused_unless_allowed(failed: Cli) -> None:
    failed.write("wrong.py", WRONG + "        return 'Where now?'\n")
    refused = failed("confirm", "ride")
    assert refused.code == 2
    assert "--allow-changed" in refused.err
    assert failed("confirm", "ride", "--rejudge", "0", "--replay", "1", "--allow-changed").code == 0


@pytest.mark.parametrize("arguments", [("ride", "c0009"), ("other",)])
def test_what_is_not_there_is_refused(failed: Cli, arguments: tuple[str, ...]) -> None:
    told = failed("confirm", *arguments)
    assert told.code == 2
    assert arguments[-1] in told.err


@pytest.fixture
def down(cli: Cli) -> Cli:
    """A folder with a run of two conversations, which failed, and whose assistant cannot be reached any more."""
    cli.write("s.yaml", SCENARIO)
    down = "        if Path('down').exists():\n            raise ConnectionRefusedError('nobody listens')\n"
    cli.write("wrong.py", "from pathlib import Path\n\n" + WRONG + down + "        return 'Where to?'\n")
    assert cli("run", "s.yaml", "--fail-on", "none", "--set", "repeats=2").code == 0
    cli.write("down", "")
    return cli


def test_what_is_judged_again_needs_no_assistant_and_is_done_while_it_is_down(down: Cli) -> None:
    """Of both conversations, though the trials of the first that ask it are planned before those of the second."""
    told = down("confirm", "ride", "--rejudge", "2", "--replay", "1", "--concurrency", "1")
    assert told.code == 3
    assert told.out.count("judged again 2 of 2") == 2
    assert told.out.count("replayed never") == 2
    assert "1 trial was not run; the same command goes on with it" in told.err


def test_an_assistant_that_is_down_by_now_is_told_with_exit_code_3(down: Cli) -> None:
    cli = down
    told = cli("confirm", "ride", "c0001", "--rejudge", "0", "--replay", "2", "--concurrency", "1")
    assert told.code == 3
    assert "cannot be reached" in told.err
    assert "1 trial was not run; the same command goes on with it" in told.err
    (cli.folder / "down").unlink()
    assert cli("confirm", "ride", "--rejudge", "0", "--replay", "2").code == 0
