"""``hairpin compare`` as users type it: results on stdout, the exit code of the gate."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Cli
    from tests.cli.replay_runs import ReplayRuns

SCRIPT = """
    id: greeting
    sut: ./ica.py:answer
    repeats: 8
    turns: [{user: hello, checks: [{contains: hello}]}]
    oracles: []
"""
CAMPAIGN = """
    id: echoes
    sut: testbed
    seed_phrases: [hello there]
    max_turns: 1
    checks: [{contains: hello}]
    oracles: []
    campaign: {conversations: 16, suts: {good: "./ica.py:good", bad: "./ica.py:bad"}}
"""
ANSWER = "def answer(utterance: str) -> str:\n    return {!r}\n"


@pytest.fixture
def two_runs(cli: Cli) -> tuple[str, str]:
    """Return the folders of a good run and, after it, a bad one."""
    cli.write("s.yaml", SCRIPT)
    for folder, reply in (("good", "hello"), ("bad", "what?")):
        cli.write("ica.py", ANSWER.format(reply))
        cli("run", "s.yaml", "--fail-on", "none", "--out", folder)
    return tuple(str(next((cli.folder / folder).iterdir())) for folder in ("good", "bad"))  # type: ignore[return-value]


def test_a_regression_is_told_and_fails_only_if_that_is_asked_for(cli: Cli, two_runs: tuple[str, str]) -> None:
    told = cli("compare", *two_runs)
    assert told.code == 0
    assert "The second run is significantly worse in failed conversations, Check failed." in told.out
    assert cli("compare", *two_runs, "--fail-on-regression").code == 1
    assert cli("compare", *reversed(two_runs), "--fail-on-regression").code == 0
    assert cli("compare", *two_runs, "--fail-on-regression", "--alpha", "0.00001").code == 0


def test_with_json_stdout_is_json_alone(cli: Cli, two_runs: tuple[str, str]) -> None:
    told = cli("compare", *two_runs, "--json")
    assert json.loads(told.out)["scenario"] == "greeting"
    assert told.out == cli("compare", *two_runs, "--format", "json").out
    assert told.err == ""


def test_runs_that_differ_in_more_than_the_assistant_exit_2(cli: Cli, two_runs: tuple[str, str]) -> None:
    cli("run", "s.yaml", "--fail-on", "none", "--out", "other", "--set", "repeats=9")
    other = str(next((cli.folder / "other").iterdir()))
    refused = cli("compare", two_runs[0], other, "--fail-on-regression")
    assert (refused.code, refused.out) == (2, "")
    assert "settings (repeats)" in refused.err
    allowed = cli("compare", two_runs[0], other, "--allow-changed")
    assert allowed.code == 0
    assert "The testing differs, too, in: settings (repeats)" in " ".join(allowed.out.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--format", "xml"], "unknown format 'xml'"), (["--alpha", "2"], "--alpha: must be between 0 and 1")],
)
def test_a_wrong_option_exits_2(cli: Cli, arguments: list[str], message: str) -> None:
    told = cli("compare", "nowhere", "neither", *arguments)
    assert (told.code, told.out) == (2, "")
    assert message in told.err


def test_two_assistants_of_one_campaign_are_compared(cli: Cli) -> None:
    cli.write(
        "ica.py", "def good(text: str) -> str:\n    return text\n\n\ndef bad(text: str) -> str:\n    return 'What?'\n"
    )
    cli.write("c.yaml", CAMPAIGN)
    cli("campaign", "c.yaml", "--fail-on", "none")
    told = cli("compare", "echoes", "--suts", "good, bad", "--fail-on-regression")
    assert (told.code, told.err) == (1, "")
    assert "bad (B) is significantly worse in" in told.out
    assert cli("compare", "echoes", "--suts", "bad,good", "--fail-on-regression").code == 0
    unknown = cli("compare", "echoes", "--suts", "good,worst")
    assert (unknown.code, unknown.out) == (2, "")
    assert "has 'bad', 'good'" in unknown.err
    assert "write --suts bad,good, or name a second run" in cli("compare", "echoes").err


def test_runs_of_nothing_but_replays_are_refused_with_the_command_for_them(cli: Cli, replays: ReplayRuns) -> None:
    told = cli("compare", str(replays.narrow), str(replays.wide), "--allow-changed")
    assert (told.code, told.out) == (2, "")
    assert "holds nothing but replays, which have no verdict to be compared" in told.err
    assert "'hairpin metamorphic compare RUN RUN'" in told.err


def test_assistants_of_one_run_and_a_second_run_cannot_both_be_meant(cli: Cli, two_runs: tuple[str, str]) -> None:
    told = cli("compare", *two_runs, "--suts", "a,b")
    assert (told.code, told.out) == (2, "")
    assert "--suts: compares assistants of one run, and two are named" in told.err
