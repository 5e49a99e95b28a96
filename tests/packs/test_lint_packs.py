"""Lint of packs: a planted fault is found on its line, and what ships is clean."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hairpin.errors import UnknownReferenceError
from hairpin.packs.finder import PackFinder, built_in_folder
from hairpin.packs.kinds import PackKind
from hairpin.packs.lint_packs import LINTED, lint_pack, unchecked_aims

RUBRIC = """id: own
title: Own
modes:
  - id: rude
    kind: response
    title: Rude
    definition: d
    materiality: m
    positive_example: p
    negative_example: n
dimensions:
  - id: manners
    title: Manners
    question: q
    anchors:
      "0": Bad
      "1": So so
      "2": Good
  - id: tone
    title: Tone
    question: q
    anchors: {"0": Bad, "1": So so, "2": Good}
weights: {targets: 1}
threshold: 0.7
"""
STRATEGY = """id: own
pools: {paper: [tease]}
strategies:
  - id: tease
    title: Tease
    target_mode: rude
"""
RUBRIC_FILE, STRATEGY_FILE = "rubrics/own/rubric.yaml", "strategies/own.yaml"


def lint_of(folder: Path, kind: PackKind, name: str = "own") -> list[tuple[str, str, int]]:
    finder = PackFinder.standard(packs=[folder])
    found = list(lint_pack(kind, name, finder))
    assert all(finding.what and finding.why and finding.hint for finding in found)
    places = [finding.where.rpartition(":") for finding in found]
    return [
        (finding.rule, Path(file).relative_to(folder).as_posix(), int(line))
        for finding, (file, _, line) in zip(found, places, strict=True)
    ]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], None]:
    def write_one(name: str, text: str) -> None:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    write_one(RUBRIC_FILE, RUBRIC)
    write_one(STRATEGY_FILE, STRATEGY)
    return write_one


Write = Callable[[str, str], None]


def test_packs_that_can_find_something_are_not_flagged(tmp_path: Path, write: Write) -> None:
    write("scenarios/pools/own.yaml", "id: own\nphrases: [Take me home, Play jazz]\n")
    for kind in (PackKind.RUBRIC, PackKind.STRATEGY, PackKind.POOL):
        assert lint_of(tmp_path, kind) == []


@pytest.mark.parametrize(
    ("old", "new", "rule", "line"),
    [
        ("threshold: 0.7", "threshold: 0", "threshold-zero", 24),
        ('"1": So so\n      "2"', '"1": bad.\n      "2"', "anchors-equal", 17),
        ("{targets: 1}", "{targets: 9}", "weights", 23),
        ("{targets: 1}", "{dimensions: {tone: 0}, targets: 1}", "weights", 23),
        ("{targets: 1}", "{dimensions: {tone: 0.001}, targets: 0}", "weights", 23),
    ],
)
def test_a_fault_planted_in_a_rubric_is_found(
    tmp_path: Path, write: Write, old: str, new: str, rule: str, line: int
) -> None:
    assert old in RUBRIC
    write(RUBRIC_FILE, RUBRIC.replace(old, new, 1))
    assert (rule, RUBRIC_FILE, line) in lint_of(tmp_path, PackKind.RUBRIC)


def test_a_strategy_that_aims_at_nothing_and_one_that_is_in_no_pool_are_found(tmp_path: Path, write: Write) -> None:
    write(STRATEGY_FILE, STRATEGY + "  - id: bore\n    title: Bore\n    target_mode: dull\n")
    assert lint_of(tmp_path, PackKind.STRATEGY) == [
        ("strategy-aims-at-nothing", STRATEGY_FILE, 9),
        ("strategy-unused", STRATEGY_FILE, 7),
    ]


def test_aims_are_checked_against_valid_rubrics_and_said_to_be_open_where_another_is_not_valid(
    tmp_path: Path, write: Write
) -> None:
    """A broken rubric elsewhere hides nothing: what valid ones define is known, and of the rest it is said."""
    finder = PackFinder.standard(packs=[tmp_path])
    assert list(unchecked_aims("own", finder)) == []
    write("rubrics/broken/rubric.yaml", RUBRIC.replace("id: own", "id: broken").replace("0.7", "7"))
    assert list(unchecked_aims("own", finder)) == []
    write(STRATEGY_FILE, STRATEGY + "  - id: bore\n    title: Bore\n    target_mode: dull\n")
    (told,) = unchecked_aims("own", finder)
    assert str(tmp_path / STRATEGY_FILE) in told
    assert "aim at ('bore' at 'dull'), and whether rubric 'broken' does could not be checked" in told
    assert str(tmp_path / "rubrics/broken/rubric.yaml") in told
    assert [rule for rule, _, _ in lint_of(tmp_path, PackKind.STRATEGY)] == ["strategy-unused"]


def test_phrases_of_a_pool_that_repeat_or_ask_nothing_are_found(tmp_path: Path, write: Write) -> None:
    write(
        "scenarios/pools/own.yaml", "id: own\ntasks:\n  way: [Take me home]\n  talk:\n    - take me home!\n    - Hi\n"
    )
    assert [(rule, line) for rule, _, line in lint_of(tmp_path, PackKind.POOL)] == [
        ("seed-phrase-repeats", 5),
        ("seed-phrase-asks-nothing", 6),
    ]


def test_a_persona_that_no_scenario_names_is_found_where_there_are_scenarios(tmp_path: Path, write: Write) -> None:
    write("agents/personas/own.yaml", "id: own\ntitle: Own\ndescription: d\n")
    assert lint_of(tmp_path, PackKind.PERSONA) == []
    write("scenarios/s.yaml", "id: s\nsut: testbed\nseed_phrases: [Take me home]\n")
    assert lint_of(tmp_path, PackKind.PERSONA) == [("persona-unused", "agents/personas/own.yaml", 1)]
    write("scenarios/s.yaml", "id: s\nsut: testbed\nseed_phrases: [Take me home]\npersonas: [own]\n")
    assert lint_of(tmp_path, PackKind.PERSONA) == []


def test_a_mode_that_no_known_transcript_is_about_is_found(tmp_path: Path, write: Write) -> None:
    mode = RUBRIC[RUBRIC.index("  - id: rude") : RUBRIC.index("dimensions:")]
    write(RUBRIC_FILE, RUBRIC.replace("dimensions:", f"{mode.replace('rude', 'dull')}dimensions:", 1))
    turns = "[{user: Hi, good: Good morning., bad: What now?}]"
    write("rubrics/own/transcripts.yaml", f"id: own\ntranscripts: [{{id: t, mode: rude, turns: {turns}}}]\n")
    assert lint_of(tmp_path, PackKind.RUBRIC) == [("mode-untested", RUBRIC_FILE, 11)]


def test_what_ships_is_clean() -> None:
    finder = PackFinder.standard(project=built_in_folder())
    assert [
        finding.line for kind in LINTED for name in finder.names(kind) for finding in lint_pack(kind, name, finder)
    ] == []


def test_a_pack_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownReferenceError):
        lint_of(tmp_path, PackKind.RUBRIC, "nowhere")
