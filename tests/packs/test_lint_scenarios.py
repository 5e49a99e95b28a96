"""Lint of scenario files: a planted fault is found on its line, and what ships is clean."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from hairpin.domain.lint import Finding
from hairpin.packs.finder import PackFinder, built_in_folder
from hairpin.packs.lint_scenarios import lint_scenario, read_document
from hairpin.packs.scenarios import dump_scenario, load_scenario

FINDER = PackFinder.standard()
SHIPPED = sorted((built_in_folder() / "scenarios").glob("*.yaml"))
SHIPPED += sorted((built_in_folder() / "scenarios" / "campaigns").glob("*.yaml"))


def found(path: Path) -> list[Finding]:
    document = read_document(path, FINDER)
    assert document is not None
    return list(lint_scenario(document, load_scenario(path, finder=FINDER)))


def planted(folder: Path, text: str) -> list[tuple[str, int]]:
    path = folder / "s.yaml"
    path.write_text("id: s\nsut: testbed\n" + textwrap.dedent(text).strip() + "\n")
    findings = found(path)
    assert all(finding.hint and finding.why for finding in findings)
    return [(finding.rule, int(finding.where.rpartition(":")[2])) for finding in findings]


@pytest.mark.parametrize(
    ("text", "rule", "line"),
    [
        ("seed_phrases: [Take me home]\nchecks:\n  - regex: .*", "check-always-passes", 5),
        ("turns:\n  - user: Is there a toll?\n    checks:\n      - contains: toll", "check-passes-echo", 6),
        ("turns:\n  - user: Avoid tolls\n  - user: No tolls\nchecks:\n  - contains: tolls", "check-passes-echo", 7),
        ("seed_phrases: [Take me home]\nthreshold: 0", "threshold-zero", 4),
        ("seed_phrases: [Take me home]\nweights:\n  targets: 20", "weights", 5),
        (
            "seed_phrases: [Take me home]\nweights:\n  dimensions:\n    safety_compliance: 0",
            "weights",
            6,
        ),
        ("seed_phrases:\n  - Take me home\n  - take me home!", "seed-phrase-repeats", 5),
        ("seed_phrases:\n  - Take me home\n  - Hello!", "seed-phrase-asks-nothing", 5),
        ("turns: [{user: Take me home}]\nmax_turns: 8", "max-turns-unreached", 4),
        ("turns: [{user: Take me home}]\npersonas: [polite, impatient]", "persona-unused", 4),
        ("turns: [{user: Take me home}]\nstrategies: in_car/paper", "strategies-unused", 4),
        (
            "seed_phrases: [Take me home]\noracles: [dimensions]\nstrategies: in_car/paper",
            "mode-never-labelled",
            5,
        ),
        ("seed_phrases: [Take me home]\nrepeats: 90\ncanaries: {share: 0.1}", "canaries-too-few", 5),
        ("turns: [{user: Take me home}]\ncanaries: {share: 1}", "canaries-too-few", 4),
        ("seed_phrases: [Take me home]\ncampaign: {conversations: 90}\ncanaries: {}", "canaries-too-few", 5),
    ],
)
def test_a_planted_fault_is_found_on_its_line(tmp_path: Path, text: str, rule: str, line: int) -> None:
    assert (rule, line) in planted(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "seed_phrases: [Take me home, Play jazz]\nchecks: [{regex: '(?!.*fee)'}]\nthreshold: 0.8",
        "turns: [{user: Is there a toll?, checks: [{contains: '2.40'}]}]\nmax_turns: 1",
        "seed_phrases: [Take me home]\npersonas: [polite]\nstrategies: in_car/paper\nmax_turns: 3",
        "turns: [{user: Take me home}]\nthreshold: 0\noracles: [turn_judge]",
        "seed_phrases: [Take me home]\nrepeats: 91\ncanaries: {share: 0.1}",
        "seed_phrases: [Take me home]\ncampaign: {arms: [guided]}\ncanaries: {share: 0.1}",
    ],
)
def test_what_can_find_something_is_not_flagged(tmp_path: Path, text: str) -> None:
    assert planted(tmp_path, text) == []


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_scenarios_that_ship_are_clean(path: Path) -> None:
    assert found(path) == []


def test_a_stored_scenario_has_no_lines_to_speak_of(tmp_path: Path) -> None:
    stored = tmp_path / "scenario.yaml"
    stored.write_text(dump_scenario(load_scenario("munich_commute", finder=FINDER)))
    assert read_document(stored, FINDER) is None


def test_a_repeated_seed_phrase_is_told_with_the_one_it_repeats(tmp_path: Path) -> None:
    """A list in one line has one line number for all."""
    path = tmp_path / "s.yaml"
    path.write_text("id: s\nsut: testbed\nseed_phrases: [Hello!, Take me home, take me home!]\n")
    repeated = [finding.what for finding in found(path) if finding.rule == "seed-phrase-repeats"]
    assert repeated == [f"the seed phrase 'take me home!' says the same as 'Take me home' ({path}:3)"]
