"""``hairpin compare`` as users type it: results on stdout, the exit code of the gate."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

SCRIPT = """
    id: greeting
    sut: ./ica.py:answer
    repeats: 8
    turns: [{user: hello, checks: [{contains: hello}]}]
    oracles: []
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
    assert "The second run is significantly worse in failed conversations, check_failed." in told.out
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
    assert "it differs all the same: settings (repeats)" in " ".join(allowed.out.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--format", "xml"], "unknown format 'xml'"), (["--alpha", "2"], "--alpha: must be between 0 and 1")],
)
def test_a_wrong_option_exits_2(cli: Cli, arguments: list[str], message: str) -> None:
    told = cli("compare", "nowhere", "neither", *arguments)
    assert (told.code, told.out) == (2, "")
    assert message in told.err
