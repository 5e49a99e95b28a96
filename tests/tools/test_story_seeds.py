"""The test seeds that ship are what the testbed tells, and what it answers."""

from __future__ import annotations

from pathlib import Path

import pytest

import story_seeds
from hairpin.domain.test_seeds import TestSeedsSource
from hairpin.packs.test_seed_source import read_test_seeds


def test_the_file_that_ships_is_the_one_that_is_written() -> None:
    assert story_seeds.FILE.read_text(encoding="utf-8") == story_seeds.story_seeds()


def test_it_is_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(story_seeds, "FILE", tmp_path / "new" / "stories.jsonl")
    assert story_seeds.main() == 0
    assert (tmp_path / "new" / "stories.jsonl").read_text(encoding="utf-8") == story_seeds.story_seeds()


def test_every_question_of_every_story_has_an_answer() -> None:
    found = read_test_seeds(TestSeedsSource(file=story_seeds.FILE.name, strict=True), folder=story_seeds.FILE.parent)
    assert found.imported.sentence() == (
        "read from stories.jsonl (questions): 6 test seeds with 42 questions, 0 records skipped"
    )
    assert found.imported.counts["with_gold"] == 42
    assert all(seed.reference_text for seed in found.seeds)
    assert len({seed.reference_text for seed in found.seeds}) == 6
