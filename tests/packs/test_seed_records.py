"""The records of a file: JSON whole, a line each, or YAML; what is none is said where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.errors import InvalidInputError
from hairpin.packs.seed_records import NoSeedError, SeedNotes, SeedRecord, read_seed_file, seed_records
from hairpin.packs.yaml_tree import Items, Table


def records(text: str | bytes, name: str = "f.json") -> tuple[SeedRecord, ...]:
    return seed_records(text if isinstance(text, bytes) else text.encode(), Path(name))


def values(text: str | bytes, name: str = "f.json") -> list[object]:
    return [record.value for record in records(text, name)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1}', [{"a": 1}]),
        ('\ufeff\n {\n"a": 1\n}\n\n', [{"a": 1}]),
        ('[{"a": 1}, {"b": 2}]', [{"a": 1}, {"b": 2}]),
        ('{"version": 1, "data": [{"a": 1}]}', [{"a": 1}]),
        ('{"data": {"a": 1}}', [{"data": {"a": 1}}]),
        ('{"a": 1}\n{"b": 2}\n', [{"a": 1}, {"b": 2}]),
        ('{"a": 1}\r\n\r\n{"b": 2}', [{"a": 1}, {"b": 2}]),
        ('{"a": 1}\r{"b": 2}', [{"a": 1}, {"b": 2}]),
        ('["a", {"text": "b"}]', [["a", {"text": "b"}]]),
        ('[["a"], ["b"]]', [["a"], ["b"]]),
        ('{"data": ["a", "b"]}', ["a", "b"]),
        ("[]", [[]]),
    ],
)
def test_a_value_per_record(text: str, expected: list[object]) -> None:
    assert values(text) == expected


def test_records_are_numbered_and_called_as_their_file() -> None:
    assert [(record.number, record.name) for record in records("{}\n{}\n", "a/mine.jsonl")] == [
        (1, "mine-1"),
        (2, "mine-2"),
    ]
    assert records("{}", "a/mine.json")[0].name == "mine"


@pytest.mark.parametrize("name", ["f.jsonl", "f.NDJSON"])
def test_a_line_that_is_no_json_is_a_record_with_a_problem(name: str) -> None:
    found = records('{"a":\n{"b": 2}\n\n{"c": NaN}\n{"d": 1e999}\n' + "[" * 100_000, name)
    assert [(record.number, record.problem) for record in found] == [
        (1, "line 1 is no JSON: Expecting value at character 6"),
        (2, ""),
        (3, "line 4 is no JSON: NaN is no number of JSON"),
        (4, "line 5 is no JSON: 1e999 is too large a number"),
        (5, "line 6 is no JSON: nested too deeply"),
    ]


def test_lines_are_told_by_the_first_two_of_them_too() -> None:
    assert [record.problem for record in records('{"a"\n{"b": 1}\n')] == [
        "line 1 is no JSON: Expecting ':' delimiter at character 5",
        "",
    ]
    assert [record.problem for record in records('{"a": 1}\n{"b"\n')] == [
        "",
        "line 2 is no JSON: Expecting ':' delimiter at character 5",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "f.json: the file is empty; write JSON, JSON lines"),
        (" \n", "f.json: the file is empty"),
        ('{\n "a": [\n', "f.json:3: this is no JSON: Expecting value at character 1; write JSON"),
        ("hello\n", "f.json:1: this is no JSON: Expecting value at character 1"),
        ('{"a": 1} and more', "f.json:1: something follows the JSON value"),
        (b'{"a": "\xff"}', "f.json:1: byte 0xFF at byte position 7 is not UTF-8; save the file as UTF-8"),
        ("[" * 100_000, "f.json:1: this is no JSON: nested too deeply"),
    ],
)
def test_a_file_without_records_is_refused_with_its_line(text: str | bytes, said: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        records(text)
    assert str(refused.value).startswith(said)


def test_yaml_keeps_its_lines() -> None:
    mapping, listed = records("- questions: [a]\n- [b]\n", "f.yaml")
    assert isinstance(mapping.tree, Table)
    assert isinstance(listed.tree, Items)
    assert listed.tree.where == "f.yaml:2"
    assert len(records("- a\n- {text: b}\n", "f.yml")) == 1


def test_a_record_that_must_be_an_object_says_what_it_is() -> None:
    with pytest.raises(NoSeedError, match="it is a number, not an object; write one JSON object"):
        _ = SeedRecord(1, "x", 3).entries


def test_a_file_larger_than_files_of_settings_is_read(tmp_path: Path) -> None:
    (tmp_path / "f.json").write_bytes(b" " * 2_000_000)
    assert len(read_seed_file(tmp_path / "f.json")) == 2_000_000
    with pytest.raises(InvalidInputError, match=r"file of test seeds '.*' does not exist; did you mean 'f\.json'"):
        read_seed_file(tmp_path / "g.json")


def test_a_note_counts_and_names_the_first() -> None:
    notes = SeedNotes()
    for number in range(7):
        notes.add("cut", f"d{number}")
    notes.add("blank", "d0")
    assert list(notes.lines()) == ["cut: 7 (d0, d1, d2, d3, d4 …)", "blank: 1 (d0)"]
