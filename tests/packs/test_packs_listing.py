"""What ``hairpin packs list`` shows."""

from __future__ import annotations

from pathlib import Path

from hairpin.packs.kinds import PackKind
from hairpin.packs.listing import list_packs
from tests.packs.pack_files import PERSONA, built_in, write


def test_every_pack_is_listed_by_kind_and_name_with_its_title(tmp_path: Path) -> None:
    entries = list_packs(built_in(tmp_path))
    assert [(entry.kind.value, entry.name, entry.title) for entry in entries] == [
        ("persona", "neutral", "neutral user"),
        ("persona", "polite", "polite user"),
        ("strategy", "in_car", ""),
        ("rubric", "in_car", "Small rubric"),
        ("scenario", "shipped", ""),
        ("pool", "in_car/1", ""),
    ]
    assert {entry.origin for entry in entries} == {"built-in"}
    assert entries[2].members == ("paper", "extended")


def test_a_shadowed_pack_comes_after_the_one_that_is_used(tmp_path: Path) -> None:
    mine = write(tmp_path / "mine", {"agents/personas/polite.yaml": PERSONA.format(id="polite")})
    entries = list_packs(built_in(tmp_path).beside(mine), [PackKind.PERSONA])
    assert [(entry.name, entry.shadowed, entry.origin.partition(":")[0]) for entry in entries] == [
        ("neutral", False, "built-in"),
        ("polite", False, "scenario folder"),
        ("polite", True, "built-in"),
    ]


def test_a_broken_file_is_listed_with_its_problem(tmp_path: Path) -> None:
    mine = write(tmp_path / "mine", {"agents/personas/rude.yaml": "id: [\n", "agents/personas/b.yaml": "- a\n"})
    entries = {entry.name: entry for entry in list_packs(built_in(tmp_path).beside(mine), [PackKind.PERSONA])}
    assert "rude.yaml:2: the text is not valid YAML" in entries["rude"].problem
    assert entries["b"].title == ""
    assert entries["neutral"].problem == ""
