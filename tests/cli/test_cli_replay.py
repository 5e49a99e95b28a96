"""``hairpin replay`` as users type it."""

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
    turns: [{user: hello, checks: [{contains: hello}]}, {user: bye, checks: [{contains: bye}]}]
"""
BROKEN = "if utterance == 'bye': raise RuntimeError('gone')\n    return utterance"


def answering(cli: Cli, body: str) -> None:
    cli.write_bytes("ica.py", f"def answer(utterance: str) -> str:\n    {body}\n".encode())


@pytest.fixture
def run(cli: Cli) -> str:
    cli.write("s.yaml", SCRIPT)
    answering(cli, "return 'hello'")
    assert cli("run", "s.yaml").code == 1
    return "greeting"


def test_what_comes_again_is_told_and_is_no_failed_gate(cli: Cli, run: str) -> None:
    answer = cli("replay", run, "c0001", "--times", "2")
    assert answer.code == 0
    assert "reproduced: 2 of 2" in answer.out
    assert "c0001~replay2" in answer.err
    assert "script_exhausted" in cli("show", run, "c0001~replay2").out


def test_a_mended_assistant_is_asked_only_with_leave_and_differs_by_turn(cli: Cli, run: str) -> None:
    answering(cli, "return utterance")
    refused = cli("replay", run, "c0001")
    assert refused.code == 2
    assert "--allow-changed" in refused.err
    answer = cli("replay", run, "c0001", "--allow-changed", "--from-turn", "1")
    assert answer.code == 0
    assert "not reproduced" in answer.out
    assert "  - hello\n  - [Check failed]\n  + bye\n" in answer.out
    assert "\x1b[" not in answer.out


def test_with_json_stdout_is_json_alone(cli: Cli, run: str) -> None:
    found = json.loads(cli("replay", run, "c0001", "--json").out)
    assert found["results"]["reproduced"]["number"] == 1
    assert found["replays"][0]["turns"][1]["after"] == "hello"


def test_the_command_that_a_report_gives_works(cli: Cli) -> None:
    cli.write("s.yaml", SCRIPT)
    answering(cli, BROKEN)
    told = cli("run", "s.yaml")
    (command,) = (line.strip() for line in told.out.splitlines() if line.strip().startswith("hairpin replay"))
    answer = cli(*command.split()[1:])
    assert answer.code == 0
    assert "reproduced: 1 of 1" in answer.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("c0009",), "unknown conversation 'c0009'"), (("c0001", "--from-turn", "7"), "its user has 2 turns")],
)
def test_what_cannot_be_said_again_exits_2(cli: Cli, run: str, arguments: tuple[str, ...], message: str) -> None:
    answer = cli("replay", run, *arguments)
    assert answer.code == 2
    assert message in answer.err


def test_no_verdict_at_all_exits_3(cli: Cli, run: str) -> None:
    answering(cli, "raise RuntimeError('gone')")
    answer = cli("replay", run, "c0001", "--allow-changed")
    assert answer.code == 3
    assert "came to no verdict" in answer.out
