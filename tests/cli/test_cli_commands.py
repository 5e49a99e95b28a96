"""What each command prints and writes."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Cli
    from tests.cli.replay_runs import ReplayRuns

SCRIPT = """
    id: greeting
    title: Says hello
    sut: ./ica.py:answer
    turns:
      - user: hello
        checks: [{contains: hello}]
      - user: goodbye
        checks: [{contains: goodbye}]
    oracles: []
"""
ECHO = "def answer(utterance: str) -> str:\n    return utterance.upper()\n"
MUTE = "def answer(utterance: str) -> str:\n    return utterance.upper() if utterance == 'hello' else ''\n"


def test_a_run_that_passes_exits_0_and_leaves_a_folder_with_everything(cli: Cli) -> None:
    cli.write("s.yaml", SCRIPT)
    cli.write("ica.py", ECHO)
    answer = cli("run", "s.yaml")
    assert answer.code == 0
    assert "1 passed" in answer.out
    folder = cli.run_folder()
    assert str(folder.relative_to(cli.folder) / "report.html") in answer.out
    files = {path.name for path in folder.iterdir()}
    assert {"scenario.yaml", "run.sqlite", "log.jsonl", "summary.json", "report.html"} <= files
    assert [json.loads(line)["event"] for line in (folder / "log.jsonl").read_text().splitlines()] == [
        "run_started",
        "run_ended",
    ]


def test_a_run_that_fails_exits_1_and_says_where(cli: Cli) -> None:
    cli.write("s.yaml", SCRIPT)
    cli.write("ica.py", MUTE)
    answer = cli("run", "s.yaml")
    assert answer.code == 1
    assert "1 failed" in answer.out
    assert "turn 1" in answer.out
    assert "hairpin show" in answer.out


def test_the_same_failing_run_passes_where_nothing_is_to_fail_it(cli: Cli) -> None:
    cli.write("s.yaml", SCRIPT)
    cli.write("ica.py", MUTE)
    assert cli("run", "s.yaml", "--fail-on", "none").code == 0


def test_json_is_the_summary_alone(cli: Cli) -> None:
    cli.write("s.yaml", SCRIPT)
    cli.write("ica.py", ECHO)
    answer = cli("run", "s.yaml", "--json")
    assert json.loads(answer.out)["conversations"]["passed"] == 1
    assert answer.out == (cli.run_folder() / "summary.json").read_text()


def test_settings_of_the_scenario_can_be_overridden(cli: Cli) -> None:
    cli.write("s.yaml", SCRIPT)
    cli.write("ica.py", ECHO)
    answer = cli("run", "s.yaml", "--json", "--set", "repeats=3", "--set", "id=other")
    assert json.loads(answer.out)["conversations"]["planned"] == 3
    assert cli.run_folder().name.startswith("other-")


def test_show_prints_the_transcript_with_the_failure_on_its_turn(cli: Cli) -> None:
    cli.write("s.yaml", SCRIPT)
    cli.write("ica.py", MUTE)
    cli("run", "s.yaml")
    answer = cli("show", str(cli.run_folder()), "c0001")
    assert answer.code == 0
    first, second = answer.out.split("turn 1", 1)
    assert "HELLO" in first
    assert "Check failed" not in first
    assert "(no answer)" in second
    assert "Check failed" in second


def test_a_run_is_found_by_the_beginning_of_its_name(cli: Cli) -> None:
    cli.write("s.yaml", SCRIPT)
    cli.write("ica.py", ECHO)
    cli("run", "s.yaml")
    assert cli("show", "greeting", "c0001").code == 0


def test_of_several_runs_of_a_scenario_its_name_means_the_newest(cli: Cli) -> None:
    cli.write("s.yaml", SCRIPT)
    cli.write("ica.py", ECHO)
    cli("run", "s.yaml")
    cli.write("ica.py", MUTE)
    cli("run", "s.yaml")
    cli("run", "s.yaml", "--set", "id=greeting_long")
    answer = cli("show", "greeting", "c0001")
    assert answer.code == 0
    assert "(no answer)" in answer.out
    assert "the newest of 2 runs of 'greeting': runs/greeting-" in answer.err
    ambiguous = cli("show", "greet", "c0001")
    assert (ambiguous.code, ambiguous.out) == (2, "")
    assert "3 runs begin with 'greet'" in ambiguous.err


def test_show_without_a_conversation_lists_all_of_the_run(cli: Cli) -> None:
    cli.write("s.yaml", SCRIPT)
    cli.write("ica.py", MUTE)
    cli("run", "s.yaml", "--set", "repeats=2")
    answer = cli("show", "greeting")
    assert answer.code == 0
    first, second, _, how = answer.out.splitlines()
    assert first.startswith("c0001  failed")
    assert "a check failed at turn 1" in first
    assert second.startswith("c0002  failed")
    assert how.startswith("one of them: hairpin show runs/greeting-")
    assert how.endswith(" c0001")


def test_reports_are_written_again_from_the_rows_without_asking_the_assistant(cli: Cli) -> None:
    cli.write("s.yaml", SCRIPT)
    cli.write("ica.py", MUTE)
    cli("run", "s.yaml")
    (cli.folder / "ica.py").unlink()
    html = (cli.run_folder() / "report.html").read_text()
    run = str(cli.run_folder().relative_to(cli.folder))
    answer = cli("report", run, "--format", "html,json,junit", "--out", "again")
    assert answer.code == 1
    assert sorted(path.name for path in (cli.folder / "again").iterdir()) == ["junit.xml", "report.html", "report.json"]
    assert (cli.folder / "again" / "report.html").read_text() == html
    suite = ET.fromstring((cli.folder / "again" / "junit.xml").read_bytes())
    assert [case.find("failure") is not None for case in suite.iter("testcase")] == [True]
    assert json.loads((cli.folder / "again" / "report.json").read_text())["run_id"]


def test_validate_says_how_many_conversations_and_runs_nothing(cli: Cli) -> None:
    cli.write("s.yaml", SCRIPT)
    cli.write("ica.py", "raise_if_called = True\n\n\ndef answer(utterance: str) -> str:\n    raise AssertionError\n")
    answer = cli("validate", "s.yaml", "--set", "repeats=4")
    assert answer.code == 0
    assert "4 conversations of 2 turns\n" in answer.out
    assert not (cli.folder / "runs").exists()


@pytest.mark.parametrize("kind", ["persona", "strategy", "rubric", "scenario"])
def test_packs_list_shows_the_shipped_packs(cli: Cli, kind: str) -> None:
    shipped = {"persona": "impatient", "strategy": "in_car", "rubric": "in_car", "scenario": "munich_commute"}
    answer = cli("packs", "list", kind)
    assert answer.code == 0
    assert shipped[kind] in answer.out
    assert "built-in" in answer.out


def test_packs_of_the_users_own_folder_are_listed_first_and_shadow(cli: Cli) -> None:
    cli.write("agents/personas/polite.yaml", "version: 1\nid: polite\ntitle: Mine\ndescription: My own.\n")
    lines = [line for line in cli("packs", "list", "persona").out.splitlines() if " polite " in line]
    assert len(lines) == 2
    assert "Mine" in lines[0]
    assert "shadowed" in lines[1]


def test_the_first_line_says_who_plays_the_roles(cli: Cli) -> None:
    answer = cli("run", "munich_commute", "--set", "max_turns=2", "--fail-on", "none")
    assert "offline" in answer.err.splitlines()[0].lower()


def test_help_lists_the_commands_and_the_exit_codes(cli: Cli) -> None:
    answer = cli("--help")
    for word in ("demo", "run", "show", "report", "validate", "packs", "Exit codes"):
        assert word in answer.out


def test_the_version_is_printed(cli: Cli) -> None:
    answer = cli("--version")
    assert answer.code == 0
    assert answer.out.startswith("hairpin 0.")


def test_pools_of_seed_phrases_are_listed(cli: Cli) -> None:
    assert "in_car/7" in cli("packs", "list", "pool").out


def test_a_kind_without_packs_says_so(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hairpin.packs.listing.list_packs", lambda *_args, **_options: ())
    answer = cli("packs", "list", "pool")
    assert (answer.code, answer.out) == (0, "none\n")


def test_the_schema_of_scenarios_is_printed_for_editors(cli: Cli) -> None:
    answer = cli("schema")
    assert answer.code == 0
    assert {"id", "sut", "seed_phrases", "turns"} <= set(json.loads(answer.out)["properties"])


def test_violated_relations_are_listed_and_stand_at_the_turn_that_they_are_about(cli: Cli, replays: ReplayRuns) -> None:
    listed = cli("show", str(replays.wide)).out.splitlines()
    (line, *_) = (line for line in listed if re.search(r"it has part in \d+ violated relation", line))
    conversation, number = line.split()[0], int(re.findall(r"part in (\d+)", line)[0])
    shown = cli("show", str(replays.wide), conversation).out
    turn = shown[: shown.index("  !! VIOLATED ")].splitlines()
    assert [each for each in turn if each.startswith("turn ")]
    assert turn[-1].startswith(("  assistant  ", "     state   ", "             "))
    assert re.search(rf"^REPLAYED: no verdict; it has part in {number} violated relation", shown, re.MULTILINE)


def test_after_replays_the_terminal_names_violated_relations_and_how_to_see_them(cli: Cli, replays: ReplayRuns) -> None:
    settings = ("metamorphic.comparison=embedding", "metamorphic.executions=1")
    changed = [part for each in settings for part in ("--set", each)]
    answer = cli("metamorphic", str(replays.folder / "replays_0.6.yaml"), *changed)
    assert answer.code == 1
    assert re.search(r"^violated relations", answer.out, re.MULTILINE)
    found = re.findall(
        r'^  \w+ (?:L\d )?".*" answered ".*", compared with ".*"\n    (hairpin show .*)$', answer.out, re.M
    )
    assert 1 <= len(found) <= 3
    for command in found:
        assert "  !! VIOLATED " in cli(*shlex.split(command)[1:]).out
    assert "note: ε = 0.6 was found for another encoder" in answer.out
    assert "\n\n\nreport: " not in answer.out
    assert "\n\nreport: " in answer.out
    assert "replayed (" not in answer.err
