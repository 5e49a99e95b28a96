"""TREC CAsT: questions with the stand-alone question that a person wrote for each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hairpin.domain.test_seeds import SeedQuestion
from hairpin.packs.seeds_cast import rewrites_beside
from tests.packs.seed_texts import only, problems, read

TOPICS: list[dict[str, Any]] = [
    {
        "number": 31,
        "title": "throat cancer",
        "turn": [
            {"number": 2, "raw_utterance": "Is it treatable? "},
            {"number": 1, "raw_utterance": "What is throat cancer?"},
        ],
    }
]
NAME, BESIDE = "topics_v1.0.json", "topics_annotated_resolved_v1.0.tsv"
ROWS = "31_1\tWhat is throat cancer?\r\n31_2\tIs throat cancer treatable?\r\n"


def test_the_rewrites_of_2019_are_in_the_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / BESIDE).write_text(ROWS, encoding="utf-8", newline="")
    found = read(tmp_path, TOPICS, NAME)
    seed = only(found)
    assert seed.questions == (
        SeedQuestion(text="What is throat cancer?", rewrite="What is throat cancer?"),
        SeedQuestion(text="Is it treatable?", rewrite="Is throat cancer treatable?"),
    )
    assert (seed.id, seed.origin, seed.reference_text) == ("31", "CAsT (throat cancer)", None)
    assert (found.imported.notes, found.imported.counts["with_rewrite"]) == ((), 2)


def test_the_bytes_of_both_files_are_in_the_digest(tmp_path: Path) -> None:
    alone = read(tmp_path, TOPICS, NAME).digest
    (tmp_path / BESIDE).write_text(ROWS, encoding="utf-8")
    assert read(tmp_path, TOPICS, NAME).digest != alone


def test_without_that_file_there_are_no_rewrites_and_it_is_noted(tmp_path: Path) -> None:
    (tmp_path / f"other_{BESIDE}").write_text(ROWS, encoding="utf-8")
    found = read(tmp_path, TOPICS, NAME)
    assert [question.rewrite for question in only(found).questions] == [None, None]
    assert found.imported.notes == ("topics with questions that have no stand-alone question: 1 (31)",)


def test_lines_of_that_file_that_say_nothing_new_are_noted(tmp_path: Path) -> None:
    (tmp_path / BESIDE).write_text(f"{ROWS}\nx\n31_1\tAgain?\n32_1\t \n", encoding="utf-8")
    found = read(tmp_path, TOPICS, NAME)
    assert found.imported.notes == (
        f"lines of {BESIDE} that give no turn its first stand-alone question: 3 (line 4, line 5, line 6)",
    )
    assert only(found).questions[0].rewrite == "What is throat cancer?"


def test_the_rewrites_of_2020_are_in_the_topics(tmp_path: Path) -> None:
    turn = {"number": 1, "raw_utterance": "Why?", "manual_rewritten_utterance": "Why did it stop?"}
    seed = only(read(tmp_path, [{"number": 81, "turn": [turn]}]))
    assert seed.questions == (SeedQuestion(text="Why?", rewrite="Why did it stop?"),)
    assert (seed.id, seed.origin) == ("81", "CAsT")


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        ({"number": "31", "turn": []}, "(31): its number is '31', not a whole number"),
        ({"turn": []}, ": its number is None, not a whole number"),
        ({"number": 9, "turn": []}, "(9): it has no turns"),
        ({"number": 9, "turn": [{"number": 1}]}, "(9): turn 1: 'raw_utterance' is missing"),
        ({"number": 9, "turn": [{"raw_utterance": "a"}]}, "(9): turn[0] has no 'number'"),
        ({"number": 9, "turn": [{"number": 1, "raw_utterance": "a"}] * 2}, "(9): turn has number 1 twice"),
        (
            {"number": 9, "turn": [{"number": 1, "raw_utterance": "a", "manual_rewritten_utterance": ""}]},
            "(9): turn 1: 'manual_rewritten_utterance' is blank",
        ),
    ],
)
def test_a_broken_topic_is_told_and_skipped(tmp_path: Path, topic: dict[str, Any], said: str) -> None:
    found = read(tmp_path, [topic, *TOPICS])
    assert problems(found) == [f"record 1{' ' * said.startswith('(')}{said}"]
    assert only(found).id == "31"


def test_the_name_of_the_topics_is_taken_literally(tmp_path: Path) -> None:
    (tmp_path / "a_annotated_resolved.tsv").write_text("", encoding="utf-8")
    assert rewrites_beside(tmp_path / "[a].json") is None
    assert rewrites_beside(tmp_path / "a_v1.0.json") == tmp_path / "a_annotated_resolved.tsv"
