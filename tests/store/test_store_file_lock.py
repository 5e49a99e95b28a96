"""The lock file beside a database: made for it, gone afterwards, and never two at once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hairpin.errors import StoreError
from hairpin.store.file_lock import FileLockedError, holder_of, locked_file
from hairpin.store.runs import SqlRunStore


def test_nothing_is_left_beside_a_run_that_is_no_longer_driven(file_store: SqlRunStore, path: Path) -> None:
    with file_store.drive():
        assert path.with_name("run.sqlite.lock").is_file()
    file_store.close()
    assert [entry.name for entry in path.parent.iterdir()] == ["run.sqlite"]


def test_a_lock_that_cannot_be_made_is_refused(file_store: SqlRunStore, path: Path) -> None:
    path.with_name("run.sqlite.lock").mkdir()
    with pytest.raises(StoreError, match=r"run\.sqlite\.lock: cannot be made: .*directory"), file_store.drive():
        pytest.fail("no lock was to be had")


def test_who_holds_the_lock_is_told(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.write_text("what a killed process left behind, much longer than what comes in its place")
    with locked_file(path), pytest.raises(FileLockedError) as caught, locked_file(path):
        pytest.fail("two at once")
    assert caught.value.holder.startswith(f"process {os.getpid()} on ")
    assert "left behind" not in caught.value.holder


def test_nobody_holds_what_is_not_there_or_was_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    assert holder_of(path) == ""
    path.write_text("process 1 on box")
    assert holder_of(path) == ""
    with locked_file(path):
        assert holder_of(path).startswith(f"process {os.getpid()} on ")


def test_a_lock_file_that_its_holder_removes_while_it_is_waited_for_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opened before the holder removed it, locked after: a lock on a file without a name keeps nobody out."""
    path, real = tmp_path / "lock", os.open
    opened: list[int] = []

    def open_then_lose_it(*args: object, **kwargs: object) -> int:
        file = real(*args, **kwargs)  # type: ignore[arg-type]  # passed through
        if not opened:
            path.unlink()
        opened.append(file)
        return file

    monkeypatch.setattr(os, "open", open_then_lose_it)
    with locked_file(path), pytest.raises(FileLockedError), locked_file(path):
        pytest.fail("two at once")
    assert len(opened) == 3
