"""The format of a file is told by what it holds, never by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.errors import InvalidInputError
from hairpin.packs.seed_formats import told_format
from hairpin.packs.seed_records import seed_records


def told(text: str, name: str = "f.json") -> str:
    return told_format(seed_records(text.encode(), Path(name)), Path(name))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ('{"data": [{"id": "a", "story": "s", "questions": [{"turn_id": 1}]}]}', "coqa"),
        ('{"questions": [], "answers": []}', "coqa"),
        ('[{"dialogue_id": "1"}]', "sgd"),
        ('[{"turns": []}]', "sgd"),
        ('[{"number": 1, "turn": []}]', "cast"),
        ('{"id": "a", "origin": "", "questions": []}', "seeds"),
        ('{"id": "a", "questions": []}', "questions"),
        ('{"questions": 3}', "questions"),
        ('["a"]', "questions"),
        ('3\n{"x": 1}\n["a"]', "questions"),
    ],
)
def test_the_first_record_that_shows_a_format_tells_it(text: str, form: str) -> None:
    assert told(text, "f.jsonl" if "\n" in text else "f.json") == form


def test_yaml_is_written_by_hand() -> None:
    assert told("x: 1", "f.yaml") == "questions"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"data": []}', ": it holds no dialogue;"),
        ('{"x": 1}', " in it;"),
        ("3\nx", ": line 2 is no JSON: Expecting value at character 1;"),
    ],
)
def test_a_file_that_shows_none_is_refused(text: str, why: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        told(text, "f.jsonl" if "\n" in text else "f.json")
    said = str(refused.value)
    assert "nothing in the file shows how test seeds are written in it" in said
    assert why in said
    assert said.endswith("write the 'format' of the test seeds: coqa, questions, sgd, cast, run or seeds")
