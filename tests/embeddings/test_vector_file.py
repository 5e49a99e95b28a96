from __future__ import annotations

import multiprocessing
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from hairpin.embeddings.vector_file import VectorFile

A, B = b"a" * 20, b"b" * 20
VECTOR = np.array([0.6, 0.8], np.float32)


def open_file(path: Path, *, busy_timeout_s: float = 10.0) -> tuple[VectorFile, list[str]]:
    warnings: list[str] = []
    return VectorFile(path, warn=warnings.append, busy_timeout_s=busy_timeout_s), warnings


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


def test_what_is_stored_is_found_also_by_the_next_process(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "v.sqlite"
    first, warnings = open_file(path)
    first.store([(A, VECTOR)])
    first.close()
    second, later = open_file(path)
    found = second.lookup([A, B])
    assert list(found) == [A]
    assert found[A].tobytes() == VECTOR.tobytes()
    assert warnings == later == []
    second.close()


def test_finds_more_keys_than_one_query_takes(tmp_path: Path) -> None:
    file, _ = open_file(tmp_path / "v.sqlite")
    keys = [number.to_bytes(20, "big") for number in range(1234)]
    file.store((key, np.array([number, 1], np.float32)) for number, key in enumerate(keys))
    found = file.lookup([*keys, A])
    assert [found[key][0] for key in keys] == list(range(1234))
    file.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE vectors SET vector = zeroblob(8)",
        "UPDATE vectors SET vector = substr(vector, 1, 4)",
        "UPDATE vectors SET vector = substr(vector, 1, 7)",
        "UPDATE vectors SET vector = 'text'",
        "UPDATE vectors SET checksum = checksum + 1",
        f"UPDATE vectors SET key = x'{B.hex()}'",
    ],
)
def test_a_damaged_vector_is_not_found_and_can_be_stored_again(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "v.sqlite"
    file, warnings = open_file(path)
    file.store([(A, VECTOR)])
    change(path, damage)
    assert file.lookup([A, B]) == {}
    assert file.lookup([A, B]) == {}
    assert len(warnings) <= 1
    file.store([(A, VECTOR)])
    assert file.lookup([A])[A].tobytes() == VECTOR.tobytes()
    file.close()


def foreign_database(path: Path) -> None:
    change(path, "CREATE TABLE theirs (a)")


def other_version(path: Path) -> None:
    change(path, "PRAGMA application_id = 77")


def garbage(path: Path) -> None:
    path.write_bytes(b"no database " * 500)


def folder(path: Path) -> None:
    path.mkdir()


def damaged_pages(path: Path) -> None:
    file, _ = open_file(path)
    file.store((number.to_bytes(20, "big"), np.ones(500, np.float32)) for number in range(50))
    file.close()
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))


@pytest.mark.parametrize("spoil", [foreign_database, other_version, garbage, folder, damaged_pages])
def test_a_file_that_cannot_be_used_is_warned_of_once_and_done_without(tmp_path: Path, spoil: object) -> None:
    path = tmp_path / "v.sqlite"
    assert callable(spoil)
    spoil(path)
    before = path.read_bytes() if path.is_file() else b""
    file, warnings = open_file(path)
    for _ in range(3):
        file.store([(A, VECTOR)])
        assert file.lookup([A]) == {}
    assert not file.usable
    (warning,) = warnings
    assert str(path) in warning
    assert "delete the file" in warning
    if spoil is not damaged_pages:
        assert path.is_dir() or path.read_bytes() == before, "what is not Hairpin's is left as it was"


def test_a_place_where_no_file_can_be_made_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    file, warnings = open_file(tmp_path / "file" / "v.sqlite")
    file.store([(A, VECTOR)])
    assert file.lookup([A]) == {}
    assert len(warnings) == 1


def test_a_file_that_may_only_be_read_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By SQLite's own mode, because file permissions do not hold for root."""
    path = tmp_path / "v.sqlite"
    file, _ = open_file(path)
    file.store([(A, VECTOR)])
    file.close()
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda name, **options: connect(f"{name.as_uri()}?mode=ro", uri=True, **options)
    )
    file, warnings = open_file(path)
    file.store([(B, VECTOR)])
    assert file.lookup([B]) == {}
    assert len(warnings) == 1
    assert "readonly" in warnings[0]


def test_a_file_that_another_process_holds_locked_is_done_without(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    file, warnings = open_file(path, busy_timeout_s=0.01)
    file.store([(A, VECTOR)])
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert list(file.lookup([A])) == [A], "reading waits for nobody"
        file.store([(B, VECTOR)])
    assert len(warnings) == 1
    assert "locked" in warnings[0]
    assert file.lookup([A]) == {}


def store_some(path: Path, start: int) -> None:
    file, warnings = open_file(path)
    for number in range(start, start + 40):
        file.store([(number.to_bytes(20, "big"), np.array([number, 1], np.float32))])
    file.close()
    assert not warnings


def test_several_processes_may_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=store_some, args=(path, start)) for start in (0, 40)]
    for process in processes:
        process.start()
    store_some(path, 80)
    for process in processes:
        process.join(40)
        assert process.exitcode == 0
    file, _ = open_file(path)
    assert len(file.lookup([number.to_bytes(20, "big") for number in range(120)])) == 120
    file.close()
