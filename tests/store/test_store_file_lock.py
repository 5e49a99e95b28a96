"""One process drives a run; its death, however it comes, lets the next one in."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from hairpin.errors import RunBusyError, StoreError
from hairpin.store.file_lock import FileLockedError, locked_file
from hairpin.store.runs import SqlRunStore, open_store
from tests.store.store_values import StandingClock, a_run

ROOT = Path(__file__).parents[2]


@pytest.fixture
def begun(file_store: SqlRunStore) -> SqlRunStore:
    anyio.run(file_store.create_run, a_run())
    return file_store


@pytest.fixture
def child(begun: SqlRunStore, path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.store.driving_child", str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, text=True, stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "driving\n"
        yield process
        process.kill()


def test_a_run_that_another_process_drives_is_refused_naming_it(
    begun: SqlRunStore, child: subprocess.Popen[str]
) -> None:
    with pytest.raises(RunBusyError) as caught, begun.drive():
        pytest.fail("two at once")
    assert f"run.sqlite: process {child.pid} on {socket.gethostname()} is driving this run already" in str(caught.value)
    assert "wait until it has ended, or stop it" in str(caught.value)


def test_a_killed_driver_leaves_the_run_free(begun: SqlRunStore, child: subprocess.Popen[str]) -> None:
    child.kill()
    child.wait()
    with begun.drive():
        assert os.getpid() != child.pid


def test_two_stores_of_one_process_cannot_drive_one_run_either(
    begun: SqlRunStore, path: Path, clock: StandingClock
) -> None:
    with open_store(path, clock=clock) as second:
        with begun.drive(), pytest.raises(RunBusyError, match=f"process {os.getpid()} "), second.drive():
            pytest.fail("two at once")
        with second.drive():
            assert path.with_name("run.sqlite.lock").is_file()


def test_nothing_is_left_beside_a_run_that_is_no_longer_driven(begun: SqlRunStore, path: Path) -> None:
    with begun.drive():
        pass
    begun.close()
    assert [entry.name for entry in path.parent.iterdir()] == ["run.sqlite"]


def test_a_lock_that_cannot_be_made_is_refused(begun: SqlRunStore, path: Path) -> None:
    path.with_name("run.sqlite.lock").mkdir()
    with pytest.raises(StoreError, match=r"run\.sqlite\.lock: cannot be made: .*directory"), begun.drive():
        pytest.fail("no lock was to be had")


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
