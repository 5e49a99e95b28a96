from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.domain.labels import AnswerLabels, ContextLabels
from hairpin.errors import InvalidInputError
from hairpin.packs.label_kinds import read_labels

ANSWER = '{"answer": "a", "output": "b", "correct": true}\n'
CONTEXT = '{"question": "q", "source": ["a"], "follow_up": [], "equivalent": false}\n'


def write(folder: Path, text: str, name: str = "labels.jsonl") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_labels_are_told_by_their_first_line(tmp_path: Path) -> None:
    assert isinstance(read_labels(write(tmp_path, f"\n{ANSWER}")), AnswerLabels)
    assert isinstance(read_labels(write(tmp_path, f"\ufeff{CONTEXT}")), ContextLabels)
    assert isinstance(read_labels(write(tmp_path, "answer,output,correct\na,b,true\n", "l.csv")), AnswerLabels)


@pytest.mark.parametrize("text", ["", "[]\n", '{"genuine": true}\n', "plain words\n"])
def test_a_file_of_neither_is_refused_with_what_is_wanted(tmp_path: Path, text: str) -> None:
    with pytest.raises(InvalidInputError, match="neither of answers nor of contexts; each line holds 'equivalent'"):
        read_labels(write(tmp_path, text))


def test_a_broken_line_and_one_of_the_other_kind_are_told_by_their_place(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"labels\.jsonl:1: this is no JSON"):
        read_labels(write(tmp_path, f"{{\n{ANSWER}"))
    with pytest.raises(InvalidInputError, match=r"labels\.jsonl:2"):
        read_labels(write(tmp_path, ANSWER + CONTEXT))
