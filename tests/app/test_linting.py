"""Lint, whole: assistants that do nothing should pass no scenario, and no model is asked to find that out."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from hairpin.app.linting import IDLE, joined, lint_named_pack, lint_packs, lint_scenario_file, names_pack_only
from hairpin.errors import InvalidInputError
from hairpin.packs.finder import PackFinder


def scenario(folder: Path, text: str) -> Path:
    path = folder / "s.yaml"
    path.write_text("id: s\nsut: testbed\n" + textwrap.dedent(text).strip() + "\n")
    return path


def test_a_scenario_that_idle_assistants_pass_is_told_for_each_of_them(tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text("def anything(reply):\n    return True\n")
    path = scenario(tmp_path, "turns: [{user: Take me home, checks: [./checks.py:anything]}]\noracles: []")
    found = lint_scenario_file(path)
    assert [finding.rule for finding in found.findings] == ["passed-by-doing-nothing"] * len(IDLE)
    assert found.findings[0].what == 'an assistant that says "OK." passes the one conversation that was tried'
    assert found.findings[0].where == f"{path}:1"
    assert lint_scenario_file(path, idle=False).findings == ()


def test_only_the_idle_assistant_that_passes_is_told(tmp_path: Path) -> None:
    path = scenario(tmp_path, 'turns: [{user: Take me home, checks: [{regex: "(?i)sorry|can\'t"}]}]\noracles: []')
    (finding,) = lint_scenario_file(path).findings
    assert finding.what.startswith("an assistant that refuses passes")


def test_a_scenario_with_judges_is_passed_by_no_idle_assistant_and_asks_no_model(tmp_path: Path) -> None:
    model = "{provider: openai-compatible, base_url: 'http://127.0.0.1:9/v1', model: none}"
    path = scenario(
        tmp_path,
        f"""
        seed_phrases: [Guide me to Marienplatz while avoiding toll roads]
        models: {{turn_judge: {model}, conversation_judge: {model}}}
        """,
    )
    found = lint_scenario_file(path)
    assert found.findings == ()
    assert found.notes == ()


def test_what_gives_no_verdict_or_cannot_be_judged_offline_is_said_not_to_be_tried(tmp_path: Path) -> None:
    path = scenario(tmp_path, "seed_phrases: [Bring mich heim]\nlanguage: de")
    (told,) = lint_scenario_file(path).notes
    assert told.startswith("no assistant that does nothing was tried: ")
    quiet = scenario(tmp_path, "turns: [{user: Take me home}]\noracles: [turn_judge]")
    assert lint_scenario_file(quiet).notes == (
        "no assistant that does nothing was tried: nothing here gives a verdict",
    )


def test_a_scenario_that_is_not_valid_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError):
        lint_scenario_file(scenario(tmp_path, "seed_phrases: [Take me home]\nthreshold: 2"))


def test_packs_of_the_users_own_are_looked_at_and_those_that_ship_where_they_are_named(tmp_path: Path) -> None:
    pool = tmp_path / "scenarios" / "pools" / "own.yaml"
    pool.parent.mkdir(parents=True)
    pool.write_text("id: own\nphrases: [Take me home, Hello]\n")
    finder = PackFinder.standard(packs=[tmp_path])
    own = lint_packs(finder)
    assert own.looked_at == (str(pool),)
    assert [finding.rule for finding in own.findings] == ["seed-phrase-asks-nothing"]
    named = lint_named_pack("in_car", finder)
    assert len(named.looked_at) == 2
    assert joined([own, named]).looked_at == (*own.looked_at, *named.looked_at)
    assert names_pack_only("in_car", finder)
    assert not names_pack_only("munich_commute", finder)


def test_findings_stand_in_the_order_of_their_lines(tmp_path: Path) -> None:
    path = scenario(
        tmp_path, "threshold: 0\nseed_phrases:\n  - Hello!\n  - Take me home\n  - take me home\nmax_turns: 3"
    )
    lines = [int(finding.where.rpartition(":")[2]) for finding in lint_scenario_file(path, idle=False).findings]
    assert lines == sorted(lines)
    assert len(lines) >= 3
