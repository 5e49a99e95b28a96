"""``hairpin lint``, and what ``validate`` and ``packs check`` say of the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

ECHOED = """
    id: s
    sut: testbed
    turns:
      - user: Is there a toll?
        checks: [{contains: toll}]
    oracles: []
"""


def test_findings_have_their_line_and_are_warnings_unless_strict(cli: Cli) -> None:
    cli.write("s.yaml", ECHOED)
    answer = cli("lint", "s.yaml")
    assert answer.code == 0
    assert "s.yaml:6: contains 'toll' is met by the user's own words [check-passes-echo]" in answer.out
    assert answer.out.endswith("1 found in 1 file\n")
    assert cli("lint", "s.yaml", "--strict", "--no-idle").code == 1


def test_json_is_the_result_alone(cli: Cli) -> None:
    cli.write("s.yaml", ECHOED)
    answer = cli("lint", "s.yaml", "--no-idle", "--json", "--strict")
    found = json.loads(answer.out)
    assert (answer.code, found["findings"][0]["rule"]) == (1, "check-passes-echo")


def test_validate_warns_and_fails_only_when_strict(cli: Cli) -> None:
    cli.write("s.yaml", ECHOED)
    answer = cli("validate", "s.yaml")
    assert answer.code == 0
    assert "s: valid" in answer.out
    assert "warning: s.yaml:6:" in answer.err
    assert cli("validate", "s.yaml", "--strict").code == 1
    assert cli("validate", "munich_commute", "--strict").code == 0


def test_packs_here_are_checked(cli: Cli) -> None:
    assert cli("packs", "check").out == "no packs here\n"
    cli.write("scenarios/pools/own.yaml", "id: own\nphrases: [Take me home, Hello]\n")
    answer = cli("packs", "check", "--strict")
    assert answer.code == 1
    assert answer.out.startswith("warning: ")
    assert "/scenarios/pools/own.yaml:2: the seed phrase 'Hello' asks for nothing" in answer.out
    assert cli("lint").out.endswith("1 found in 1 file\n")


def test_what_is_not_there_is_told(cli: Cli) -> None:
    answer = cli("lint", "nowhere")
    assert (answer.code, "unknown scenario 'nowhere'" in answer.err) == (2, True)


def test_a_file_that_is_not_valid_hides_nothing_of_the_others(cli: Cli) -> None:
    cli.write("s.yaml", ECHOED)
    cli.write("broken.yaml", "id: [")
    (cli.folder / "folder.yaml").mkdir()
    answer = cli("lint", "broken.yaml", "folder.yaml", "s.yaml", "nowhere", "--no-idle")
    assert answer.code == 2
    assert "s.yaml:6: contains 'toll'" in answer.out
    assert answer.out.endswith("1 found in 1 file, 3 not valid\n")
    assert [line.partition(":")[2].split(":")[0].strip() for line in answer.err.splitlines()] == [
        "broken.yaml",
        "folder.yaml",
        "nowhere",
    ]
    found = json.loads(cli("lint", "broken.yaml", "s.yaml", "--no-idle", "--json").out)
    assert (len(found["findings"]), len(found["invalid"])) == (1, 1)


def test_a_pack_that_is_not_valid_hides_nothing_of_the_others(cli: Cli) -> None:
    cli.write("scenarios/pools/own.yaml", "id: own\nphrases: [Take me home, Hello]\n")
    cli.write("rubrics/own/rubric.yaml", "id: own\ntitel: Own\n")
    cli.write("strategies/own.yaml", "id: own\nstrategies: [{id: tease, title: Tease, target_mode: rude}]\n")
    cli.write("agents/personas/own.yaml", "id: other\ntitle: Own\ndescription: d\n")
    for command in (("packs", "check"), ("lint",)):
        answer = cli(*command)
        assert answer.code == 2
        assert "own.yaml:2: the seed phrase 'Hello' asks for nothing" in answer.out
        assert "rubric.yaml:2: unknown key 'titel'" in answer.err
        assert "id must be 'own' like the name of the file, not 'other'" in answer.err
        assert "aims at" not in answer.out, "what the rubric defines nobody knows"
        assert "own.yaml: no valid rubric defines what its strategies aim at ('tease' at 'rude')" in answer.err
