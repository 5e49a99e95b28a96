"""What users get wrong: a message with the place, the value and the way out; exit code 2, no traceback, no run."""

from __future__ import annotations

import os
from threading import Thread
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

BAD_SCENARIOS = {
    "unknown key": ("id: a\nsut: testbed\nseed_phrase: [x]\n", ("s.yaml:3", "'seed_phrase'", "seed_phrases")),
    "unknown strategy": (
        "id: a\nsut: testbed\nseed_phrases: [x]\nstrategies: in_car/papre\n",
        ("s.yaml:4", "papre", "paper"),
    ),
    "unknown persona": (
        "id: a\nsut: testbed\nseed_phrases: [x]\npersonas: [polit]\n",
        ("s.yaml:4", "'polit'", "'polite'"),
    ),
    "unknown rubric": ("id: a\nsut: testbed\nseed_phrases: [x]\nrubric: in_kar\n", ("s.yaml:4", "in_kar", "in_car")),
    "unknown fault": (
        "id: a\nsut: {provider: testbed, faults: [F99]}\nseed_phrases: [x]\n",
        ("F99", "did you mean 'F9'"),
    ),
    "broken yaml": ("id: a\nseed_phrases: [x\nsut: testbed\n", ("s.yaml:",)),
    "empty file": ("", ("s.yaml", "empty")),
    "duplicate key": ("id: a\nsut: testbed\nid: b\nseed_phrases: [x]\n", ("s.yaml:3", "'id'")),
    "empty seed phrase": ("id: a\nsut: testbed\nseed_phrases: ['  ']\n", ("s.yaml:3", "seed_phrases")),
    "no turn": ("id: a\nsut: testbed\nseed_phrases: [x]\nmax_turns: 0\n", ("s.yaml:4", "max_turns", "0")),
    "negative turns": ("id: a\nsut: testbed\nseed_phrases: [x]\nmax_turns: -1\n", ("s.yaml:4", "max_turns", "-1")),
    "threshold above 1": ("id: a\nsut: testbed\nseed_phrases: [x]\nthreshold: 1.5\n", ("s.yaml:4", "threshold", "1.5")),
    "threshold below 0": (
        "id: a\nsut: testbed\nseed_phrases: [x]\nthreshold: -0.1\n",
        ("s.yaml:4", "threshold", "-0.1"),
    ),
    "negative weight": (
        "id: a\nsut: testbed\nseed_phrases: [x]\nweights: {dimensions: -1}\n",
        ("s.yaml:4", "weights", "-1"),
    ),
    "all weights zero": (
        "id: a\nsut: testbed\nseed_phrases: [x]\nweights: {dimensions: 0, targets: 0}\n",
        ("s.yaml:4", "weights", "zero"),
    ),
    "role that does not exist": (
        "id: a\nsut: testbed\nseed_phrases: [x]\nmodels: {turn_juge: {provider: openai, model: m}}\n",
        ("s.yaml:4", "models", "turn_judge"),
    ),
    "language the agents lack": (
        "id: a\nsut: testbed\nseed_phrases: [x]\nlanguage: no\n",
        ("'no'", "offline agents"),
    ),
    "missing adapter file": ("id: a\nsut: ./gone.py:Ica\nseed_phrases: [x]\n", ("gone.py",)),
    "nothing that could fail": ("id: a\nsut: testbed\nturns: [{user: hi}]\noracles: []\n", ("oracles", "check")),
    "a regular expression that is none": (
        "id: a\nsut: testbed\nturns: [{user: hi}]\nchecks: [{regex: '('}]\n",
        ("s.yaml:4", "regex"),
    ),
}


@pytest.mark.parametrize("command", ["validate", "run"])
@pytest.mark.parametrize(("text", "said"), BAD_SCENARIOS.values(), ids=BAD_SCENARIOS.keys())
def test_a_bad_scenario_is_explained(cli: Cli, command: str, text: str, said: tuple[str, ...]) -> None:
    cli.write("s.yaml", text)
    answer = cli(command, "s.yaml")
    assert answer.code == 2
    assert answer.out == ""
    for words in said:
        assert words in answer.err
    assert not (cli.folder / "runs").exists()


def test_a_missing_file_and_a_folder_are_explained(cli: Cli) -> None:
    missing, folder = cli("run", "gone.yaml"), cli("run", str(cli.folder))
    assert (missing.code, folder.code) == (2, 2)
    assert "gone.yaml" in missing.err
    assert str(cli.folder) in folder.err


def test_a_misspelt_name_of_a_shipped_scenario_is_recognised(cli: Cli) -> None:
    answer = cli("run", "navigatoin")
    assert answer.code == 2
    assert "'navigation'" in answer.err


def test_a_file_that_is_not_utf_8_names_the_byte(cli: Cli) -> None:
    cli.write_bytes("s.yaml", "id: a\nsut: testbed\nseed_phrases: [Café]\n".encode("latin-1"))
    answer = cli("run", "s.yaml")
    assert answer.code == 2
    for words in ("s.yaml", "UTF-8", "byte"):
        assert words in answer.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--set", "max_turns"), ("--set", "KEY=VALUE")),
        (("--set", "max_turn=3"), ("--set", "max_turn", "max_turns")),
        (("--set", "max_turns=0"), ("--set max_turns", "0")),
        (("--set", "max_turns=1", "--set", "max_turns=2"), ("--set", "twice")),
        (("--fail-on", "anything"), ("--fail-on", "anything", "rate:0.2")),
        (("--fail-on", "rate:7"), ("--fail-on", "rate:7")),
        (("--packs", "gone"), ("--packs", "gone")),
        (("--out", "/proc/none"), ("/proc/none", "--out")),
    ],
)
def test_a_bad_option_is_explained(cli: Cli, arguments: tuple[str, ...], said: tuple[str, ...]) -> None:
    answer = cli("run", "munich_commute", *arguments)
    assert answer.code == 2
    for words in said:
        assert words in answer.err


def test_an_import_from_a_pipe_says_that_it_waits(cli: Cli) -> None:
    pipe = cli.folder / "chats"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(b"nothing\n",), daemon=True)
    writer.start()
    answer = cli("import", str(pipe))
    writer.join(5)
    assert answer.code == 2
    assert answer.err.startswith("reading from a pipe, until whoever writes to it closes it: ")


def test_an_unknown_run_conversation_or_format_is_explained(cli: Cli) -> None:
    cli.write("s.yaml", "id: a\nsut: testbed\nturns: [{user: hello}]\noracles: []\nchecks: [{regex: .}]\n")
    assert cli("run", "s.yaml").code == 0
    run = str(cli.run_folder())
    for arguments, said in (
        (("show", "nothing", "c0001"), ("nothing", "run")),
        (("show", run, "c0002"), ("c0002", "c0001")),
        (("report", run, "--format", "pdf"), ("pdf", "html")),
        (("report", str(cli.folder)), ("not a run directory",)),
        (("packs", "list", "personae"), ("personae", "persona")),
    ):
        answer = cli(*arguments)
        assert answer.code == 2
        for words in said:
            assert words in answer.err
